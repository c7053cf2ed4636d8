import { readFile, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { program, type Binaries } from './binaries.ts'
import { EmbeddedPostgresError, type EmbeddedLog } from './error.ts'
import type { DataDirectory } from './data-directory.ts'
import { run, writePrivateFile } from './run-program.ts'

/**
 * Ends a PostgreSQL that a killed Caseward left running in this cluster; we hold the folder, so nobody else is using it.
 * It is stopped rather than adopted: that takes a few hundredths of a second, and the one we then start has this release's
 * programs and settings, is our child, and tells us when it dies.
 *
 * @param sockets the folder of its socket
 */
export async function stopOrphanedPostgres(
  home: DataDirectory,
  sockets: string,
  binaries: Binaries,
  log: EmbeddedLog,
): Promise<void> {
  const file = join(home.cluster, 'postmaster.pid')
  const content = await readFile(file, 'utf8').catch(() => '')
  const pid = Number(content.split('\n')[0])
  if (!Number.isInteger(pid) || pid <= 0 || !exists(pid)) return
  if (process.platform === 'win32') {
    await run(program(binaries, 'pg_ctl'), ['stop', '-D', home.cluster, '-m', 'fast', '-w'])
    return
  }

  const command = await getCommandLine(pid)
  if (!/postgres/.test(command[0] ?? '')) return markPidFileStale(home, sockets, content, log)
  if (!command.includes(home.cluster)) {
    throw new EmbeddedPostgresError(
      `${file} says that process ${pid} serves this database, and that is a PostgreSQL, though started for another folder: ` +
        'stop that process, or, if it has nothing to do with this database, delete the file.',
    )
  }
  log.warn({ postgresPid: pid }, 'Stopping the PostgreSQL that an earlier Caseward left running')
  // Fast, then without waiting for anything, then not asked at all. Each is safe: the next start recovers from the log.
  for (const signal of ['SIGINT', 'SIGQUIT', 'SIGKILL'] as const) {
    if (await stopWithSignal(pid, signal)) return
  }
  throw new EmbeddedPostgresError(
    `Process ${pid}, a PostgreSQL that an earlier Caseward left in ${home.cluster}, cannot be stopped: stop it by hand.`,
  )
}

/**
 * The number in the lock files is another program's by now, or that of a dead process which nobody has taken note of, as
 * happens in a container whose first process isn't made for it. PostgreSQL would see itself running and refuse to start.
 *
 * The file isn't simply deleted: it also says which shared memory the old one used, and by that PostgreSQL waits for the
 * last of its processes, should its main process alone have died. A file that names its own parent it takes for stale.
 */
async function markPidFileStale(
  home: DataDirectory,
  sockets: string,
  content: string,
  log: EmbeddedLog,
): Promise<void> {
  log.debug({}, 'The postmaster.pid of a PostgreSQL that is gone names a process that is not one')
  const disowned = content.replace(/^\d+/, String(process.pid))
  await writePrivateFile(join(home.cluster, 'postmaster.pid'), disowned, home.account)
  await rm(join(sockets, '.s.PGSQL.5432.lock'), { force: true })
}

async function stopWithSignal(pid: number, signal: NodeJS.Signals): Promise<boolean> {
  const patienceMs = 10_000
  try {
    process.kill(pid, signal)
  } catch {
    return !exists(pid)
  }
  for (const end = Date.now() + patienceMs; Date.now() < end; await sleep(10)) {
    if (!exists(pid) || !/postgres/.test((await getCommandLine(pid))[0] ?? '')) return true
  }
  return false
}

function exists(pid: number): boolean {
  try {
    process.kill(pid, 0)
    return true
  } catch {
    // Either there is none, or it is another user's, and then it is not ours: PostgreSQL sees both that way too.
    return false
  }
}

/** A process's program and arguments; nothing when it is dead but still has its number. */
async function getCommandLine(pid: number): Promise<string[]> {
  if (process.platform === 'linux') return (await readFile(`/proc/${pid}/cmdline`, 'utf8').catch(() => '')).split('\0')
  const { stdout } = await run('ps', ['-ww', '-o', 'command=', '-p', String(pid)])
  // `ps` doesn't tell where an argument ends; the folder stands between -D and the next option, see `postmaster.ts`.
  const [, programName, directory] = /^(.*?) -D (.*?) -p /.exec(stdout) ?? [stdout, stdout]
  return [programName ?? '', directory ?? '']
}
