import { once } from 'node:events'
import { connect, type Socket } from 'node:net'

/** A request over a bare socket, which can be incomplete, slow or malformed. */
export interface RawRequest {
  socket: Socket
  /** Sends more of the request. Resolves when the connection can take further bytes. */
  send(bytes: string | Uint8Array): Promise<void>
  /** Resolves with the first response. Rejects when the connection is closed before there is one. */
  response: Promise<{ status: number; head: string; body: string }>
  /** Resolves when the connection is closed. */
  closed: Promise<void>
}

/** Connects to a server and sends the first lines of a request: its request line and headers. */
export function openRawRequest(url: string, lines: readonly string[]): RawRequest {
  const { hostname, port } = new URL(url)
  const socket = connect(Number(port), hostname)
  // Without a listener, a reset connection would be an uncaught error.
  socket.on('error', () => {})
  const closed = new Promise<void>((resolve) => {
    socket.once('close', () => resolve())
  })
  let received = ''
  const response = new Promise<{ status: number; head: string; body: string }>((resolve, reject) => {
    const receive = (text: string) => {
      received += text
      const complete = parseResponse(received)
      if (complete === null) return
      // Further responses of the connection are none of its concern: parsing them all again for each of their parts would
      // take time with the square of their size.
      socket.off('data', receive)
      resolve(complete)
    }
    socket.setEncoding('latin1').on('data', receive)
    socket.once('close', () => reject(new Error(`The connection was closed after: ${received}`)))
  })
  response.catch(() => {}) // a test may not be interested in it
  const send = async (bytes: string | Uint8Array) => {
    if (!socket.write(bytes)) await Promise.race([once(socket, 'drain'), closed])
  }
  void send(lines.map((line) => `${line}\r\n`).join(''))
  return { socket, send, response, closed }
}

/** Returns null until the response is complete, as far as its length is declared. */
function parseResponse(received: string) {
  const headEnd = received.indexOf('\r\n\r\n')
  if (headEnd === -1) return null
  const head = received.slice(0, headEnd)
  const body = received.slice(headEnd + 4)
  const length = Number(/^content-length: (\d+)$/im.exec(head)?.[1] ?? 0)
  return body.length < length ? null : { status: Number(head.split(' ', 2)[1]), head, body }
}
