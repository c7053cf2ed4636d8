import type { EventSourceLike } from './event-stream.ts'

/** `EventSource` for tests over real HTTP: Node.js has none. Reconnects with `Last-Event-ID`, as browsers do. */
export class TestEventSource extends EventTarget implements EventSourceLike {
  readyState = 0
  #lastEventId = ''
  readonly #abort = new AbortController()
  readonly #url: string
  readonly #retryMs: number

  constructor(url: string, retryMs = 10) {
    super()
    this.#url = url
    this.#retryMs = retryMs
    void this.#connect()
  }

  close(): void {
    this.readyState = 2
    this.#abort.abort()
  }

  async #connect(): Promise<void> {
    try {
      const headers = this.#lastEventId === '' ? {} : { 'last-event-id': this.#lastEventId }
      const response = await fetch(this.#url, { headers, signal: this.#abort.signal })
      if (response.status !== 200 || response.body === null) {
        this.readyState = 2
        this.dispatchEvent(new Event('error'))
        return
      }
      this.readyState = 1
      await this.#read(response.body)
    } catch {
      // The connection was lost, or `close` was called.
    }
    if (this.readyState === 2) return
    this.readyState = 0
    this.dispatchEvent(new Event('error'))
    setTimeout(() => this.readyState !== 2 && void this.#connect(), this.#retryMs)
  }

  async #read(body: ReadableStream<Uint8Array>): Promise<void> {
    const decoder = new TextDecoder()
    let text = ''
    for await (const chunk of body as unknown as AsyncIterable<Uint8Array>) {
      text += decoder.decode(chunk, { stream: true })
      const blocks = text.split('\n\n')
      text = blocks.pop() ?? ''
      for (const block of blocks) this.#dispatch(block)
    }
  }

  #dispatch(block: string): void {
    const fields = new Map(
      block.split('\n').map((line) => [line.slice(0, line.indexOf(':')), line.slice(line.indexOf(':') + 2)]),
    )
    this.#lastEventId = fields.get('id') ?? this.#lastEventId
    const data = fields.get('data')
    if (data === undefined) return
    const init = { data, lastEventId: this.#lastEventId }
    this.dispatchEvent(Object.assign(new Event(fields.get('event') ?? 'message'), init))
  }
}
