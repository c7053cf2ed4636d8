import { spawn, type ChildProcess } from 'node:child_process'
import { createInterface } from 'node:readline'
import { Socket } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import { Client } from 'pg'
import { program, type Binaries } from './binaries.ts'
import { getErrorCode, EmbeddedPostgresError, getErrorMessage, type EmbeddedLog } from './error.ts'
import { postgresProgramError } from './failures.ts'
import type { DataDirectory } from './data-directory.ts'
import { run, spawnOptions } from './run-program.ts'
import { fixedSettings, settingArguments } from './settings.ts'

/** How the service reaches its database; what `pg` takes. */
export interface Connection {
  /** The folder of the Unix socket, or 127.0.0.1. */
  host: string
  port: number
  user: string
  password: string
  database: string
}

/** PostgreSQL's main process, ready for connections. */
export interface Postmaster {
  pid: number
  /** Resolves when the process is gone, wanted or not, with how it ended. */
  ended: Promise<string>
}

export interface PostmasterOptions {
  home: DataDirectory
  binaries: Binaries
  connection: Connection
  log: EmbeddedLog
  /** Stops it, also while it is still on its way up. */
  signal: AbortSignal
}

/**
 * Starts PostgreSQL and resolves when it answers; however long it takes to recover, as long as it is alive.
 *
 * @throws EmbeddedPostgresError when it ends instead
 */
export async function startPostmaster(options: PostmasterOptions): Promise<Postmaster> {
  // When the main process was killed, the others see it within moments, and PostgreSQL doesn't start until they are gone.
  const giveUp = Date.now() + 15_000
  for (;;) {
    const { postmaster, outputLines, stop } = launch(options)
    const how = await waitUntilReady(options, postmaster).catch(async (error: unknown) => {
      await stop()
      throw error
    })
    if (how === ready) return postmaster
    const output = outputLines.join('\n')
    const isWaiting = /pre-existing shared memory block/.test(output) && !options.signal.aborted && Date.now() < giveUp
    if (!isWaiting) throw postgresProgramError(how, output, options.home.directory)
    await sleep(50)
  }
}

function launch(options: PostmasterOptions): {
  postmaster: Postmaster
  outputLines: string[]
  stop: () => Promise<void>
} {
  const { home, binaries, connection } = options
  const child = spawn(
    program(binaries, 'postgres'),
    ['-D', home.cluster, '-p', String(connection.port), ...settingArguments(fixedSettings(connection.host))],
    {
      ...spawnOptions(home.account),
      // In a session of its own: Ctrl-C goes to everything on the terminal, and we still have requests to finish then.
      detached: true,
      stdio: ['ignore', 'ignore', 'pipe'],
    },
  )
  // Alone it must not keep us alive: when everything else has ended, so do we, and the handler below takes it along.
  child.unref()
  if (child.stderr instanceof Socket) child.stderr.unref()
  const outputLines: string[] = []
  if (child.stderr) createInterface(child.stderr).on('line', (line) => forwardLogLine(line, outputLines, options.log))

  const interrupt = () => child.kill('SIGINT')
  process.once('exit', interrupt)
  const ended: Promise<string> = new Promise<string>((resolve) => {
    child.once('error', (error) => resolve(error.message))
    // `close`, not `exit`, as what it said last has been read by then.
    child.once('close', (status, signal) => resolve(signal ? `ended by ${signal}` : `ended with status ${status}`))
  }).finally(() => {
    process.off('exit', interrupt)
    options.signal.removeEventListener('abort', onAbort)
  })
  const stop = () => stopProcess(child, ended, options)
  const onAbort = () => void stop()
  options.signal.addEventListener('abort', onAbort)
  return { postmaster: { pid: child.pid ?? 0, ended }, outputLines, stop }
}

/** Keeps the last lines for the error message, and hands each on to the service's log. */
function forwardLogLine(line: string, outputLines: string[], log: EmbeddedLog): void {
  outputLines.push(line)
  if (outputLines.length > 20) outputLines.shift()
  const [, level, text = line] = /^(LOG|WARNING|FATAL|PANIC): {2}(.*)/.exec(line) ?? []
  // What it answers to our own asking whether it is ready, and to the connections that a stop ends.
  const isUsual = /^(the database system is |terminating connection due to administrator)/.test(text)
  if (level === 'PANIC') log.error({}, `PostgreSQL: ${text}`)
  else if (level === 'FATAL' && !isUsual) log.warn({}, `PostgreSQL: ${text}`)
  else log.debug({}, `PostgreSQL: ${text}`)
}

const ready = 'ready'

/** Not yet listening, or listening and still recovering. */
const notReadyCodes = new Set(['ECONNREFUSED', 'ENOENT', 'ECONNRESET', 'EPIPE', '57P03'])

/** `ready`, or how it ended before it was. */
async function waitUntilReady({ connection, home, log }: PostmasterOptions, postmaster: Postmaster): Promise<string> {
  const state = { alive: true }
  void postmaster.ended.then(() => (state.alive = false))
  const started = Date.now()
  let told = started
  while (state.alive) {
    const client = new Client(connection)
    client.on('error', () => {})
    try {
      await client.connect()
      await client.end()
      return ready
    } catch (error) {
      // Every place is taken by the service already, which was waiting for it to come back.
      if (getErrorCode(error) === '53300') return ready
      if (!notReadyCodes.has(getErrorCode(error)) && !/Connection terminated/.test(getErrorMessage(error))) {
        throw new EmbeddedPostgresError(
          `PostgreSQL runs in ${home.cluster} but does not let Caseward in (${getErrorMessage(error)}): undo what was changed in ` +
            'that folder, or delete its file caseward.password to get a new password.',
        )
      }
    }
    if (Date.now() - told > 5000) {
      told = Date.now()
      log.info({ elapsedSeconds: Math.round((told - started) / 1000) }, 'PostgreSQL is still recovering')
    }
    await sleep(10)
  }
  return postmaster.ended
}

async function stopProcess(
  child: ChildProcess,
  ended: Promise<string>,
  { home, binaries }: PostmasterOptions,
): Promise<void> {
  child.ref()
  if (child.stderr instanceof Socket) child.stderr.ref()
  if (process.platform === 'win32')
    await run(program(binaries, 'pg_ctl'), ['stop', '-D', home.cluster, '-m', 'fast', '-w'])
  // Fast: ends the connections there are. If that takes too long, on a full or broken disk, it needn't tidy up: it recovers.
  else child.kill('SIGINT')
  const immediate = setTimeout(() => child.kill('SIGQUIT'), 15_000)
  const kill = setTimeout(() => child.kill('SIGKILL'), 20_000)
  await ended
  clearTimeout(immediate)
  clearTimeout(kill)
}
