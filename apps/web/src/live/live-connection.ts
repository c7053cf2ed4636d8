import { type EventSourceLike, openEventStream, type StreamState } from './event-stream.ts'
import { type Channel, joinTabs } from './leader.ts'
import type { LiveEvent } from './live-events.ts'

/**
 * - `off`: the tab is hidden
 * - `polling`: no stream; the page reads changes every 15 seconds
 */
export type LiveState = 'off' | 'connecting' | 'live' | 'reconnecting' | 'polling'

/** The browser as live updates need it. */
export interface LiveBrowser {
  readonly createSource: (url: string) => EventSourceLike
  readonly locks: Pick<LockManager, 'request'> | undefined
  readonly createChannel: (name: string) => Channel
  readonly isVisible: () => boolean
  /** Dispatches `visibilitychange`. */
  readonly visibility: Pick<EventTarget, 'addEventListener' | 'removeEventListener'>
}

export interface LiveConnectionOptions {
  readonly url: string
  readonly browser: LiveBrowser
  /** Called with every change. */
  readonly onEvent: (event: LiveEvent) => void
  /**
   * Called when changes may be missing: read what has changed. Also every 15 seconds while there is no stream.
   * @param quietMs for so long nothing has changed
   */
  readonly onGap: (quietMs: number) => void
  readonly onState: (state: LiveState) => void
  readonly delays?: Partial<LiveDelays>
}

/** In milliseconds. */
export interface LiveDelays {
  /** After a tab is hidden, before it leaves the stream. */
  readonly hidden: number
  readonly poll: number
  readonly syncTimeout: number
  readonly retry: number
}

const defaultDelays: LiveDelays = { hidden: 15_000, poll: 15_000, syncTimeout: 10_000, retry: 60_000 }

type Message =
  | { readonly kind: 'state'; readonly state: StreamState }
  | { readonly kind: 'event'; readonly event: LiveEvent }

/**
 * Receives the changes of a project or run while the tab is visible. Of several visible tabs, one has the stream and passes
 * events on, because HTTP/1.1 allows six connections to a server.
 * @returns a function that ends it
 */
export function connectLive(options: LiveConnectionOptions): () => void {
  const { url, browser, onEvent, onGap, onState } = options
  const delays = { ...defaultDelays, ...options.delays }
  let leave: (() => void) | undefined
  let hiddenTimer: ReturnType<typeof setTimeout> | undefined
  let pollTimer: ReturnType<typeof setInterval> | undefined
  let streamState: StreamState = 'connecting'

  function setState(state: StreamState): void {
    streamState = state
    clearInterval(pollTimer)
    if (state !== 'unavailable') return onState(state)
    onState('polling')
    onGap(0)
    pollTimer = setInterval(() => onGap(0), delays.poll)
  }
  function handle(message: Message): void {
    if (message.kind === 'state') {
      // The leader greets all tabs when one joins.
      if (message.state !== streamState) setState(message.state)
      return
    }
    if (message.event.name === 'sync') onGap(message.event.data.quiet_ms ?? 0)
    else onEvent(message.event)
  }
  function join(): void {
    if (leave !== undefined) return
    streamState = 'connecting'
    onState('connecting')
    let hasJoined = false
    leave = joinTabs<Message>({
      name: `caseward:live:${url}`,
      locks: browser.locks,
      createChannel: browser.createChannel,
      lead: (send) => {
        const forward = (message: Message) => {
          handle(message)
          send(message)
        }
        return openEventStream({
          url,
          createSource: browser.createSource,
          syncTimeoutMs: delays.syncTimeout,
          retryMs: delays.retry,
          onEvent: (event) => forward({ kind: 'event', event }),
          onState: (state) => {
            setState(state)
            send({ kind: 'state', state })
          },
        })
      },
      onMessage(message) {
        // Between reading the page's data and joining, events went to the other tabs only.
        if (!hasJoined) {
          hasJoined = true
          if (message.kind !== 'event' || message.event.name !== 'sync') onGap(0)
        }
        handle(message)
      },
      getGreeting: () => ({ kind: 'state', state: streamState }),
    })
  }
  function stop(): void {
    clearInterval(pollTimer)
    leave?.()
    leave = undefined
  }
  function onVisibility(): void {
    clearTimeout(hiddenTimer)
    if (browser.isVisible()) return join()
    hiddenTimer = setTimeout(() => {
      stop()
      onState('off')
    }, delays.hidden)
  }

  browser.visibility.addEventListener('visibilitychange', onVisibility)
  if (browser.isVisible()) join()
  return () => {
    browser.visibility.removeEventListener('visibilitychange', onVisibility)
    clearTimeout(hiddenTimer)
    stop()
  }
}

/** What the header says. */
export const liveWords: Readonly<Record<LiveState, string>> = {
  off: 'Paused',
  connecting: 'Connecting…',
  live: 'Live',
  reconnecting: 'Reconnecting…',
  polling: 'Updated every 15 seconds',
}
