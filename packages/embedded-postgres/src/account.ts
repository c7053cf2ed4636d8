import { readFile, stat } from 'node:fs/promises'
import { EmbeddedPostgresError } from './error.ts'
import type { ServiceDescription } from './service.ts'

/** The account that PostgreSQL runs as when this process is root, because PostgreSQL refuses to run as root. */
export interface Account {
  name: string
  uid: number
  gid: number
}

/** In order of preference. `_postgres` exists on macOS; even the smallest Linux image has one of the others. */
const candidates = ['postgres', '_postgres', 'nobody', 'daemon']

/**
 * Chooses the account that PostgreSQL runs as; undefined means our own, unless we are root.
 * @param cluster an existing cluster keeps its owner, so that a start with `sudo` in between does no harm
 */
export async function chooseAccount(cluster: string, service: ServiceDescription): Promise<Account | undefined> {
  if (process.getuid?.() !== 0) return undefined
  const accounts = await readAccounts()
  const owner = await stat(cluster).catch(() => undefined)
  if (owner && owner.uid !== 0) {
    const ownerAccount = accounts.find((account) => account.uid === owner.uid)
    return ownerAccount ?? { name: `user ${owner.uid}`, uid: owner.uid, gid: owner.gid }
  }
  for (const name of candidates) {
    const account = accounts.find((candidate) => candidate.name === name && candidate.uid > 0 && candidate.gid > 0)
    if (account) return account
  }
  throw new EmbeddedPostgresError(
    'PostgreSQL refuses to run as root, and this machine has neither a "postgres" nor a "nobody" user: ' +
      `start ${service.name} as an ordinary user, or ${service.alternative}.`,
  )
}

/** Returns the name of an account for messages; its number if it has no name. */
export async function getAccountName(uid: number): Promise<string> {
  return (await readAccounts()).find((account) => account.uid === uid)?.name ?? String(uid)
}

async function readAccounts(): Promise<Account[]> {
  const lines = (await readFile('/etc/passwd', 'utf8').catch(() => '')).split('\n')
  return lines.flatMap((line) => {
    const [name, , uid, gid] = line.split(':')
    return name && uid && gid ? [{ name, uid: Number(uid), gid: Number(gid) }] : []
  })
}
