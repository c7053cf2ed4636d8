import http, { type ClientRequest, type IncomingMessage, type RequestOptions } from 'node:http'
import https from 'node:https'
import { isIP, type Socket } from 'node:net'
import { Readable } from 'node:stream'
import { connect as connectTls } from 'node:tls'

import { ProxyError } from './proxy-error.ts'
import { findProxy, getHost, getHostAndPort, getPort } from './proxy-settings.ts'

type Fetch = typeof globalThis.fetch

const PROXY_AUTHENTICATION_REQUIRED = 407

/**
 * Creates a fetch that uses the proxy of `HTTPS_PROXY`, `HTTP_PROXY` and `NO_PROXY`, which Node.js's own fetch ignores in many
 * versions. Requests without a proxy are those of {@link fetch} itself.
 * @param env the environment variables, such as `process.env`
 * @param getFetch returns the fetch for requests without a proxy
 * @param ca certificates in PEM that the servers may have instead of the well-known ones. With them, redirects are not followed
 */
export function createProxyFetch(
  env: Readonly<Record<string, string | undefined>>,
  getFetch: () => Fetch = () => globalThis.fetch,
  ca?: readonly string[],
): Fetch {
  return async (input, init = {}) => {
    const url = new URL(input instanceof Request ? input.url : input)
    const proxy = findProxy(url, env)
    if (proxy !== null)
      return await sendRequest(url, init, (options, body) => sendBy(proxy, { url, options, body, ca }))
    if (ca === undefined || url.protocol !== 'https:') return await getFetch()(input, init)
    const toError = (error: unknown) => new TypeError('fetch failed', { cause: error })
    return await sendRequest(url, init, async (options, body) =>
      toResponse(await send(https.request(url, { ...options, agent: false, ca: [...ca] }), body, toError)),
    )
  }
}

async function sendRequest(
  url: URL,
  init: RequestInit,
  sendIt: (options: RequestOptions, body: Buffer) => Promise<Response>,
): Promise<Response> {
  init.signal?.throwIfAborted()
  const { method = 'GET', signal } = init
  const request = new Response(init.body ?? null)
  const body = Buffer.from(await request.arrayBuffer())
  const headers = Object.fromEntries(new Headers(init.headers))
  const options: RequestOptions = {
    method,
    // One connection for each request: a suite sends a few.
    headers: { host: url.host, ...headers, connection: 'close', 'content-length': body.byteLength },
    signal: signal ?? undefined,
  }
  try {
    return await sendIt(options, body)
  } catch (error) {
    signal?.throwIfAborted()
    throw error
  }
}

interface ProxiedRequest {
  readonly url: URL
  readonly options: RequestOptions
  readonly body: Buffer
  readonly ca: readonly string[] | undefined
}

async function sendBy(proxy: URL, request: ProxiedRequest): Promise<Response> {
  const { url } = request
  const message =
    url.protocol === 'https:' ? await sendThroughTunnel(proxy, request) : await sendToProxy(proxy, request)
  if (message.statusCode === PROXY_AUTHENTICATION_REQUIRED) {
    message.destroy()
    throw createRejection(proxy, url, PROXY_AUTHENTICATION_REQUIRED)
  }
  return toResponse(message)
}

async function sendThroughTunnel(proxy: URL, { url, options, body, ca }: ProxiedRequest): Promise<IncomingMessage> {
  const createConnection = await openTunnel(url, proxy, options.signal, ca)
  const toError = (error: unknown) =>
    new ProxyError('The request failed behind the proxy', describe(proxy, null), error)
  // `createConnection` is only used without an agent.
  return await send(https.request(url, { ...options, createConnection }), body, toError)
}

const getClient = ({ protocol }: URL) => (protocol === 'https:' ? https : http)

/** Options of a connection to the proxy itself. */
const toProxyOptions = (proxy: URL): RequestOptions => ({
  host: getHost(proxy),
  port: getPort(proxy),
  // An address is not a valid name for TLS.
  ...(isIP(getHost(proxy)) === 0 ? { servername: getHost(proxy) } : {}),
})

