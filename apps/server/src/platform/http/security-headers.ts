import { IncomingMessage, ServerResponse } from 'node:http'
import { Socket } from 'node:net'

import helmet from 'helmet'

import type { App } from './app.ts'

const YEAR_SECONDS = 365 * 24 * 60 * 60

/** Security headers by name. */
export interface SecurityHeaders {
  pages: Record<string, string>
  api: Record<string, string>
}

/**
 * Creates the security headers of all responses. Pages get the headers of Helmet, the API the few that apply to data.
 * Headers that redirect browsers to HTTPS are set only if `PUBLIC_URL` is HTTPS: otherwise nothing may serve it.
 */
export function createSecurityHeaders({ publicUrl }: { publicUrl: string | null }): SecurityHeaders {
  const isHttps = publicUrl?.startsWith('https:') ?? false
  return {
    pages: getHelmetHeaders(isHttps),
    api: {
      'cache-control': 'no-store',
      'content-security-policy': "default-src 'none'; frame-ancestors 'none'",
      'x-content-type-options': 'nosniff',
      ...(isHttps ? { 'strict-transport-security': `max-age=${YEAR_SECONDS}; includeSubDomains` } : {}),
    },
  }
}

/**
 * Sets the headers on every response of a route or of the not-found handler. The pattern of the route decides, because a URL
 * can be percent-encoded: `/%761/me` is `/v1/me`.
 */
export function setSecurityHeaders(app: App, { pages, api }: SecurityHeaders): void {
  app.addHook('onRequest', ({ matchedRoute: { url } }, reply, done) => {
    void reply.headers(url === null || url.startsWith('/v1') ? api : pages)
    done()
  })
}

/** Returns the headers that Helmet sets, which are the same for every response. */
function getHelmetHeaders(isHttps: boolean): Record<string, string> {
  const setHeaders = helmet({
    strictTransportSecurity: isHttps ? { maxAge: YEAR_SECONDS } : false,
    contentSecurityPolicy: {
      directives: {
        // Helmet allows inline styles, and styles and fonts of every host.
        'base-uri': ["'none'"],
        'font-src': ["'self'", 'data:'],
        'style-src': ["'self'"],
        'upgrade-insecure-requests': isHttps ? [] : null,
      },
    },
  })
  const request = new IncomingMessage(new Socket())
  const response = new ServerResponse(request)
  setHeaders(request, response, () => {})
  return Object.fromEntries(Object.entries(response.getHeaders()).map(([name, value]) => [name, String(value)]))
}
