import { dirname } from 'node:path'
import type { Account } from './account.ts'
import { EmbeddedPostgresError } from './error.ts'
import { run } from './run-program.ts'
import type { ServiceDescription } from './service.ts'

/**
 * Returns the outermost parent of `directory` that the account cannot enter; undefined if it can enter all. A shell
 * tries it as that account, so that access lists and mount options count too.
 */
export async function findInaccessibleDirectory(
  account: Account,
  directory: string,
  service: ServiceDescription,
): Promise<string | undefined> {
  const path = [directory]
  for (let parent = dirname(directory); parent !== path[0]; parent = dirname(parent)) path.unshift(parent)
  const script = 'for each do cd "$each" 2>/dev/null || { printf %s "$each"; exit 1; }; done'
  const { status, stdout, stderr } = await run('/bin/sh', ['-c', script, 'sh', ...path], { account })
  if (status === 0) return undefined
  if (stdout === '') {
    throw new EmbeddedPostgresError(
      `PostgreSQL refuses to run as root, and programs cannot be run as "${account.name}" either (${stderr.trim()}): ` +
        `start ${service.name} as an ordinary user, or ${service.alternative}.`,
    )
  }
  return stdout
}
