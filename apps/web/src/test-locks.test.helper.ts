/** `navigator.locks` for tests: Node.js 20 has none. Several "tabs" share one object. */
export class TestLocks {
  readonly #queues = new Map<string, Promise<unknown>>()

  readonly request = (async (name: string, options: { signal?: AbortSignal }, task: () => Promise<unknown>) => {
    const { signal } = options
    const previous = this.#queues.get(name) ?? Promise.resolve()
    const aborted = new Promise<never>((_, reject) => {
      signal?.addEventListener('abort', () => reject(signal.reason), { once: true })
    })
    // A request that is aborted while it waits never runs.
    const run = previous.catch(() => {}).then(() => (signal?.aborted ? undefined : task()))
    this.#queues.set(name, run)
    const isWaiting = Promise.race([previous.catch(() => {}), aborted])
    await isWaiting
    return await run
  }) as unknown as LockManager['request']

  get manager(): LockManager {
    return { request: this.request, query: async () => ({}) }
  }
}
