import ipaddr from 'ipaddr.js'

/**
 * Fastify's setting that trusts the last `proxyCount` entries of `X-Forwarded-For`; the client may have written the ones
 * before them. Given the bare number, Fastify trusts none, because a client that bypasses the proxies could forge them:
 * whoever sets the number has to prevent that.
 */
export const trustProxies =
  (proxyCount: number) =>
  (_address: string, hop: number): boolean =>
    hop < proxyCount

/** Returns the rate limit key of an address: of IPv6 the /64 network, because one client commonly has all of it. */
export function getClientKey(address: string): string {
  if (!ipaddr.isValid(address)) return address
  const ip = ipaddr.process(address) // an IPv4-mapped IPv6 address becomes IPv4
  if (ip instanceof ipaddr.IPv4) return ip.toString()
  const network = ip.parts.slice(0, 4).map((part) => part.toString(16))
  return `${network.join(':')}::/64`
}
