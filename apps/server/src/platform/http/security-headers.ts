import { IncomingMessage, ServerResponse } from 'node:http'
import { Socket } from 'node:net'

import helmet from 'helmet'

import type { App } from './app.ts'

const YEAR_SECONDS = 365 * 24 * 60 * 60

/** The two sets of security headers, each by name. */
export interface SecurityHeaders {
  pages: Record<string, string>
  api: Record<string, string>
}

/**
 * Security headers. Pages get Helmet's. The API answers data, not pages: it gets the few that bear on data. Both sets
 * are made once and not for each request. What would send people to an HTTPS address that nobody serves (a first try, a
 * test machine) is left out unless `PUBLIC_URL` is HTTPS.
 */
export function createSecurityHeaders({ publicUrl }: { publicUrl: string | null }): SecurityHeaders {
  const isHttps = publicUrl?.startsWith('https:') ?? false
  return {
    pages: helmetHeaders(isHttps),
    api: {
      'cache-control': 'no-store',
      'content-security-policy': "default-src 'none'; frame-ancestors 'none'",
      'x-content-type-options': 'nosniff',
      ...(isHttps ? { 'strict-transport-security': `max-age=${YEAR_SECONDS}; includeSubDomains` } : {}),
    },
  }
}

/** Sets them on what is answered by a route, or by its absence. */
export function setSecurityHeaders(app: App, { pages, api }: SecurityHeaders): void {
  app.addHook('onRequest', (request, reply, done) => {
    void reply.headers(request.url.startsWith('/v1') ? api : pages)
    done()
  })
}

/** What Helmet sets on an answer. It sets the same on every one. */
function helmetHeaders(isHttps: boolean): Record<string, string> {
  const setHeaders = helmet({
    strictTransportSecurity: isHttps ? { maxAge: YEAR_SECONDS } : false,
    contentSecurityPolicy: { directives: { 'upgrade-insecure-requests': isHttps ? [] : null } },
  })
  const request = new IncomingMessage(new Socket())
  const response = new ServerResponse(request)
  setHeaders(request, response, () => {})
  return Object.fromEntries(Object.entries(response.getHeaders()).map(([name, value]) => [name, String(value)]))
}
