import { readFile, rename, writeFile } from 'node:fs/promises'
import { join } from 'node:path'

import type { Database } from '../../platform/database/connect.ts'
import { type FileStore, isFileName } from '../../platform/files/file-store.ts'
import { selectWithoutFile } from './check-files.queries.ts'

/** In a directory of copies: one line for each copy whose file is deleted, with when that was found. */
const DELETED_LIST = 'deleted.tsv'

/** Transactions and the clocks of several servers may differ by so much. */
const MARGIN_MS = 60 * 60 * 1000

interface PruneOptions {
  /** When the oldest backup that is kept was begun. */
  oldestBackup: Date
  /** Earlier than the check, which takes its time. */
  now: Date
  signal: AbortSignal
}

/**
 * Removes copies that no backup needs any more: their files were found deleted before the oldest backup was begun. A backup that
 * is older than this moment may still know the file, so that each deletion is written down first.
 * @returns how many were removed
 */
export async function pruneCopies(
  db: Database,
  copies: FileStore,
  { oldestBackup, now, signal }: PruneOptions,
): Promise<number> {
  const before = await readDeleted(copies)
  const after = new Map<string, string>()
  const unneeded: string[] = []
  for await (const names of listPages(copies)) {
    signal.throwIfAborted()
    for (const name of await selectWithoutFile(db, names.filter(isFileName))) {
      const foundAt = before.get(name) ?? now.toISOString()
      if (Date.parse(foundAt) + MARGIN_MS < oldestBackup.getTime()) unneeded.push(name)
      else after.set(name, foundAt)
    }
  }
  await copies.remove(unneeded)
  if (after.size > 0 || before.size > 0) await writeDeleted(copies, after)
  return unneeded.length
}

async function* listPages(store: FileStore): AsyncGenerator<string[]> {
  for (let after = ''; ;) {
    const names = await store.list(after)
    const last = names.at(-1)
    if (last === undefined) return
    yield names
    after = last
  }
}

const toPath = ({ description }: FileStore): string => join(description, DELETED_LIST)

/** When each copy was found without its file, by its name. */
async function readDeleted(copies: FileStore): Promise<Map<string, string>> {
  const text = await readFile(toPath(copies), 'utf8').catch((error: unknown) => {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return ''
    throw error
  })
  const lines = text.split('\n').map((line) => line.split('\t'))
  // A line that was changed by hand counts as none: its copy stays longer.
  return new Map(lines.flatMap(([name = '', at = '']) => (Number.isNaN(Date.parse(at)) ? [] : [[name, at]])))
}

async function writeDeleted(copies: FileStore, deleted: ReadonlyMap<string, string>): Promise<void> {
  const path = toPath(copies)
  await writeFile(`${path}.new`, [...deleted].map(([name, at]) => `${name}\t${at}\n`).join(''), { mode: 0o600 })
  await rename(`${path}.new`, path)
}
