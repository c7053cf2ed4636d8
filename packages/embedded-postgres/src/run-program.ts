import { spawn, type ChildProcessWithoutNullStreams, type SpawnOptions } from 'node:child_process'
import { rm, rmdir, writeFile } from 'node:fs/promises'
import { basename, dirname } from 'node:path'
import type { Account } from './account.ts'
import { postgresProgramError } from './failures.ts'

/** How a program of PostgreSQL's is spawned: as `account` when there is one, untouched by our caller's environment. */
export function spawnOptions(account: Account | undefined): SpawnOptions {
  return {
    // Our own working folder may be closed to the account, and PostgreSQL insists on knowing its own.
    cwd: process.platform === 'win32' ? process.cwd() : '/',
    // PGPORT, PGOPTIONS, LD_PRELOAD and the like are not meant for this PostgreSQL. LC_ALL=C also keeps its messages in
    // English, which we read; the database's own locale is given to initdb.
    env: {
      PATH: process.env['PATH'],
      SystemRoot: process.env['SystemRoot'],
      TEMP: process.env['TEMP'],
      LC_ALL: 'C',
      TZ: 'UTC',
    },
    windowsHide: true,
    ...(account ? { uid: account.uid, gid: account.gid } : {}),
  }
}

export interface ProgramResult {
  /** The exit status; -1 when the program could not be started or was ended by a signal. */
  status: number
  stdout: string
  stderr: string
}

/** Runs a program to its end. Never rejects: a program that cannot be started is a status of -1 with the reason in stderr. */
export async function run(
  program: string,
  programArguments: string[],
  options: { account?: Account | undefined; input?: string } = {},
): Promise<ProgramResult> {
  return new Promise((resolve) => {
    const child = trySpawn(program, programArguments, options.account)
    if (child instanceof Error) return resolve({ status: -1, stdout: '', stderr: child.message })
    let stdout = ''
    let stderr = ''
    child.stdout.setEncoding('utf8').on('data', (text: string) => (stdout += text))
    child.stderr.setEncoding('utf8').on('data', (text: string) => (stderr += text))
    child.once('error', (error) => resolve({ status: -1, stdout, stderr: error.message }))
    child.once('close', (status) => resolve({ status: status ?? -1, stdout, stderr }))
    // A program that ends early closes its end; its status says why.
    child.stdin.on('error', () => {})
    child.stdin.end(options.input ?? '')
  })
}

/** Some failures Node throws rather than reports, such as that root has been denied the right to be someone else. */
function trySpawn(
  program: string,
  programArguments: string[],
  account: Account | undefined,
): ChildProcessWithoutNullStreams | Error {
  try {
    return spawn(program, programArguments, { ...spawnOptions(account), stdio: 'pipe' })
  } catch (error) {
    return error instanceof Error ? error : new Error(String(error))
  }
}

/**
 * Writes a file that only its owner may read, as the account whose folder it is in. Root must not write there itself: in a
 * folder that belongs to someone else, a name may have become a link to any file of the machine.
 */
export async function writePrivateFile(file: string, content: string, account: Account | undefined): Promise<void> {
  if (!account) return writeFile(file, content, { mode: 0o600, flush: true })
  const { status, stderr } = await run('/bin/sh', ['-c', 'umask 077; cat > "$1"', 'sh', file], {
    account,
    input: content,
  })
  if (status !== 0) throw postgresProgramError(`writing ${basename(file)}`, stderr, dirname(file))
}

/**
 * Removes a folder with all that is in it, as the account whose it is: root must not follow paths there that its owner can change meanwhile.
 */
export async function removeFolder(directory: string, account: Account | undefined): Promise<void> {
  if (account) {
    await run('rm', ['-rf', '--', directory], { account })
    await rmdir(directory).catch(() => {})
  } else {
    await rm(directory, { recursive: true, force: true, maxRetries: 5 })
  }
}
