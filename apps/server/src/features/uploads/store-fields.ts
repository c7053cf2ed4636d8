import type { IgnoredFields } from '@caseward/contract/field-values'

import type { RunRef } from '../../access/project-cache.ts'
import type { Database } from '../../platform/database/connect.ts'
import { createYielder } from '../../platform/yielder.ts'
import { readFieldsOf } from '../fields/project-fields.ts'
import { IgnoredValues, readReportedValues, type ReportedValues } from '../fields/reported-values.ts'
import type { ValueChanges } from '../fields/stored-values.ts'
import { saveResultValues, selectResultValues } from '../results/result-fields.queries.ts'
import type { WrittenResults } from '../results/write-results.ts'
import type { UploadTest } from './upload-test.ts'

interface FieldOptions {
  tests: readonly UploadTest[]
  isStored: (test: UploadTest) => boolean
  results: Pick<WrittenResults, 'missing' | 'newer'>
  dryRun: boolean
}

/**
 * Gives the results of test cases the values that tests name; of several tests of one test case, the last one counts. Without
 * any, it runs no statement. What cannot be stored refuses no result.
 * @returns the values that were not stored; undefined if all were
 */
export async function storeFields(
  tx: Database,
  run: RunRef,
  { tests, isStored, results, dryRun }: FieldOptions,
): Promise<IgnoredFields | undefined> {
  const ignored = new IgnoredValues()
  const named: { caseNumbers: readonly number[]; values: ReportedValues }[] = []
  const yielder = createYielder()
  for (const uploadTest of tests) {
    if (yielder.shouldYield()) await yielder.yield()
    const { test, repeats, caseNumbers } = uploadTest
    if (test.fields === undefined && repeats.length === 0) continue
    const values: ReportedValues = Object.fromEntries(
      [test, ...repeats].flatMap(({ fields = {} }) => Object.entries(fields)),
    )
    if (Object.keys(values).length === 0) continue
    const stored = isStored(uploadTest)
      ? caseNumbers.filter((number) => !results.missing.has(number) && !results.newer.has(number))
      : []
    if (stored.length > 0) named.push({ caseNumbers: stored, values })
    else for (const [key, value] of Object.entries(values)) ignored.add(key, value, NOT_STORED)
  }
  if (named.length > 0) await storeNamed(tx, run, named, ignored, { dryRun })
  return ignored.present()
}

const NOT_STORED = {
  code: 'result_not_stored',
  error: 'belongs to a test without a test case, or whose result was not stored',
} as const

async function storeNamed(
  tx: Database,
  run: RunRef,
  named: readonly { caseNumbers: readonly number[]; values: ReportedValues }[],
  ignored: IgnoredValues,
  { dryRun }: { dryRun: boolean },
): Promise<void> {
  const fields = await readFieldsOf(tx, run.project.id, 'result')
  const sent = named.map(({ values }) => values)
  const read = await readReportedValues(tx, run.project.id, fields, sent, ignored)
  const changesByCase = new Map<number, ValueChanges>()
  for (const [index, { caseNumbers }] of named.entries()) {
    const changes = read[index] ?? {}
    if (Object.keys(changes).length === 0) continue
    for (const number of caseNumbers) changesByCase.set(number, { ...changesByCase.get(number), ...changes })
  }
  if (dryRun || changesByCase.size === 0) return
  const stored = await selectResultValues(tx, run, { caseNumbers: [...changesByCase.keys()] })
  const writes = stored.flatMap(({ id, case_number: number }) => {
    const changes = changesByCase.get(number ?? 0)
    return changes === undefined ? [] : [{ resultId: id, changes }]
  })
  await saveResultValues(tx, run, writes)
}
