import { fetchContent } from './fetch-content.ts'

/** Playwright's own viewer, which reads a trace that it is handed by its opener. Used when this server has none. */
export const PUBLIC_TRACE_VIEWER = 'https://trace.playwright.dev/'
/** The viewer is loaded from another host. */
const READY_TIMEOUT_MS = 30_000

/** What the user can do something about. */
class TraceError extends Error {
  override readonly name = 'TraceError'
}

/**
 * Opens the viewer in a window of its own, and hands it the trace. Must be called for a press of a button: otherwise, browsers
 * block the window.
 * @param viewerUrl address of the viewer, on another host than the app
 * @throws {TraceError} when the window is blocked or closed, or the viewer or the trace cannot be loaded
 */
export async function openTrace(url: string, viewerUrl: string): Promise<void> {
  const viewer = window.open(viewerUrl, '_blank')
  if (viewer === null)
    throw new TraceError('The browser has blocked the window. Allow windows of this site, and try again.')
  const { origin } = new URL(viewerUrl)
  const [trace] = await Promise.all([readTrace(url), waitUntilReady(viewer, origin)])
  // To this host only, whatever the window shows by now.
  viewer.postMessage({ method: 'load', params: { trace } }, origin)
}

async function readTrace(url: string): Promise<Blob> {
  const response = await fetchContent(url)
  if (!response.ok) throw new TraceError('The trace could not be loaded. Try again, or download it.')
  return await response.blob()
}

/** The viewer says `ready` to its opener when it can take a trace. */
async function waitUntilReady(viewer: Window, expected: string): Promise<void> {
  await new Promise<void>((resolve, reject) => {
    const end = (settle: () => void) => {
      window.removeEventListener('message', receive)
      clearInterval(check)
      clearTimeout(timer)
      settle()
    }
    const fail = (message: string) => end(() => reject(new TraceError(message)))
    function receive({ source, origin, data }: MessageEvent<unknown>): void {
      if (source !== viewer || origin !== expected) return
      if ((data as { method?: unknown } | null)?.method === 'ready') end(resolve)
    }
    const check = setInterval(() => viewer.closed && fail('The window of the viewer was closed.'), 500)
    const timer = setTimeout(
      () =>
        fail(
          `The viewer at ${new URL(expected).host} does not answer. Download the trace, and open it with Playwright.`,
        ),
      READY_TIMEOUT_MS,
    )
    window.addEventListener('message', receive)
  })
}
