import { writeFile } from 'node:fs/promises'
import { basename } from 'node:path'
import type { DataDirectory } from './data-directory.ts'
import { postgresProgramError } from './postgres-errors.ts'
import { run } from './run-program.ts'

/**
 * Writes a file that only its owner can read, as the account that owns its directory. Root must not write there itself:
 * in a directory of another account, the name may have become a link to any file of the machine.
 */
export async function writePrivateFile(file: string, content: string, dataDirectory: DataDirectory): Promise<void> {
  const { account } = dataDirectory
  if (!account) return await writeFile(file, content, { mode: 0o600, flush: true })
  const { status, stderr } = await run('/bin/sh', ['-c', 'umask 077; cat > "$1"', 'sh', file], {
    account,
    input: content,
  })
  if (status !== 0) throw postgresProgramError(`writing ${basename(file)}`, stderr, dataDirectory)
}
