import { isIPv6 } from 'node:net'

/**
 * Fastify's setting for which addresses of `X-Forwarded-For` are believed: those that so many proxies added, each the
 * one it was asked from. What stands before them the client may have written itself. Given the bare number, Fastify
 * believes none, since anybody who reaches the service around the proxies may write as many; whoever sets it keeps them
 * from that.
 */
export const trustProxies =
  (count: number) =>
  (_address: string, hop: number): boolean =>
    hop < count

/**
 * Whom requests from an address count against. Of IPv6 the first 64 bits: whoever has one such address commonly has
 * all of those, and could take a new one for each try.
 */
export function getClientKey(address: string): string {
  const mapped = /^::ffff:(\d+\.\d+\.\d+\.\d+)$/i.exec(address)?.[1]
  if (mapped !== undefined) return mapped
  if (!isIPv6(address)) return address
  const [before = '', after] = (address.split('%', 1)[0] ?? '').split('::')
  const left = before.split(':').filter(Boolean)
  const right = (after ?? '').split(':').filter(Boolean)
  // A dotted end stands for two groups.
  const groupCount = (groups: string[]) => groups.length + (groups.at(-1)?.includes('.') === true ? 1 : 0)
  const gap = after === undefined ? 0 : 8 - groupCount(left) - groupCount(right)
  const groups = [...left, ...Array.from({ length: gap }, () => '0'), ...right].slice(0, 4)
  return `${groups.map((group) => Number.parseInt(group, 16).toString(16)).join(':')}::/64`
}
