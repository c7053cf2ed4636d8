import { paths } from '../paths.ts'

/**
 * Leaves the page when another tab signs out, and when the browser shows it again from its memory: the session may have ended.
 * @returns a function that ends this
 */
export function leaveAfterSignOut(): () => void {
  const onStorage = ({ key, newValue }: StorageEvent) => {
    if (key === 'caseward:signed-out' && newValue !== null)
      location.replace(paths.signIn(location.pathname + location.search))
  }
  const onPageShow = ({ persisted }: PageTransitionEvent) => {
    if (persisted) location.reload()
  }
  window.addEventListener('storage', onStorage)
  window.addEventListener('pageshow', onPageShow)
  return () => {
    window.removeEventListener('storage', onStorage)
    window.removeEventListener('pageshow', onPageShow)
  }
}
