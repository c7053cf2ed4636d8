import { once } from 'node:events'
import type { AddressInfo } from 'node:net'

import { SMTPServer } from 'smtp-server'
import { onTestFinished } from 'vitest'

/** An email as it came over the wire. */
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
  /** Refuses every recipient with this text. */
  refuse?: string
  /** Refuses the credentials (AUTH) or the recipient (RCPT) with a message that repeats the credentials. */
  repeatCredentials?: 'at AUTH' | 'at RCPT'
}

/** Starts a real SMTP server on a free port; by default it accepts every email and all credentials. */
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
      if (repeatCredentials === 'at AUTH') done(smtpError(535, `5.7.8 Who are you? AUTH ${credentials}`))
      else done(null, { user: username })
    },
    onRcptTo: (_address, _session, done) => {
      const message = repeatCredentials === 'at RCPT' ? `5.7.1 Not for AUTH ${credentials}` : refuse
      if (message === undefined) done()
      else done(smtpError(550, message))
    },
    onData: (stream, session, done) => {
      let raw = ''
      stream.setEncoding('utf8').on('data', (text: string) => {
        raw += text
      })
      stream.on('end', () => {
        const { mailFrom, rcptTo } = session.envelope
        const from = mailFrom === false ? '' : mailFrom.address
        received.push({ from, to: rcptTo.map(({ address }) => address), raw })
        done()
      })
    },
  })
  server.on('error', () => {})
  const listening = server.listen(port, '127.0.0.1')
  await once(listening, 'listening')
  return {
    url: `smtp://127.0.0.1:${(listening.address() as AddressInfo).port}`,
    received,
    close: () => new Promise((resolve) => server.close(resolve)),
  }
}

/** Starts an SMTP server that is closed when the current test ends. */
export async function startMailServerForTest(options: MailServerOptions = {}): Promise<MailServer> {
  const server = await startMailServer(options)
  onTestFinished(() => server.close())
  return server
}

const smtpError = (responseCode: number, message: string) => Object.assign(new Error(message), { responseCode })
