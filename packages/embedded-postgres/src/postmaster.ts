import { spawn, type ChildProcess } from 'node:child_process'
import { createInterface } from 'node:readline'
import { Socket } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import { Client } from 'pg'
import { getProgramPath, type Binaries } from './binaries.ts'
import type { DataDirectory } from './data-directory.ts'
import { EmbeddedPostgresError, getErrorCode, getErrorMessage, type EmbeddedLog } from './error.ts'
import { diskFullError, isDiskFull, postgresProgramError } from './postgres-errors.ts'
import { getSpawnOptions, run } from './run-program.ts'
import { getMemoryMb, getMemorySettings } from './memory-settings.ts'
import { getFixedSettings, toArguments } from './settings.ts'
import { getPasswordFile } from './superuser.ts'

/** A connection to the database, for `pg`. */
export interface Connection {
  /** The directory of the Unix socket, or 127.0.0.1. */
  host: string
  port: number
  user: string
  password: string
  database: string
}

/** PostgreSQL's main process, ready for connections. */
export interface Postmaster {
  pid: number
  /** Resolves when the process has ended, with a description such as `ended by SIGKILL`. */
  ended: Promise<string>
}

export interface PostmasterOptions {
  dataDirectory: DataDirectory
  binaries: Binaries
  connection: Connection
  log: EmbeddedLog
  /** The size of its cache in megabytes; null for one that fits the memory. */
  sharedBuffersMb: number | null
  /** Stops it, also during its start. */
  signal: AbortSignal
}

const OLD_PROCESSES_TIMEOUT_MS = 15_000
const FAST_STOP_TIMEOUT_MS = 15_000
const STOP_TIMEOUT_MS = 20_000
const RECOVERY_LOG_INTERVAL_MS = 5000
const KEPT_OUTPUT_LINES = 20

/**
 * Starts PostgreSQL and resolves when it accepts connections. Recovery may take any time while the process is alive.
 * @throws EmbeddedPostgresError if the process ends instead
 */
export async function startPostmaster(options: PostmasterOptions): Promise<Postmaster> {
  // The child processes of a killed main process need a moment to end, and PostgreSQL does not start before that.
  const deadline = Date.now() + OLD_PROCESSES_TIMEOUT_MS
  for (;;) {
    const { postmaster, outputLines, stop } = launch(options)
    const state = await waitUntilReady(options, postmaster).catch(async (error: unknown) => {
      await stop()
      throw error
    })
    if (state === READY) return postmaster
    const output = outputLines.join('\n')
    const isWaiting =
      /pre-existing shared memory block/.test(output) && !options.signal.aborted && Date.now() < deadline
    if (!isWaiting) throw postgresProgramError(state, output, options.dataDirectory)
    await sleep(50)
  }
}

function launch(options: PostmasterOptions): {
  postmaster: Postmaster
  outputLines: string[]
  stop: () => Promise<void>
} {
  const { dataDirectory, binaries, connection } = options
  const child = spawn(
    getProgramPath(binaries, 'postgres'),
    [
      '-D',
      dataDirectory.cluster,
      '-p',
      String(connection.port),
      ...toArguments(getFixedSettings(connection.host, dataDirectory.service)),
      ...toArguments(getMemorySettings(getMemoryMb(), options.sharedBuffersMb)),
    ],
    {
      ...getSpawnOptions(dataDirectory.account),
      // A session of its own, so that Ctrl-C in the terminal does not stop it while the service finishes its requests.
      detached: true,
      stdio: ['ignore', 'ignore', 'pipe'],
    },
  )
  // It must not keep this process alive; the handler below stops it when this process ends.
  child.unref()
  if (child.stderr instanceof Socket) child.stderr.unref()
  const outputLines: string[] = []
  if (child.stderr) createInterface(child.stderr).on('line', (line) => forwardLogLine(line, outputLines, options.log))

  const interrupt = () => child.kill('SIGINT')
  process.once('exit', interrupt)
  const ended: Promise<string> = new Promise<string>((resolve) => {
    child.once('error', (error) => resolve(error.message))
    // `close`, not `exit`, because its last output has been read by then.
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

/** Keeps the last lines for an error message, and writes each line to the service's log. */
function forwardLogLine(line: string, outputLines: string[], log: EmbeddedLog): void {
  outputLines.push(line)
  if (outputLines.length > KEPT_OUTPUT_LINES) outputLines.shift()
  const [, level, text = line] = /^(LOG|WARNING|FATAL|PANIC): {2}(.*)/.exec(line) ?? []
  // The responses to our own readiness checks, and to connections that a stop closes.
  const isExpected = /^(the database system is |terminating connection due to administrator)/.test(text)
  if (level === 'PANIC') log.error({}, `PostgreSQL: ${text}`)
  else if (level === 'FATAL' && !isExpected) log.warn({}, `PostgreSQL: ${text}`)
  else log.debug({}, `PostgreSQL: ${text}`)
}

const READY = 'ready'

/** PostgreSQL does not listen yet, or it is still recovering. */
const notReadyCodes = new Set(['ECONNREFUSED', 'ENOENT', 'ECONNRESET', 'EPIPE', '57P03'])

/** Returns `READY`, or how the process ended before it was ready. */
async function waitUntilReady(
  { connection, dataDirectory, log }: PostmasterOptions,
  postmaster: Postmaster,
): Promise<string> {
  const processState = { isAlive: true }
  void postmaster.ended.then(() => (processState.isAlive = false))
  const started = Date.now()
  let lastLogged = started
  while (processState.isAlive) {
    const client = new Client(connection)
    client.on('error', () => {})
    try {
      await client.connect()
      await client.end()
      return READY
    } catch (error) {
      // too_many_connections: the service has already used all of them, because it was waiting for the restart.
      if (getErrorCode(error) === '53300') return READY
      // The first connection after a crash writes a file.
      if (isDiskFull(getErrorMessage(error))) throw diskFullError(dataDirectory, 'the disk is full')
      if (!notReadyCodes.has(getErrorCode(error)) && !/Connection terminated/.test(getErrorMessage(error))) {
        const { cluster, service } = dataDirectory
        throw new EmbeddedPostgresError(
          `PostgreSQL runs in ${cluster} but refuses the connection of ${service.name} (${getErrorMessage(error)}): undo the ` +
            `changes in that directory, or delete ${getPasswordFile(cluster, service)} to get a new password.`,
        )
      }
    }
    if (Date.now() - lastLogged > RECOVERY_LOG_INTERVAL_MS) {
      lastLogged = Date.now()
      log.info({ elapsedSeconds: Math.round((lastLogged - started) / 1000) }, 'PostgreSQL is still recovering')
    }
    await sleep(10)
  }
  return await postmaster.ended
}

async function stopProcess(
  child: ChildProcess,
  ended: Promise<string>,
  { dataDirectory, binaries }: PostmasterOptions,
): Promise<void> {
  child.ref()
  if (child.stderr instanceof Socket) child.stderr.ref()
  if (process.platform === 'win32')
    await run(getProgramPath(binaries, 'pg_ctl'), ['stop', '-D', dataDirectory.cluster, '-m', 'fast', '-w'])
  // Fast shutdown closes the connections. If it takes too long, as on a full or broken disk, the next start recovers.
  else child.kill('SIGINT')
  const immediate = setTimeout(() => child.kill('SIGQUIT'), FAST_STOP_TIMEOUT_MS)
  const kill = setTimeout(() => child.kill('SIGKILL'), STOP_TIMEOUT_MS)
  await ended
  clearTimeout(immediate)
  clearTimeout(kill)
}
