import { spawn, type ChildProcessWithoutNullStreams, type SpawnOptions } from 'node:child_process'
import { rm, rmdir } from 'node:fs/promises'
import type { Account } from './account.ts'

/** Returns options that start a program as `account`, if there is one, and with a clean environment. */
export function getSpawnOptions(account: Account | undefined): SpawnOptions {
  return {
    // The account may not be able to enter our working directory, and PostgreSQL needs to know its own.
    cwd: process.platform === 'win32' ? process.cwd() : '/',
    // PGPORT, PGOPTIONS, LD_PRELOAD and the like are not meant for this PostgreSQL. LC_ALL=C keeps its messages in
    // English, because we parse them; the database's own locale is an option of initdb.
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
  /** The exit status; -1 if the program could not be started or was ended by a signal. */
  status: number
  stdout: string
  stderr: string
}

/** Runs a program and waits for its end. Never rejects: if it cannot be started, stderr has the reason. */
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
    // A program that ends early closes its input; its status has the reason.
    child.stdin.on('error', () => {})
    child.stdin.end(options.input ?? '')
  })
}

/** Returns errors that Node throws instead of emitting, such as a missing right to change the user id. */
function trySpawn(
  program: string,
  programArguments: string[],
  account: Account | undefined,
): ChildProcessWithoutNullStreams | Error {
  try {
    return spawn(program, programArguments, { ...getSpawnOptions(account), stdio: 'pipe' })
  } catch (error) {
    return error instanceof Error ? error : new Error(String(error))
  }
}

/**
 * Removes a directory and its contents, as the account that owns it: root must not follow paths that another account
 * can change at the same time.
 */
export async function removeDirectory(directory: string, account: Account | undefined): Promise<void> {
  if (account) {
    await run('rm', ['-rf', '--', directory], { account })
    await rmdir(directory).catch(() => {})
  } else {
    await rm(directory, { recursive: true, force: true, maxRetries: 5 })
  }
}
