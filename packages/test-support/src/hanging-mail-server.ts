import { once } from 'node:events'
import { type AddressInfo, createServer, type Socket } from 'node:net'

/** How far a mail server comes before nothing of use comes from it any more; one that drips never finishes a line. */
export type HangStage = 'from the start' | 'after its greeting' | 'at DATA' | 'after the mail' | 'and drips'

export interface HangingMailServer {
  url: string
  /** How many have connected so far. */
  connections(): number
  /** How many are connected now. */
  open(): number
  close(): Promise<void>
}

const DRIP_MS = 20

/** A mail server that takes connections, and hangs. */
export async function startHangingMailServer(hang: HangStage = 'from the start'): Promise<HangingMailServer> {
  const sockets = new Set<Socket>()
  let count = 0
  const server = createServer((socket) => {
    count += 1
    sockets.add(socket)
    // Its end is seen only by who reads it.
    socket
      .resume()
      .on('error', () => {})
      .once('close', () => sockets.delete(socket))
    if (hang !== 'from the start') converse(socket, hang)
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

/** Takes every command as long as it does not hang. */
function converse(socket: Socket, hang: HangStage): void {
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
