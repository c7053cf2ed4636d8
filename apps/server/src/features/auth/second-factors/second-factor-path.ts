/** The page where a user completes a sign-in with a second factor. */
export const SECOND_FACTOR_PATH = '/sign-in/second-factor'

/** The page where a user sets up the second factor that the instance requires. */
export const SETUP_PATH = '/sign-in/set-up-second-factor'

/** Returns where a sign-in leads: to the requested page, or first to that of the second factor. */
export const getSignInRedirect = (isComplete: boolean, next: string): string => {
  if (isComplete) return next
  return next === '/' ? SECOND_FACTOR_PATH : `${SECOND_FACTOR_PATH}?next=${encodeURIComponent(next)}`
}
