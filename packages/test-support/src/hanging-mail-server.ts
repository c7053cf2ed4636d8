import { once } from 'node:events'
import { type AddressInfo, createServer, type Socket } from 'node:net'

/** When the mail server stops to respond. With 'and drips' it sends continuation lines forever. */
export type HangStage = 'from the start' | 'after its greeting' | 'at DATA' | 'after the mail' | 'and drips'

export interface HangingMailServer {
  url: string
  /** Returns the number of connections so far. */
  connections(): number
  /** Returns the number of open connections. */
  open(): number
  close(): Promise<void>
}

const DRIP_MS = 20

/** Starts a mail server that accepts connections and then hangs. */
export async function startHangingMailServer(hang: HangStage = 'from the start'): Promise<HangingMailServer> {
  const sockets = new Set<Socket>()
  let count = 0
  const server = createServer((socket) => {
    count += 1
    sockets.add(socket)
    // A socket reports its end only while it is read.
    socket
      .resume()
      .on('error', () => {})
      .once('close', () => sockets.delete(socket))
    if (hang !== 'from the start') respond(socket, hang)
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  return {
    url: `smtp://127.0.0.1:${(server.address() as AddressInfo).port}`,
    connections: () => count,
    open: () => sockets.size,
    close: async () => {
      for (const socket of sockets) socket.destroy()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}

/** Accepts every command until the server hangs. */
function respond(socket: Socket, hang: HangStage): void {
  socket.write('220 mail.example.test\r\n')
  if (hang === 'after its greeting') return
  if (hang === 'and drips') {
    const dripping = setInterval(() => void socket.write('250-and so on\r\n'), DRIP_MS)
    socket.once('close', () => clearInterval(dripping))
    return
  }
  socket.setEncoding('utf8').on('data', (text: string) => {
    for (const line of text.split('\r\n').filter(Boolean)) {
      if (/^(?:EHLO|MAIL|RCPT)/.test(line)) socket.write('250 go on\r\n')
      if (line === 'DATA' && hang === 'after the mail') socket.write('354 go on\r\n')
    }
  })
}
