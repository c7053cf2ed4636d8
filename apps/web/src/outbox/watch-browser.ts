/** Dispatches `online`, `focus`, `blur`, `pageshow`, `visibilitychange` and `storage`, as a window does. */
export type BrowserEvents = Pick<EventTarget, 'addEventListener' | 'removeEventListener'>

export interface BrowserWatcher {
  /** The network or the user is back. */
  readonly onWake: () => void
  /** The user may do something in another tab now, such as signing in as somebody else. */
  readonly onLeave: () => void
  /** Another tab has changed a key of storage; null for all keys. */
  readonly onStorage: (key: string | null) => void
}

/** Tells what happens to the tab. @returns a function that ends it */
export function watchBrowser(events: BrowserEvents, { onWake, onLeave, onStorage }: BrowserWatcher): () => void {
  const handlers: readonly [string, (event: Event) => void][] = [
    ['online', onWake],
    ['focus', onWake],
    ['pageshow', onWake],
    ['blur', onLeave],
    ['visibilitychange', onLeave],
    ['storage', (event) => onStorage((event as Event & { key: string | null }).key)],
  ]
  for (const [name, handler] of handlers) events.addEventListener(name, handler)
  return () => {
    for (const [name, handler] of handlers) events.removeEventListener(name, handler)
  }
}
