import type { FastifyBaseLogger, FastifyInstance } from 'fastify'

/** Work that a response does not wait for: its time must not reveal what was done. */
export interface Background {
  /** Starts work. A failure is logged. */
  run(name: string, work: () => Promise<void>): void
}

/** Creates a {@link Background} whose work is done before the service is closed. */
export function createBackground(app: Pick<FastifyInstance, 'addHook'>, log: FastifyBaseLogger): Background {
  const running = new Set<Promise<void>>()
  app.addHook('onClose', async () => {
    await Promise.all(running)
  })
  return {
    run(name, work) {
      const promise = work()
        .catch((error: unknown) => log.error({ err: error }, `${name} failed`))
        .finally(() => running.delete(promise))
      running.add(promise)
    },
  }
}
