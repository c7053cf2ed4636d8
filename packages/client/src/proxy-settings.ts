import { BlockList, isIP } from 'node:net'

type EnvironmentVariables = Readonly<Record<string, string | undefined>>

/** The variables that name a proxy, by the protocol of the server. The first that is set is used. */
const PROXY_VARIABLES: Readonly<Record<string, readonly string[]>> = {
  'https:': ['https_proxy', 'HTTPS_PROXY', 'all_proxy', 'ALL_PROXY'],
  'http:': ['http_proxy', 'HTTP_PROXY', 'all_proxy', 'ALL_PROXY'],
}

const DEFAULT_PORTS: Readonly<Record<string, string>> = { 'https:': '443', 'http:': '80' }

/**
 * Finds the proxy for a server in `HTTPS_PROXY` or `HTTP_PROXY`, by the protocol of the server, and `NO_PROXY`. Lower-case
 * names work, too, and come first.
 * @returns null if the server is to be reached directly
 * @throws {TypeError} when the variable is not the address of an HTTP proxy; the message does not contain the address
 */
export function findProxy(server: URL, env: EnvironmentVariables): URL | null {
  const variable = PROXY_VARIABLES[server.protocol]?.find((name) => (env[name] ?? '').trim() !== '')
  if (variable === undefined || isExcluded(server, env['no_proxy'] || env['NO_PROXY'] || '')) return null
  const value = (env[variable] ?? '').trim()
  const proxy = parseUrl(value.includes('://') ? value : `http://${value}`)
  if (proxy === null || !/^https?:$/.test(proxy.protocol)) {
    throw new TypeError(
      `Invalid ${variable}: it must be the address of an HTTP proxy, such as http://user:password@proxy.example.com:3128.`,
    )
  }
  return proxy
}

function parseUrl(address: string): URL | null {
  try {
    return new URL(address)
  } catch {
    return null
  }
}

/** Returns host and port of an address, such as `caseward.example.com:443`. */
export const getHostAndPort = (url: URL): string => `${url.hostname}:${getPort(url)}`

export const getPort = ({ protocol, port }: URL): string => port || (DEFAULT_PORTS[protocol] ?? '')

/** Returns the host name as DNS and sockets need it: IPv6 addresses without brackets. */
export const getHost = ({ hostname }: URL): string => hostname.replace(/^\[(.*)\]$/, '$1')

/**
 * Whether `NO_PROXY` contains the server. An entry is `*`, a domain, which includes its subdomains, an IP address or a range
 * of addresses (`10.0.0.0/8`); domains and addresses may have a port (`[::1]:8080`).
 */
function isExcluded(server: URL, noProxy: string): boolean {
  const host = getHost(server).toLowerCase().replace(/\.$/, '')
  return noProxy
    .split(/[\s,]+/)
    .filter((entry) => entry !== '')
    .some((entry) => matches(entry.toLowerCase(), host, getPort(server)))
}

function matches(entry: string, host: string, port: string): boolean {
  if (entry === '*') return true
  if (entry.includes('/')) return isInRange(entry, host)
  const { name, entryPort } = splitEntry(entry)
  if (entryPort !== '' && entryPort !== port) return false
  if (isIP(name) !== 0) return isSameAddress(name, host)
  const domain = name.replace(/^\*?\./, '').replace(/\.$/, '')
  return domain !== '' && (host === domain || host.endsWith(`.${domain}`))
}

/** Splits an entry into name and port. An IPv6 address has a port only in brackets. */
function splitEntry(entry: string): { name: string; entryPort: string } {
  const [, address, addressPort = ''] = /^\[([^\]]*)\](?::(\d+))?$/.exec(entry) ?? []
  if (address !== undefined) return { name: address, entryPort: addressPort }
  if (isIP(entry) === 6) return { name: entry, entryPort: '' }
  const [, name = entry, entryPort = ''] = /^(.*):(\d+)$/.exec(entry) ?? []
  return { name, entryPort }
}

const getFamily = (address: string) => (isIP(address) === 6 ? 'ipv6' : 'ipv4')

/** Compares addresses by value: `::1` is `0:0:0:0:0:0:0:1`. */
function isSameAddress(address: string, host: string): boolean {
  if (isIP(host) === 0) return false
  const list = new BlockList()
  list.addAddress(address, getFamily(address))
  return list.check(host, getFamily(host))
}

function isInRange(range: string, host: string): boolean {
  const [, address = '', bits = ''] = /^\[?([^\]/]+)\]?\/(\d{1,3})$/.exec(range) ?? []
  const maxBits = isIP(address) === 6 ? 128 : 32
  if (isIP(address) === 0 || isIP(host) === 0 || Number(bits) > maxBits) return false
  const list = new BlockList()
  list.addSubnet(address, Number(bits), getFamily(address))
  return list.check(host, getFamily(host))
}
