import type { App } from './app.ts'

declare module 'fastify' {
  interface FastifyRequest {
    /**
     * Called once with the serialized response, success or error, before it is compressed and sent. Returns what is sent
     * instead. When it fails, its error is sent.
     */
    beforeSend: ((reply: FastifyReply, payload: unknown) => Promise<unknown>) | null
  }
}

/** Calls what a request has asked for before its response is sent. Must be registered before the compression. */
export function callBeforeSend(app: App): void {
  app.decorateRequest('beforeSend', null)
  app.addHook('onSend', (request, reply, payload, done) => {
    const { beforeSend } = request
    if (beforeSend === null) {
      done()
      return
    }
    request.beforeSend = null
    void passOn(beforeSend(reply, payload), done)
  })
}

/** Calls back outside of any `catch`: what follows must not be taken for an error of the result. */
async function passOn(result: Promise<unknown>, done: (error: Error | null, result?: unknown) => void): Promise<void> {
  let error: Error | null = null
  const sent = await result.catch((reason: Error) => {
    error = reason
  })
  done(error, sent)
}
