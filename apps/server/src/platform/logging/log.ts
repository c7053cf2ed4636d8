import { constants, openSync } from 'node:fs'

import { type DestinationStream, type Logger, pino } from 'pino'

import { openLogOutput } from './log-output.ts'
import { serializeError } from './serialize-error.ts'

/** Creates the log: JSON lines, or colored lines for people when standard output is a terminal. */
export async function createLog(level: string): Promise<Logger> {
  ignoreBrokenPipes()
  const isTerminal = process.stdout.isTTY
  const output = openLogOutput({
    fd: isTerminal ? openTerminal() : process.stdout.fd,
    isBuffered: !isTerminal,
    onDropped: (lines, reason) => log.warn({ lines, reason }, 'log lines were dropped'),
  })
  const log = createLogger(level, isTerminal ? await createPrettyOutput(output) : output)
  return log
}

/** Creates a log that writes its lines to an output. */
export const createLogger = (level: string, output: DestinationStream): Logger =>
  pino({ level, serializers: { err: serializeError } }, output)

/**
 * Keeps the process alive when a reader is gone (`| head`, a lost connection): an unhandled error of these streams would
 * end it. To access the stream also makes a pipe non-blocking, which the log depends on.
 */
function ignoreBrokenPipes(): void {
  for (const stream of [process.stdout, process.stderr]) stream.on('error', () => {})
}

/** Opens the terminal without blocking. Node's own stream blocks: Ctrl-S or a lost connection would halt the service. */
function openTerminal(): number {
  try {
    return openSync('/dev/stdout', constants.O_WRONLY | constants.O_NONBLOCK | constants.O_NOCTTY)
  } catch {
    return process.stdout.fd // Windows, or a terminal that another account opened
  }
}

async function createPrettyOutput(output: { write(line: string): void }): Promise<{ write(line: string): void }> {
  const { prettyFactory } = await import('pino-pretty')
  const formatLine = prettyFactory({ ignore: 'pid,hostname', translateTime: 'HH:MM:ss', singleLine: true })
  return { write: (line) => output.write(formatLine(line)) }
}
