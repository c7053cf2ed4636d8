import { randomBytes } from 'node:crypto'
import { join } from 'node:path'
import { getProgramPath, type Binaries } from './binaries.ts'
import type { DataDirectory } from './data-directory.ts'
import { postgresProgramError } from './postgres-errors.ts'
import { run } from './run-program.ts'
import type { ServiceDescription } from './service.ts'
import { writePrivateFile } from './write-private-file.ts'

/** Returns the file with the role's password. It is in the cluster, so that a backup contains both. */
export const getPasswordFile = (cluster: string, service: ServiceDescription): string =>
  join(cluster, `${service.id}.password`)

/** Generates a password for the service's role. */
export const generatePassword = (): string => randomBytes(32).toString('hex')

/** Sets a new password in a cluster whose password file is missing, for instance after a restore. */
export async function renewPassword(dataDirectory: DataDirectory, binaries: Binaries): Promise<string> {
  const { cluster, service } = dataDirectory
  const password = generatePassword()
  await runAsSuperuser(cluster, dataDirectory, binaries, [`alter role ${service.id} password '${password}'`])
  await writePrivateFile(getPasswordFile(cluster, service), password, dataDirectory)
  return password
}

/** Runs statements, each on one line, in PostgreSQL's single-user mode, which needs no server and no password. */
export async function runAsSuperuser(
  cluster: string,
  dataDirectory: DataDirectory,
  binaries: Binaries,
  statements: string[],
): Promise<void> {
  const { status, stderr } = await run(
    getProgramPath(binaries, 'postgres'),
    ['--single', '-c', 'log_checkpoints=off', '-c', 'lc_messages=C', '-D', cluster, 'postgres'],
    { account: dataDirectory.account, input: `${statements.join('\n')}\n` },
  )
  if (status !== 0 || /^.*(ERROR|FATAL|PANIC):/m.test(stderr))
    throw postgresProgramError('postgres --single', stderr, dataDirectory)
}
