import type { App } from './app.ts'
import { Problem } from './problems.ts'

/**
 * Rejects requests with several `Host` headers, as RFC 9112 (section 3.2) requires: a proxy could have checked another one
 * than the service uses.
 */
export function rejectRepeatedHost(app: App): void {
  app.addHook('onRequest', (request, _reply, done) => {
    // Node's `headers` contains only the first one.
    const { rawHeaders } = request.raw
    let count = 0
    for (let at = 0; at < rawHeaders.length; at += 2) {
      const name = rawHeaders[at]
      if (name?.length === 4 && name.toLowerCase() === 'host') count += 1
    }
    done(count > 1 ? repeatedHostProblem() : undefined)
  })
}

const repeatedHostProblem = () =>
  new Problem(400, 'malformed_request', 'The request has several Host headers. Send exactly one.')
