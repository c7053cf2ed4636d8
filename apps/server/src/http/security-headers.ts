import type { FastifyHelmetOptions } from '@fastify/helmet'

/**
 * Helmet's defaults, less what would send people who reach the service over plain HTTP (a first try, a test machine)
 * to an HTTPS address that nobody serves.
 */
export function securityHeaders({ publicUrl }: { publicUrl: string | null }): FastifyHelmetOptions {
  const isHttps = publicUrl?.startsWith('https:') ?? false
  return {
    strictTransportSecurity: isHttps,
    contentSecurityPolicy: { directives: { 'upgrade-insecure-requests': isHttps ? [] : null } },
  }
}
