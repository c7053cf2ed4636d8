import { randomUUID } from 'node:crypto'
import { mkdir, rename, writeFile } from 'node:fs/promises'
import { connect, type Socket } from 'node:net'
import { join } from 'node:path'

import { redactMailError } from './mail-error.ts'

/** A mail as text and as HTML. */
export interface Mail {
  to: string
  subject: string
  text: string
  html: string
}

export interface Mailer {
  /** Sends a mail; rejects when that failed, or when it is unknown whether it succeeded. */
  send(mail: Mail, signal: AbortSignal): Promise<void>
}

/** Loads the library with the first mail, because it takes memory and many servers never send one. */
const importNodemailer = () => import('nodemailer')

/** How long sending one mail may take in total. */
const SEND_TIMEOUT_MS = 60_000

interface MailSettings {
  smtpUrl: string | null
  mailFrom: string
  dataDir: string
}

/** Creates the mailer for `SMTP_URL`; without one, mails are written to `DATA_DIR/outbox`. */
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
    async send({ to, ...mail }, stopSignal) {
      const { createTransport } = await importNodemailer()
      const deadline = createDeadline(timeoutMs, stopSignal)
      const transport = createTransport({
        url,
        // Nodemailer's own timeouts start again with every byte that arrives, so that the socket must have a deadline.
        getSocket: (options, done) => {
          const port = Number(options.port ?? (options.secure === true ? 465 : 587))
          const socket = openSocket(options.host ?? 'localhost', port, deadline.signal)
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
        deadline.cancel()
      }
    },
  }
}

/**
 * Creates a signal that is aborted after a time or when the service stops. Not `AbortSignal.any`: Node 20 collects that
 * signal as garbage with its listeners, and a server that hangs would be waited for forever.
 */
function createDeadline(timeoutMs: number, stopSignal: AbortSignal): { signal: AbortSignal; cancel: () => void } {
  const controller = new AbortController()
  const abort = () => controller.abort()
  const timer = setTimeout(abort, timeoutMs)
  if (stopSignal.aborted) abort()
  stopSignal.addEventListener('abort', abort, { once: true })
  return {
    signal: controller.signal,
    cancel: () => {
      clearTimeout(timer)
      stopSignal.removeEventListener('abort', abort)
    },
  }
}

/** Opens a connection that the signal closes. */
function openSocket(host: string, port: number, signal: AbortSignal): Socket {
  const socket = connect({ host, port })
  const abort = () => socket.destroy(new Error('the connection to the mail server timed out'))
  if (signal.aborted) abort()
  else signal.addEventListener('abort', abort, { once: true })
  return socket
}

/** Writes files that only the owner can read, because mails contain secret links. */
function createOutboxMailer(directory: string, from: string): Mailer {
  return {
    async send({ to, ...mail }) {
      const { createTransport } = await importNodemailer()
      const transport = createTransport({ streamTransport: true, buffer: true, newline: 'windows' })
      const { message } = await transport.sendMail({ from, to: { name: '', address: to }, ...mail })
      await mkdir(directory, { recursive: true, mode: 0o700 })
      const name = `${new Date().toISOString().replaceAll(':', '-')}-${randomUUID().slice(0, 8)}`
      // Renamed when complete, so that a program that watches the directory never reads half a mail.
      const temporaryFile = join(directory, `.${name}.part`)
      await writeFile(temporaryFile, message, { mode: 0o600 })
      await rename(temporaryFile, join(directory, `${name}.eml`))
    },
  }
}