/** A request for an http server, which names the complete address. */
function sendToProxy(proxy: URL, { url, options, body }: ProxiedRequest): Promise<IncomingMessage> {
  const request = getClient(proxy).request({
    ...options,
    ...toProxyOptions(proxy),
    agent: false,
    path: `${url.origin}${url.pathname}${url.search}`,
    headers: { ...(options.headers as Record<string, string>), ...getAuthorization(proxy) },
  })
  return send(request, body, watchConnection(request, proxy))
}

/** Asks the proxy for a connection to an https server, and starts TLS on it. */
async function openTunnel(
  url: URL,
  proxy: URL,
  signal: AbortSignal | undefined,
  ca: readonly string[] | undefined,
): Promise<() => Socket> {
  const target = getHostAndPort(url)
  const request = getClient(proxy).request({
    ...toProxyOptions(proxy),
    method: 'CONNECT',
    path: target,
    headers: { host: target, ...getAuthorization(proxy) },
    signal,
    agent: false,
  })
  const toError = watchConnection(request, proxy)
  const socket = await new Promise<Socket>((resolve, reject) => {
    request.on('error', (error) => reject(toError(error)))
    request.once('connect', ({ statusCode = 0 }: IncomingMessage, connection: Socket) => {
      if (statusCode >= 200 && statusCode < 300) return resolve(connection)
      connection.destroy()
      return reject(createRejection(proxy, url, statusCode))
    })
    request.end()
  })
  const host = getHost(url)
  const trusted = ca === undefined ? {} : { ca: [...ca] }
  return () => connectTls({ socket, ...trusted, ...(isIP(host) === 0 ? { servername: host } : { host }) })
}

/** Returns a function that converts errors: before the connection exists, the proxy itself is unreachable. */
function watchConnection(request: ClientRequest, proxy: URL): (error: unknown) => ProxyError {
  let isConnected = false
  request.once('socket', (socket) => {
    socket.once(proxy.protocol === 'https:' ? 'secureConnect' : 'connect', () => {
      isConnected = true
    })
  })
  return (error) => {
    const message = isConnected ? 'The request failed behind the proxy' : 'The proxy is not reachable'
    return new ProxyError(message, describe(proxy, isConnected ? null : 'unreachable'), error)
  }
}

function send(request: ClientRequest, body: Buffer, toError: (error: unknown) => Error): Promise<IncomingMessage> {
  return new Promise((resolve, reject) => {
    request.once('response', resolve)
    request.on('error', (error) => reject(toError(error)))
    request.end(body)
  })
}

/** Statuses whose responses must not have a body. */
const emptyStatuses = new Set([204, 205, 304])

function toResponse(message: IncomingMessage): Response {
  const { statusCode: status = 502, statusMessage: statusText = '', rawHeaders } = message
  const headers = new Headers()
  for (let index = 0; index + 1 < rawHeaders.length; index += 2) {
    headers.append(rawHeaders[index] ?? '', rawHeaders[index + 1] ?? '')
  }
  if (emptyStatuses.has(status)) message.resume()
  const body = emptyStatuses.has(status) ? null : (Readable.toWeb(message) as ReadableStream<Uint8Array>)
  return new Response(body, { status, statusText, headers })
}

const describe = (proxy: URL, problem: ProxyError['proxy']['problem'], status: number | null = null) => ({
  address: getHostAndPort(proxy),
  problem,
  status,
})

const createRejection = (proxy: URL, url: URL, status: number): ProxyError =>
  new ProxyError(
    `The proxy refused to connect to ${getHostAndPort(url)} (${status})`,
    describe(proxy, 'rejected', status),
  )

/** The user name and password of the proxy's address. */
function getAuthorization({ username, password }: URL): Record<string, string> {
  if (username === '' && password === '') return {}
  const credentials = `${decode(username)}:${decode(password)}`
  return { 'proxy-authorization': `Basic ${Buffer.from(credentials).toString('base64')}` }
}

/** Decodes a part of an address; a text with a stray percent sign stays as it is. */
function decode(text: string): string {
  try {
    return decodeURIComponent(text)
  } catch {
    return text
  }
}
