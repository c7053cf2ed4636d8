import type { ImportRow } from '@caseward/contract/test-case-imports'
import type { FieldError } from '@caseward/contract/problem'

import type { ProjectRef } from '../../access/project-cache.ts'
import type { Database } from '../../platform/database/connect.ts'
import { Problem } from '../../platform/http/problems.ts'
import { distinctKeys, readSentKeys, toKeyDigest } from './automation-keys.ts'
import { selectAutomationKeysOfMany, selectCaseNumbersByKey } from './automation-keys.queries.ts'
import { getRowPath } from './import-paths.ts'
import { parseTestCaseNumber } from './test-case-ids.ts'

/** The automation keys that rows of an import set. */
export interface ImportKeys {
  /** All keys that the test case of a row has afterwards, by the index of the row; only of rows that set keys. */
  byRow: Map<number, string[]>
  /** The keys before, by the number of the test case; only of those whose keys are set. */
  stored: Map<number, string[]>
  errors: FieldError[]
}

/**
 * Reads the automation keys of rows, and finds those that another test case has or that an earlier row sets.
 * @param rows null for rows that are left out
 */
export async function readImportKeys(
  db: Database,
  project: ProjectRef,
  rows: readonly (ImportRow | null)[],
): Promise<ImportKeys> {
  const errors: FieldError[] = []
  const sent = rows.map((row, index) => (row === null ? undefined : readKeys(row, index, errors)))
  const numbers = rows.map((row) => (row?.id === undefined ? null : parseTestCaseNumber(row.id, project.prefix)))
  const stored = await selectAutomationKeysOfMany(
    db,
    project.id,
    numbers.filter((number, index) => number !== null && sent[index] !== undefined).map(Number),
  )
  const byRow = new Map<number, string[]>()
  for (const [index, keys] of sent.entries()) {
    if (keys === undefined) continue
    const others = stored.get(numbers[index] ?? 0)?.slice(1) ?? []
    byRow.set(index, 'all' in keys ? keys.all : distinctKeys([keys.first, ...others]))
  }
  errors.push(...(await findUsedKeys(db, project.id, rows, { byRow, numbers })))
  return { byRow, stored, errors }
}

function readKeys(row: ImportRow, index: number, errors: FieldError[]): ReturnType<typeof readSentKeys> {
  try {
    return readSentKeys(row, getRowPath(index))
  } catch (error) {
    if (!(error instanceof Problem)) throw error
    errors.push(...error.fields)
    return undefined
  }
}

/** A test case of the import may take a key that another one gives up in the same import. */
async function findUsedKeys(
  db: Database,
  projectId: string,
  rows: readonly (ImportRow | null)[],
  { byRow, numbers }: { byRow: ReadonlyMap<number, string[]>; numbers: readonly (number | null)[] },
): Promise<FieldError[]> {
  const holders = await selectCaseNumbersByKey(db, projectId, [...byRow.values()].flat())
  const givingUp = new Set([...byRow.keys()].map((index) => numbers[index]))
  const earlierRows = new Map<string, number>()
  return [...byRow].flatMap(([index, keys]) =>
    keys.flatMap((key) => {
      const digest = toKeyDigest(key)
      const earlierRow = earlierRows.get(digest)
      if (earlierRow === undefined) earlierRows.set(digest, index)
      const holder = holders.get(key)
      const isTaken = holder !== undefined && holder !== numbers[index] && !givingUp.has(holder)
      if (earlierRow === undefined && !isTaken) return []
      const path = getKeyPath(rows[index], index, key)
      if (earlierRow === undefined) return [{ path, message: 'is already used by another test case' }]
      return [{ path, message: `is the same as in row ${earlierRow + 1} of the request` }]
    }),
  )
}

function getKeyPath(row: ImportRow | null | undefined, index: number, key: string): string {
  const position = row?.automation_keys?.indexOf(key) ?? -1
  return `${getRowPath(index)}/${position < 0 ? 'automation_key' : `automation_keys/${position}`}`
}
