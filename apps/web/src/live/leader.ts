/** What this app uses of `BroadcastChannel`. */
export interface Channel {
  postMessage(message: unknown): void
  close(): void
  addEventListener(name: 'message', listener: (event: MessageEvent) => void): void
}

export interface LeaderOptions<Message> {
  /** Tabs with the same name elect one leader. */
  readonly name: string
  /** `navigator.locks`; undefined without HTTPS: then every tab leads itself. */
  readonly locks: Pick<LockManager, 'request'> | undefined
  readonly createChannel: (name: string) => Channel
  /** Called when this tab becomes the leader. @returns a function that is called when it stops to be */
  readonly lead: (send: (message: Message) => void) => () => void
  /** Called with each message of the leader in another tab. */
  readonly onMessage: (message: Message) => void
  /** Returns what a tab that joins must know first. */
  readonly getGreeting: () => Message
}

type Envelope<Message> = { readonly kind: 'join' } | { readonly kind: 'message'; readonly message: Message }

/**
 * Takes part in the election of a leader among the tabs of this browser.
 * @returns a function that leaves; if this tab leads, the next one takes over
 */
export function joinTabs<Message>(options: LeaderOptions<Message>): () => void {
  const { name, locks, createChannel, lead, onMessage, getGreeting } = options
  if (locks === undefined) return lead(() => {})

  const channel = createChannel(name)
  // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a channel has no target
  const post = (envelope: Envelope<Message>) => channel.postMessage(envelope)
  const abort = new AbortController()
  let isLeader = false
  let resign = () => {}

  channel.addEventListener('message', (event) => {
    const envelope = event.data as Envelope<Message>
    if (envelope.kind === 'message') {
      if (!isLeader) onMessage(envelope.message)
    } else if (isLeader) post({ kind: 'message', message: getGreeting() })
  })
  post({ kind: 'join' })

  const serve = () =>
    new Promise<void>((resolve) => {
      isLeader = true
      const stopLeading = lead((message) => post({ kind: 'message', message }))
      resign = () => {
        stopLeading()
        isLeader = false
        resolve()
      }
      if (abort.signal.aborted) resign()
    })
  // The browser releases the lock when the tab is closed or crashes.
  locks.request(name, { signal: abort.signal }, serve).catch(() => {
    // This tab has left while it waited.
  })

  return () => {
    abort.abort()
    resign()
    channel.close()
  }
}
