import type { IgnoredFields } from '@caseward/contract/field-values'
import { type MissingFieldsProblem, MAX_LISTED_MISSING } from '@caseward/contract/runs'

import type { ProjectRef, RunRef } from '../../access/project-cache.ts'
import type { Database } from '../../platform/database/connect.ts'
import { invalidFieldProblem, Problem } from '../../platform/http/problems.ts'
import { completeValues, escapePointer, invalidValuesProblem, type SentValues } from '../fields/check-values.ts'
import type { ProjectFields } from '../fields/field-definitions.ts'
import { readFieldsOf } from '../fields/project-fields.ts'
import { IgnoredValues, readReportedValues, readTexts, type ReportedValues } from '../fields/reported-values.ts'
import { requireChangedValues, requireNewValues } from '../fields/require-values.ts'
import { mergeValues, type StoredValues, type ValueChanges } from '../fields/stored-values.ts'
import { findTooLarge } from '../fields/values-size.ts'
import { type LackingResult, type RequiredNumbers, selectLackingResults } from '../results/result-fields.queries.ts'
import { formatTestCaseId } from '../test-cases/test-case-ids.ts'

/**
 * Reads the values of a new run. Those that people send must be valid and complete; of automation, what is not is ignored.
 * @param options.version `fields_version` of the locked project: one that never had fields needs no statement
 * @throws {Problem} 400 with every invalid or missing value
 */
export async function readNewRunValues(
  tx: Database,
  projectId: string,
  sent: ReportedValues,
  { version, isAutomatic }: { version: number; isAutomatic: boolean },
): Promise<{ values: StoredValues | null; ignored: IgnoredFields | undefined }> {
  const fields = await readFieldsOf(tx, projectId, 'run', version)
  if (!isAutomatic) {
    for (const [key, value] of Object.entries(sent))
      if (!isSentValue(value)) throw invalidFieldProblem(`/fields/${escapePointer(key)}`, 'must be a value')
    const [values = null] = await requireNewValues(
      tx,
      projectId,
      fields,
      [{ fields: readTexts(fields, sent) as SentValues }],
      () => '',
    )
    return { values, ignored: undefined }
  }
  const ignored = new IgnoredValues()
  const [read = {}] = await readReportedValues(tx, projectId, fields, [sent], ignored)
  const { values } = completeValues(fields, read, '/fields', { requiresValues: false })
  return { values, ignored: ignored.present() }
}

const isSentValue = (value: unknown): boolean =>
  value === null ||
  ['string', 'number', 'boolean'].includes(typeof value) ||
  (Array.isArray(value) && value.every((item) => typeof item === 'string'))

/**
 * Checks a change of the values of a run.
 * @throws {Problem} 400 with every invalid value
 */
export async function requireChangedRunValues(db: Database, run: RunRef, sent: SentValues): Promise<ValueChanges> {
  const projectId = run.project.id
  const fields = await readFieldsOf(db, projectId, 'run')
  const row = await db.selectFrom('runs').select('fields').where('id', '=', run.id).executeTakeFirst()
  const current = (row?.fields ?? null) as StoredValues | null
  const changes = await requireChangedValues(db, projectId, fields, {
    sent,
    path: '/fields',
    readCurrent: () => Promise.resolve(current),
  })
  const errors = findTooLarge(fields, mergeValues(current, changes), '/fields')
  if (errors.length > 0) throw invalidValuesProblem(errors)
  return changes
}

/** The fields that each status of a result needs. Null if no status needs any. */
export function listRequired({ list }: ProjectFields): RequiredNumbers | null {
  const required: Record<string, string[]> = {}
  for (const { number, required_on: statuses, retired_at: retiredAt } of list) {
    if (retiredAt !== null) continue
    for (const status of statuses ?? []) (required[status] ??= []).push(String(number))
  }
  return Object.keys(required).length === 0 ? null : required
}

/**
 * Checks that each result of a run has the values that its status needs. The caller holds the lock on the run.
 * @throws {Problem} 422 with the first results that lack some
 */
export async function requireNeededValues(
  tx: Database,
  run: RunRef,
  fields: ProjectFields,
  required: RequiredNumbers,
): Promise<void> {
  const { count, first } = await selectLackingResults(tx, run, required, MAX_LISTED_MISSING)
  if (count === 0) return
  const missing = first.map((result) => presentLacking(result, run.project, fields, required))
  const subject = count === 1 ? '1 result lacks' : `${count.toLocaleString('en')} results lack`
  throw new Problem(
    422,
    'required_fields_missing',
    `${subject} a field that its status needs, and the run was not completed. Set the fields in \`missing\`; admins can complete it all the same with \`force\`.`,
    { extensions: { missing_count: count, missing } },
  )
}

function presentLacking(
  { id, case_number: number, title, status, fields: values }: LackingResult,
  { prefix }: ProjectRef,
  { list }: ProjectFields,
  required: RequiredNumbers,
): NonNullable<MissingFieldsProblem['missing']>[number] {
  const needed = required[status] ?? []
  return {
    result_id: id,
    test_case_id: number === null ? null : formatTestCaseId(prefix, number),
    test_case_title: title,
    fields: list
      .filter((field) => needed.includes(String(field.number)) && values?.[field.number] === undefined)
      .map(({ key }) => key),
  }
}
