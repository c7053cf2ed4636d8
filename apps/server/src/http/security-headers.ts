import fastifyHelmet from '@fastify/helmet'

import type { App } from './request.ts'

const YEAR_SECONDS = 365 * 24 * 60 * 60

/**
 * Security headers. Pages get Helmet's. The API answers data, not pages: it gets the few that bear on data, made once
 * and not for each request. What would send people to an HTTPS address that nobody serves (a first try, a test
 * machine) is left out unless `PUBLIC_URL` is HTTPS.
 */
export async function setSecurityHeaders(app: App, { publicUrl }: { publicUrl: string | null }): Promise<void> {
  const isHttps = publicUrl?.startsWith('https:') ?? false
  const ofData = {
    'cache-control': 'no-store',
    'content-security-policy': "default-src 'none'; frame-ancestors 'none'",
    'x-content-type-options': 'nosniff',
    ...(isHttps ? { 'strict-transport-security': `max-age=${YEAR_SECONDS}; includeSubDomains` } : {}),
  }
  await app.register(fastifyHelmet, {
    global: false,
    strictTransportSecurity: isHttps ? { maxAge: YEAR_SECONDS } : false,
    contentSecurityPolicy: { directives: { 'upgrade-insecure-requests': isHttps ? [] : null } },
  })
  app.addHook('onRequest', (request, reply, done) => {
    if (request.url.startsWith('/v1')) void reply.headers(ofData)
    else void reply.helmet()
    done()
  })
}
