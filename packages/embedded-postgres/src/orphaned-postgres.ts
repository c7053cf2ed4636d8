import { readFile, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { getProgramPath, type Binaries } from './binaries.ts'
import type { DataDirectory } from './data-directory.ts'
import { EmbeddedPostgresError, type EmbeddedLog } from './error.ts'
import { run } from './run-program.ts'
import { writePrivateFile } from './write-private-file.ts'

const STOP_TIMEOUT_MS = 10_000

/**
 * Stops a PostgreSQL that outlived a killed service; because we hold the lock of the data directory, no other service
 * uses it. It is stopped, not reused: that takes less than 0.1 s, and the next one has the programs and settings of
 * this version and is our child process, so that we notice when it dies.
 * @param sockets the directory of its Unix socket
 */
export async function stopOrphanedPostgres(
  dataDirectory: DataDirectory,
  sockets: string,
  binaries: Binaries,
  log: EmbeddedLog,
): Promise<void> {
  const { cluster, service } = dataDirectory
  const pidFile = join(cluster, 'postmaster.pid')
  const content = await readFile(pidFile, 'utf8').catch(() => '')
  const pid = Number(content.split('\n')[0])
  if (!Number.isInteger(pid) || pid <= 0 || !isRunning(pid)) return
  if (process.platform === 'win32') {
    await run(getProgramPath(binaries, 'pg_ctl'), ['stop', '-D', cluster, '-m', 'fast', '-w'])
    return
  }

  const commandLine = await getCommandLine(pid)
  if (!isPostgres(commandLine)) return await markPidFileStale(dataDirectory, sockets, content, log)
  if (!commandLine.includes(cluster)) {
    throw new EmbeddedPostgresError(
      `${pidFile} says that process ${pid} serves this database, but that PostgreSQL was started for another directory: ` +
        'stop that process, or, if it does not belong to this database, delete the file.',
    )
  }
  log.warn({ postgresPid: pid }, `Stopping the PostgreSQL that an earlier ${service.name} left running`)
  // Fast, immediate, kill: each is safe, because the next start recovers from the write-ahead log.
  for (const signal of ['SIGINT', 'SIGQUIT', 'SIGKILL'] as const) {
    if (await stopWithSignal(pid, signal)) return
  }
  throw new EmbeddedPostgresError(
    `Process ${pid}, a PostgreSQL that an earlier ${service.name} left running in ${cluster}, does not stop: stop it ` +
      'manually.',
  )
}

/**
 * Handles a pid that now belongs to another program, or to a zombie, as in a container whose first process does not
 * reap children. PostgreSQL would take it for a running server and refuse to start.
 *
 * The file is not deleted, because it also names the shared memory by which PostgreSQL waits for the old server's child
 * processes if only its main process has died. PostgreSQL ignores a file that contains the pid of its own parent.
 */
async function markPidFileStale(
  dataDirectory: DataDirectory,
  sockets: string,
  content: string,
  log: EmbeddedLog,
): Promise<void> {
  log.debug({}, 'postmaster.pid names a process that is not PostgreSQL')
  const staleContent = content.replace(/^\d+/, String(process.pid))
  await writePrivateFile(join(dataDirectory.cluster, 'postmaster.pid'), staleContent, dataDirectory)
  await rm(join(sockets, '.s.PGSQL.5432.lock'), { force: true })
}

async function stopWithSignal(pid: number, signal: NodeJS.Signals): Promise<boolean> {
  try {
    process.kill(pid, signal)
  } catch {
    return !isRunning(pid)
  }
  for (const end = Date.now() + STOP_TIMEOUT_MS; Date.now() < end; await sleep(10)) {
    if (!isRunning(pid) || !isPostgres(await getCommandLine(pid))) return true
  }
  return false
}

function isRunning(pid: number): boolean {
  try {
    process.kill(pid, 0)
    return true
  } catch {
    // It has ended, or it belongs to another user and so is not ours; PostgreSQL judges in the same way.
    return false
  }
}

const isPostgres = ([program = '']: readonly string[]): boolean => program.includes('postgres')

/** Returns the program and the arguments of a process; a zombie has none. */
async function getCommandLine(pid: number): Promise<string[]> {
  if (process.platform === 'linux') return (await readFile(`/proc/${pid}/cmdline`, 'utf8').catch(() => '')).split('\0')
  const { stdout } = await run('ps', ['-ww', '-o', 'command=', '-p', String(pid)])
  // `ps` does not separate arguments. The directory is between -D and -p, see `postmaster.ts`.
  const [, program, directory] = /^(.*?) -D (.*?) -p /.exec(stdout) ?? [stdout, stdout]
  return [program ?? '', directory ?? '']
}
