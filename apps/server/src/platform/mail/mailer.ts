import { randomUUID } from 'node:crypto'
import { mkdir, rename, writeFile } from 'node:fs/promises'
import { connect, type Socket } from 'node:net'
import { join } from 'node:path'

import { redactMailError } from './mail-error.ts'

/** A mail to one person, in both forms. */
export interface Mail {
  to: string
  subject: string
  text: string
  html: string
}

export interface Mailer {
  /** Hands a mail over; rejects when that did not succeed, or nobody knows whether it did. */
  send(mail: Mail, signal: AbortSignal): Promise<void>
}

/** Loaded with the first mail: many a server never sends one, and it takes memory. */
const nodemailer = () => import('nodemailer')

/** How long handing one mail over may take in all. */
const SEND_TIMEOUT_MS = 60_000

interface MailSettings {
  smtpUrl: string | null
  mailFrom: string
  dataDir: string
}

/** Mails go out through `SMTP_URL`; without one they are written to `DATA_DIR/outbox`. */
export function createMailer(
  { smtpUrl, mailFrom, dataDir }: MailSettings,
  { timeoutMs = SEND_TIMEOUT_MS }: { timeoutMs?: number } = {},
): Mailer {
  return smtpUrl === null
    ? createOutboxMailer(join(dataDir, 'outbox'), mailFrom)
    : createSmtpMailer(smtpUrl, mailFrom, timeoutMs)
}

function createSmtpMailer(url: string, from: string, timeoutMs: number): Mailer {
  return {
    async send({ to, ...mail }, stop) {
      const { createTransport } = await nodemailer()
      const limit = createDeadline(timeoutMs, stop)
      const transport = createTransport({
        url,
        // Nodemailer's own limits begin anew with every byte that comes. Whoever holds the socket can end it.
        getSocket: (options, done) => {
          const port = Number(options.port ?? (options.secure === true ? 465 : 587))
          const socket = openSocket(options.host ?? 'localhost', port, limit.signal)
          socket.once('error', (error) => done(error, false))
          socket.once('connect', () => {
            socket.removeAllListeners('error').on('error', () => {})
            done(null, { connection: socket })
          })
        },
      })
      try {
        await transport.sendMail({ from, to: { name: '', address: to }, ...mail })
      } catch (error) {
        throw redactMailError(error, url)
      } finally {
        limit.end()
      }
    },
  }
}

/**
 * Aborts after a time, or when the service stops. `AbortSignal.any` of both would not do: Node 20 collects it as garbage,
 * with what listens to it, and a server that hangs is then waited for without end.
 */
function createDeadline(timeoutMs: number, stop: AbortSignal): { signal: AbortSignal; end: () => void } {
  const limit = new AbortController()
  const giveUp = () => limit.abort()
  const timer = setTimeout(giveUp, timeoutMs)
  if (stop.aborted) giveUp()
  stop.addEventListener('abort', giveUp, { once: true })
  return {
    signal: limit.signal,
    end: () => {
      clearTimeout(timer)
      stop.removeEventListener('abort', giveUp)
    },
  }
}

/** A connection that lives no longer than the signal lets it. */
function openSocket(host: string, port: number, signal: AbortSignal): Socket {
  const socket = connect({ host, port })
  const giveUp = () => socket.destroy(new Error('the mail server took too long'))
  if (signal.aborted) giveUp()
  else signal.addEventListener('abort', giveUp, { once: true })
  return socket
}

/** Only its owner reads it: links in mails open doors. */
function createOutboxMailer(folder: string, from: string): Mailer {
  return {
    async send({ to, ...mail }) {
      const { createTransport } = await nodemailer()
      const transport = createTransport({ streamTransport: true, buffer: true, newline: 'windows' })
      const { message } = await transport.sendMail({ from, to: { name: '', address: to }, ...mail })
      await mkdir(folder, { recursive: true, mode: 0o700 })
      const name = `${new Date().toISOString().replaceAll(':', '-')}-${randomUUID().slice(0, 8)}`
      // Whoever watches the folder never sees half a mail.
      const unfinished = join(folder, `.${name}.part`)
      await writeFile(unfinished, message, { mode: 0o600 })
      await rename(unfinished, join(folder, `${name}.eml`))
    },
  }
}
