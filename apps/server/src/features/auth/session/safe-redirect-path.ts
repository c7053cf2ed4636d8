/** The path to open after sign-in: the one requested if it is a page of this service, else the account page. */
export const getSafeRedirectPath = (next: unknown): string =>
  typeof next === 'string' && /^\/(?:account|(?:join|runs)\/[\w-]{1,100})$/.test(next) ? next : '/account'
