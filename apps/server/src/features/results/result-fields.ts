import { isDeepStrictEqual } from 'node:util'

import type { RunRef } from '../../access/project-cache.ts'
import type { Database } from '../../platform/database/connect.ts'
import {
  checkValues,
  type FieldValueError,
  findNewRetiredUses,
  findUnknownUsers,
  invalidValuesProblem,
  type SentValues,
} from '../fields/check-values.ts'
import { readFieldsOf } from '../fields/project-fields.ts'
import { mergeValues, type StoredValue, type ValueChanges } from '../fields/stored-values.ts'
import { findTooLarge } from '../fields/values-size.ts'
import { type ResultValues, selectResultValues } from './result-fields.queries.ts'

/** Values that a person sends for a result. */
interface SentResultValues {
  values: SentValues
  /** The JSON Pointer of the values. */
  path: string
}

/** What is to be stored of the fields of a result. */
export interface FieldWrite {
  resultId: string
  changes: ValueChanges
  /** Whether it replaces or removes a value, so that the earlier ones are kept. */
  replaces: boolean
}

/**
 * Plans the values of one result.
 * @throws {Problem} 400 with every invalid value
 */
export async function planFieldWrite(
  tx: Database,
  run: RunRef,
  resultId: string,
  sent: SentResultValues,
): Promise<FieldWrite | null> {
  const [current] = await selectResultValues(tx, run, { ids: [resultId] })
  return (await plan(tx, run, [{ sent: [sent], current }]))[0] ?? null
}

/**
 * Plans the values of many results, by the numbers of their test cases. Of several items for one test case, which are about
 * different combinations, the last value of a field counts. The caller holds the lock on the run.
 * @returns what is to be stored; test cases that are not in the run are missing
 * @throws {Problem} 400 with every invalid value
 */
export async function planFieldWrites(
  tx: Database,
  run: RunRef,
  items: readonly (SentResultValues & { caseNumber: number })[],
): Promise<Map<number, FieldWrite>> {
  if (items.length === 0) return new Map()
  const byCase = new Map<number, SentResultValues[]>()
  for (const { caseNumber, ...sent } of items) {
    const known = byCase.get(caseNumber)
    if (known === undefined) byCase.set(caseNumber, [sent])
    else known.push(sent)
  }
  const stored = await selectResultValues(tx, run, { caseNumbers: [...byCase.keys()] })
  const current = new Map(stored.map((result) => [result.case_number, result]))
  const numbers = [...byCase.keys()]
  const planned = await plan(
    tx,
    run,
    numbers.map((number) => ({ sent: byCase.get(number) ?? [], current: current.get(number) })),
  )
  return new Map(
    numbers.flatMap((number, index) => {
      const write = planned[index] ?? null
      return write === null ? [] : [[number, write] as const]
    }),
  )
}

async function plan(
  tx: Database,
  run: RunRef,
  results: readonly { sent: readonly SentResultValues[]; current: ResultValues | undefined }[],
): Promise<(FieldWrite | null)[]> {
  const fields = await readFieldsOf(tx, run.project.id, 'result')
  const errors: FieldValueError[] = []
  const users: { path: string; id: string }[] = []
  const planned = results.map(({ sent, current }): FieldWrite | null => {
    const before = current?.fields ?? null
    const changes: Record<string, StoredValue | null> = {}
    for (const { values, path } of sent) {
      const checked = checkValues(fields, values, path)
      errors.push(...checked.errors, ...findNewRetiredUses(checked.retiredUses, before))
      users.push(...checked.users)
      Object.assign(changes, checked.changes)
    }
    errors.push(...findTooLarge(fields, mergeValues(before, changes), sent[0]?.path ?? ''))
    if (current === undefined || Object.keys(changes).length === 0) return null
    const replaces = Object.entries(changes).some(([number, value]) => {
      const earlier = before?.[number]
      return earlier !== undefined && !isDeepStrictEqual(earlier, value)
    })
    return { resultId: current.id, changes, replaces }
  })
  const all = [...errors, ...(await findUnknownUsers(tx, run.project.id, users))]
  if (all.length > 0) throw invalidValuesProblem(all)
  return planned
}
