import { type LiveEvent, liveEventNames, parseLiveEvent } from './live-events.ts'

/** What this app uses of `EventSource`. */
export interface EventSourceLike {
  readonly readyState: number
  addEventListener(name: string, listener: (event: Event) => void): void
  close(): void
}

/**
 * State of a stream.
 *
 * - `connecting`: waiting for the first `sync`
 * - `live`: changes arrive
 * - `reconnecting`: the connection was lost, and the browser opens it again
 * - `unavailable`: the server refuses streams, or a proxy holds them back
 */
export type StreamState = 'connecting' | 'live' | 'reconnecting' | 'unavailable'

export interface EventStreamOptions {
  readonly url: string
  readonly createSource: (url: string) => EventSourceLike
  readonly onEvent: (event: LiveEvent) => void
  readonly onState: (state: StreamState) => void
  /** How long to wait for `sync`. */
  readonly syncTimeoutMs?: number
  /** How long to wait before an unavailable stream is tried again. */
  readonly retryMs?: number
}

const CLOSED = 2

/**
 * Opens a stream of events and keeps it open. The state is `connecting` at first.
 * @returns a function that closes it
 */
export function openEventStream(options: EventStreamOptions): () => void {
  const { url, createSource, onEvent, onState, syncTimeoutMs = 10_000, retryMs = 60_000 } = options
  let source: EventSourceLike | undefined
  let timer: ReturnType<typeof setTimeout> | undefined
  let isClosed = false

  function waitForSync(): void {
    clearTimeout(timer)
    // A proxy that buffers keeps the connection open and passes nothing on. It would block one of six connections.
    timer = setTimeout(giveUp, syncTimeoutMs)
  }
  function giveUp(): void {
    source?.close()
    source = undefined
    onState('unavailable')
    clearTimeout(timer)
    timer = setTimeout(open, retryMs)
  }
  function handleMessage(name: (typeof liveEventNames)[number], message: Event): void {
    const { data, lastEventId } = message as MessageEvent<string>
    const event = parseLiveEvent(name, data, lastEventId)
    if (isClosed || event === null) return
    if (name === 'sync') {
      clearTimeout(timer)
      onState('live')
    }
    onEvent(event)
  }
  function open(): void {
    if (isClosed) return
    const opened = createSource(url)
    source = opened
    for (const name of liveEventNames) {
      opened.addEventListener(name, (message) => {
        if (source === opened) handleMessage(name, message)
      })
    }
    opened.addEventListener('error', () => {
      if (isClosed || source !== opened) return
      // The browser does not try again after a response other than 200, such as 503 for too many streams.
      if (opened.readyState === CLOSED) return giveUp()
      onState('reconnecting')
      waitForSync()
    })
    waitForSync()
  }

  open()
  return () => {
    isClosed = true
    clearTimeout(timer)
    source?.close()
  }
}
