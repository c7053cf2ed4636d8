import { setSessionEnded } from './shell/session-state.ts'

const CHECK_MS = 2000
const KEY = 'caseward:reloaded-at'
/** A page whose code is missing although the server answers must not be reloaded again and again. */
const MIN_INTERVAL_MS = 30_000

/**
 * Reloads the page as soon as the server answers again. A page whose session has ended stays, with all that it keeps, until the
 * user has signed in again in another tab.
 * @returns a function that ends it
 */
export function reloadWhenReady(): () => void {
  const timer = setInterval(() => void check(), CHECK_MS)
  async function check(): Promise<void> {
    try {
      const { ok, type } = await fetch(location.href, { method: 'HEAD', cache: 'no-store', redirect: 'manual' })
      // To the sign-in page.
      if (type === 'opaqueredirect') setSessionEnded(true)
      if (!ok || Date.now() - Number(sessionStorage.getItem(KEY) ?? 0) < MIN_INTERVAL_MS) return
      sessionStorage.setItem(KEY, String(Date.now()))
    } catch {
      // Not yet; or the storage is blocked, and the button is left.
      return
    }
    clearInterval(timer)
    location.reload()
  }
  return () => clearInterval(timer)
}
