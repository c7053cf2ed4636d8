import type { Unreachable } from '@caseward/client'

const PROXY_AUTHENTICATION_REQUIRED = 407

/**
 * Says whether a request without a response used a proxy, and what to set.
 * @returns one sentence
 */
export function describeProxyUse({ origin, proxy }: Pick<Unreachable, 'origin' | 'proxy'>): string {
  const variable = origin?.startsWith('http:') ? 'HTTP_PROXY' : 'HTTPS_PROXY'
  const server = origin?.replace(/^\w+:\/\//, '') ?? 'the server'
  const host = server.replace(/:\d+$/, '')
  if (proxy === null) return `No proxy was used: if this network requires one, set ${variable}.`
  if (proxy.problem === 'unreachable') {
    return `The proxy ${proxy.address} is not reachable: check ${variable}, or add ${host} to NO_PROXY to connect without it.`
  }
  if (proxy.status === PROXY_AUTHENTICATION_REQUIRED) {
    return `The proxy ${proxy.address} requires a user name and password (407): set ${variable} to http://user:password@${proxy.address}.`
  }
  if (proxy.problem === 'rejected') {
    return `The proxy ${proxy.address} refused to connect to ${server} (${proxy.status ?? 'no status'}): allow it there, or add ${host} to NO_PROXY to connect without it.`
  }
  return `The proxy ${proxy.address} was used: to connect without it, add ${host} to NO_PROXY.`
}
