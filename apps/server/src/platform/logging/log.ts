import { constants, openSync } from 'node:fs'

import { type Logger, pino } from 'pino'

import { openLogOutput } from './log-output.ts'

/** JSON lines, or lines for people when the output is a terminal. A log that cannot be written harms nothing else. */
export async function createLog(level: string): Promise<Logger> {
  ignoreBrokenPipes()
  const isTerminal = process.stdout.isTTY
  const output = openLogOutput({
    fd: isTerminal ? openTerminal() : process.stdout.fd,
    isBuffered: !isTerminal,
    onDropped: (lines, reason) => log.warn({ lines, reason }, 'lines of this log were lost'),
  })
  const log = pino({ level }, isTerminal ? await createPrettyOutput(output) : output)
  return log
}

/**
 * Who has listened to us may be gone (`| head`, a lost connection): unheard, their error would end the process. Node
 * makes a pipe non-blocking when it opens the stream, which this does, too.
 */
function ignoreBrokenPipes(): void {
  for (const stream of [process.stdout, process.stderr]) stream.on('error', () => {})
}

/** Node's own terminal blocks: Ctrl-S, or a connection that is lost and not yet given up, would halt the service. */
function openTerminal(): number {
  try {
    return openSync('/dev/stdout', constants.O_WRONLY | constants.O_NONBLOCK | constants.O_NOCTTY)
  } catch {
    return process.stdout.fd // Windows, or a terminal that another account opened
  }
}

async function createPrettyOutput(output: { write(line: string): void }): Promise<{ write(line: string): void }> {
  const { prettyFactory } = await import('pino-pretty')
  const pretty = prettyFactory({ ignore: 'pid,hostname', translateTime: 'HH:MM:ss', singleLine: true })
  return { write: (line) => output.write(pretty(line)) }
}
