import { readFile, stat } from 'node:fs/promises'
import { dirname } from 'node:path'
import { EmbeddedPostgresError } from './error.ts'
import { run } from './run-program.ts'

/** The system's account that PostgreSQL runs as when we are root, whom PostgreSQL refuses to serve. */
export interface Account {
  name: string
  uid: number
  gid: number
}

/** Preferred first. `_postgres` is macOS's; the others are the accounts that even the smallest image has one of. */
const candidates = ['postgres', '_postgres', 'nobody', 'daemon']

/**
 * Whom to run PostgreSQL as: undefined for ourselves, as we do unless we are root.
 *
 * @param clusterFolder a cluster that is already there stays with its owner, so that `sudo npm start` in between does no harm.
 */
export async function chooseAccount(clusterFolder: string): Promise<Account | undefined> {
  if (process.getuid?.() !== 0) return undefined
  const accounts = await readAccounts()
  const owner = await stat(clusterFolder).catch(() => undefined)
  if (owner && owner.uid !== 0) {
    const known = accounts.find((account) => account.uid === owner.uid)
    return known ?? { name: `user ${owner.uid}`, uid: owner.uid, gid: owner.gid }
  }
  for (const name of candidates) {
    const account = accounts.find((each) => each.name === name && each.uid > 0 && each.gid > 0)
    if (account) return account
  }
  throw new EmbeddedPostgresError(
    'PostgreSQL refuses to run as root, and this machine has neither a "postgres" nor a "nobody" user to run it as: ' +
      'start Caseward as an ordinary user, or set DATABASE_URL to a PostgreSQL server.',
  )
}

/** The name of an account, for messages. */
export async function accountName(uid: number): Promise<string> {
  return (await readAccounts()).find((account) => account.uid === uid)?.name ?? String(uid)
}

async function readAccounts(): Promise<Account[]> {
  const lines = (await readFile('/etc/passwd', 'utf8').catch(() => '')).split('\n')
  return lines.flatMap((line) => {
    const [name, , uid, gid] = line.split(':')
    return name && uid && gid ? [{ name, uid: Number(uid), gid: Number(gid) }] : []
  })
}

/**
 * The outermost folder on the way to `folder` that the account may not enter; undefined when it gets there. Asked of the
 * system itself rather than worked out from modes, so that access lists and mounts count too.
 */
export async function findInaccessibleDirectory(account: Account, directory: string): Promise<string | undefined> {
  const way = [directory]
  for (let up = dirname(directory); up !== way[0]; up = dirname(up)) way.unshift(up)
  const enterEach = 'for each do cd "$each" 2>/dev/null || { printf %s "$each"; exit 1; }; done'
  const { status, stdout, stderr } = await run('/bin/sh', ['-c', enterEach, 'sh', ...way], { account })
  if (status === 0) return undefined
  if (stdout === '') {
    throw new EmbeddedPostgresError(
      `PostgreSQL refuses to run as root, and nothing can be run as "${account.name}" instead (${stderr.trim()}): start Caseward ` +
        'as an ordinary user, or set DATABASE_URL to a PostgreSQL server.',
    )
  }
  return stdout
}
