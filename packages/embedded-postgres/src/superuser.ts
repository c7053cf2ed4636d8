import { randomBytes } from 'node:crypto'
import { join } from 'node:path'
import { program, type Binaries } from './binaries.ts'
import { postgresProgramError } from './failures.ts'
import type { DataDirectory } from './data-directory.ts'
import { run, writePrivateFile } from './run-program.ts'

/** The role that the service signs in as, and its database. */
export const serviceName = 'caseward'
/** In the cluster's folder, so that it moves with it. */
export const passwordFile = 'caseward.password'

export const newPassword = (): string => randomBytes(32).toString('hex')

/** A cluster that came back from a backup without its password file gets a new password. */
export async function renewPassword(home: DataDirectory, binaries: Binaries): Promise<string> {
  const password = newPassword()
  await asSuperuser(home.cluster, home, binaries, [`alter role ${serviceName} password '${password}'`])
  await writePrivateFile(join(home.cluster, passwordFile), password, home.account)
  return password
}

/** PostgreSQL's single-user mode: one statement a line, no server, no sign-in. */
export async function asSuperuser(
  directory: string,
  home: DataDirectory,
  binaries: Binaries,
  statements: string[],
): Promise<void> {
  const { status, stderr } = await run(
    program(binaries, 'postgres'),
    ['--single', '-c', 'log_checkpoints=off', '-c', 'lc_messages=C', '-D', directory, 'postgres'],
    { account: home.account, input: `${statements.join('\n')}\n` },
  )
  if (status !== 0 || /^.*(ERROR|FATAL|PANIC):/m.test(stderr))
    throw postgresProgramError('postgres --single', stderr, home.directory)
}
