import { type DestinationStream, type Logger, pino } from 'pino'
import { PinoPretty } from 'pino-pretty'

/** JSON lines, or lines for people when the output is a terminal. */
export function createLog(level: string): Logger {
  const stream: DestinationStream = process.stdout.isTTY
    ? PinoPretty({ ignore: 'pid,hostname', translateTime: 'HH:MM:ss', singleLine: true })
    : pino.destination(1)
  return pino({ level }, stream)
}
