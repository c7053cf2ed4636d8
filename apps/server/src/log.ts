import { type Logger, pino } from 'pino'

const BUFFER_BYTES = 4096
const FLUSH_MS = 500

/**
 * JSON lines, or lines for people when the output is a terminal. Lines are gathered and written together at least
 * twice a second, and when the process exits: a write for every request would cost more than the request's own log.
 */
export async function createLog(level: string): Promise<Logger> {
  if (process.stdout.isTTY) {
    const { PinoPretty } = await import('pino-pretty')
    return pino({ level }, PinoPretty({ ignore: 'pid,hostname', translateTime: 'HH:MM:ss', singleLine: true }))
  }
  const output = pino.destination({ dest: 1, sync: true, minLength: BUFFER_BYTES })
  setInterval(() => output.flushSync(), FLUSH_MS).unref()
  process.once('exit', () => output.flushSync())
  return pino({ level }, output)
}
