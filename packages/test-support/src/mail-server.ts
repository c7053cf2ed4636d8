import { once } from 'node:events'
import type { AddressInfo } from 'node:net'

import { SMTPServer } from 'smtp-server'

/** A mail as it came over the wire. */
export interface ReceivedMail {
  from: string
  to: string[]
  raw: string
}

export interface MailServer {
  url: string
  received: ReceivedMail[]
  close(): Promise<void>
}

export interface MailServerOptions {
  port?: number
  /** What each recipient is refused with. */
  refuse?: string
  /** What it does with what somebody signs in with: repeats it as it refuses that, or later as it refuses a recipient. */
  repeatCredentials?: 'at AUTH' | 'at RCPT'
}

/** A real SMTP server that takes every mail and whoever signs in, if not told otherwise. */
export async function startMailServer({
  port = 0,
  refuse,
  repeatCredentials,
}: MailServerOptions = {}): Promise<MailServer> {
  const received: ReceivedMail[] = []
  let credentials = ''
  const server = new SMTPServer({
    authOptional: true,
    allowInsecureAuth: true,
    disabledCommands: ['STARTTLS'],
    onAuth: ({ method, username = '', password = '' }, _session, done) => {
      credentials = `${method} ${Buffer.from(`\0${username}\0${password}`).toString('base64')} (${password})`
      if (repeatCredentials === 'at AUTH') done(refusal(535, `5.7.8 Who are you? AUTH ${credentials}`))
      else done(null, { user: username })
    },
    onRcptTo: (_address, _session, done) => {
      const said = repeatCredentials === 'at RCPT' ? `5.7.1 Not for AUTH ${credentials}` : refuse
      if (said === undefined) done()
      else done(refusal(550, said))
    },
    onData: (stream, session, done) => {
      let raw = ''
      stream.setEncoding('utf8').on('data', (text: string) => {
        raw += text
      })
      stream.on('end', () => {
        const { mailFrom, rcptTo } = session.envelope
        received.push({
          from: mailFrom === false ? '' : mailFrom.address,
          to: rcptTo.map(({ address }) => address),
          raw,
        })
        done()
      })
    },
  })
  server.on('error', () => {})
  const listening = server.listen(port, '127.0.0.1')
  await once(listening, 'listening')
  const { port: taken } = listening.address() as AddressInfo
  return {
    url: `smtp://127.0.0.1:${taken}`,
    received,
    close: () => new Promise((resolve) => server.close(resolve)),
  }
}

const refusal = (responseCode: number, said: string) => Object.assign(new Error(said), { responseCode })

/** A part of a mail as its reader sees it: headers unfolded, quoted-printable or base64 undone. */
export function getMailPart(raw: string, type: 'text/plain' | 'text/html'): string {
  const boundary = /boundary="([^"]+)"/.exec(raw)?.[1] ?? ''
  const part = raw.split(`--${boundary}`).find((one) => one.toLowerCase().includes(`content-type: ${type}`)) ?? ''
  const [head = '', ...body] = part.split('\r\n\r\n')
  const encoded = body.join('\r\n\r\n')
  if (/transfer-encoding: base64/i.test(head)) return Buffer.from(encoded, 'base64').toString('utf8')
  if (!/quoted-printable/i.test(head)) return encoded
  const bytes = encoded
    .replaceAll(/=\r\n/g, '')
    .replaceAll(/=([0-9A-F]{2})/g, (_, hex: string) => String.fromCodePoint(Number.parseInt(hex, 16)))
  return Buffer.from(bytes, 'latin1').toString('utf8')
}
