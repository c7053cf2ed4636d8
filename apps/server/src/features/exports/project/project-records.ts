import type { Field } from '@caseward/contract/fields'

import type { ProjectFields } from '../../fields/field-definitions.ts'
import { presentValue, presentValues, toProjectFields } from '../../fields/field-definitions.ts'
import { presentField, selectFields } from '../../fields/fields.queries.ts'
import type { StoredValue, StoredValues } from '../../fields/stored-values.ts'
import { formatTestCaseId } from '../../test-cases/test-case-ids.ts'
import { CASE_JSON, type CaseChoice, type CaseRow } from './case-sql.ts'
import type { ExportSnapshot } from './export-snapshot.ts'
import * as statements from './record-sql.ts'

/** The project that is exported. */
export interface ExportedProject {
  id: string
  name: string
  prefix: string
  description: string
}

/** Which parts are exported, and of which test cases. */
export interface ExportChoice {
  cases: CaseChoice
  hasRuns: boolean
  hasFiles: boolean
  /** Whether people have their email addresses. */
  hasEmails: boolean
}

/** A record of the neutral model, as JSON. */
export type ExportRecord = { kind: string } & Record<string, unknown>

/** Reads the test cases that are exported, by number. */
export async function* readCases(snapshot: ExportSnapshot, { id }: ExportedProject, { sql, values }: CaseChoice) {
  yield* snapshot.read<CaseRow>(
    `select ${CASE_JSON} from test_cases c where c.project_id = $1 and ${sql} order by c.number`,
    [id, ...values],
  )
}

/**
 * Reads all records of a project: what others refer to comes first. Memory takes one batch.
 */
export async function* readRecords(
  snapshot: ExportSnapshot,
  project: ExportedProject,
  choice: ExportChoice,
  { exportedAt, version }: { exportedAt: Date; version: string },
): AsyncGenerator<ExportRecord[]> {
  const { id } = project
  const toKey = (number: number) => formatTestCaseId(project.prefix, number)
  const filter = choice.cases.isAll ? null : choice.cases.sql
  const values = filter === null ? [id] : [id, ...choice.cases.values]
  const fieldsOf = await readAllFields(snapshot, id)
  type Raw = Record<string, unknown> & { case_number?: number | null }

  async function* read(kind: string, text: string, parameters: readonly unknown[], convert = (row: Raw): Raw => row) {
    for await (const rows of snapshot.read<Raw>(text, parameters)) {
      yield rows.map((row): ExportRecord => ({ kind, ...nameCase(convert(row), toKey) }))
    }
  }
  const withFields = (fields: ProjectFields) => (row: Raw) => ({
    ...row,
    ...(row['fields'] === null ? {} : { fields: presentValues(fields, row['fields'] as StoredValues) }),
  })

  yield [
    {
      kind: 'source',
      key: id,
      system: 'caseward',
      source: project.name,
      prefix: project.prefix,
      description: project.description,
      exported_at: exportedAt.toISOString(),
      product_version: version,
    },
  ]
  yield* read('person', statements.PEOPLE, [id], ({ email, ...person }) =>
    choice.hasEmails ? { ...person, email } : person,
  )
  yield fieldsOf.records
  yield* read('folder', statements.FOLDERS, [id])
  yield* read('shared_steps', statements.SHARED_STEPS, [id])
  yield* read('shared_step_version', statements.SHARED_STEP_VERSIONS, [id])
  for await (const rows of readCases(snapshot, project, choice.cases)) {
    yield rows.map((row) => toCaseRecord(row, project, fieldsOf.case))
  }
  yield* read('case_version', statements.buildVersions(filter), values, (row) => presentVersion(row, fieldsOf.case))
  yield* read('attachment', statements.buildCaseAttachments(filter), values)
  if (choice.hasRuns) {
    yield* read('configuration', statements.CONFIGURATIONS, [id])
    yield* read('milestone', statements.MILESTONES, [id])
    yield* read('run', statements.RUNS, [id], withFields(fieldsOf.run))
    yield* readResults(snapshot.read<ResultRow>(statements.buildResults(filter), values), toKey, fieldsOf.result)
    yield* read('test', statements.TESTS, [id], ({ cases, ...test }) => ({
      ...test,
      cases: (cases as { case_number: number; source: string }[]).map(({ case_number: number, source }) => ({
        case: toKey(number),
        source,
      })),
    }))
    yield* read('test_outcome', statements.TEST_OUTCOMES, [id])
    yield* read('suite_error', statements.SUITE_ERRORS, [id])
    yield* read('left_out', statements.LEFT_OUT, [id])
    yield* read('quarantine', statements.QUARANTINES, [id])
    yield* read('attachment', statements.RUN_ATTACHMENTS, [id])
  }
  yield* read('comment', statements.buildComments(filter, choice), values)
}

/** References are keys, as everywhere. */
function nameCase(
  { case_number: number, ...record }: Record<string, unknown> & { case_number?: number | null },
  toKey: (number: number) => string,
): Record<string, unknown> {
  if (number === undefined) return record
  return { ...record, case: number === null ? null : toKey(number) }
}

const FIELD_NAME = /^fields\.(\d+)$/

/** Names custom fields by their keys. Of one that was deleted, only that it was changed is left. */
function presentVersion<T extends Record<string, unknown>>(row: T, { list }: ProjectFields): T {
  const findField = (name: string) => {
    const number = FIELD_NAME.exec(name)?.[1]
    return number === undefined ? null : list.find((field) => String(field.number) === number)
  }
  const entries = Object.entries(row['before'] as Record<string, StoredValue | null>).flatMap(
    ([name, value]): [string, unknown][] => {
      const field = findField(name)
      if (field === null) return [[name, value]]
      const presented = field === undefined || value === null ? value : presentValue(field, value)
      return field === undefined || presented === undefined ? [] : [[`fields.${field.key}`, presented]]
    },
  )
  const before = Object.fromEntries(entries)
  const changed = (row['changed'] as string[]).map((name) => {
    const field = findField(name)
    if (field === null) return name
    return field !== undefined && `fields.${field.key}` in before ? `fields.${field.key}` : 'fields'
  })
  return { ...row, before, changed: [...new Set(changed)] }
}

type ResultRow = Record<string, unknown> & {
  key: string
  run: string
  case_number: number | null
  title: string
  fields: StoredValues | null
  earlier: (Record<string, unknown> & { place: number; fields: StoredValues | null })[] | null
}

/** Results in the order of time: the last one of a test case in a run is the current one. */
async function* readResults(
  batches: AsyncGenerator<ResultRow[]>,
  toKey: (number: number) => string,
  fields: ProjectFields,
): AsyncGenerator<ExportRecord[]> {
  const present = (values: StoredValues | null) => (values === null ? {} : presentValues(fields, values))
  for await (const rows of batches) {
    yield rows.flatMap(({ earlier, case_number: number, fields: values, ...row }): ExportRecord[] => {
      const place = { run: row.run, case: number === null ? null : toKey(number), title: row.title }
      return [
        ...(earlier ?? []).map(({ place: index, fields: earlierValues, ...change }) => ({
          kind: 'result',
          key: `${row.key}/${index}`,
          ...place,
          ...change,
          fields: present(earlierValues),
          combinations: toEarlierCombinations(change['combinations']),
        })),
        { kind: 'result', ...row, ...place, fields: present(values) },
      ]
    })
  }
}

/** Named as in current results. */
function toEarlierCombinations(stored: unknown): Record<string, unknown>[] | null {
  if (!Array.isArray(stored)) return null
  return (stored as Record<string, unknown>[]).map(({ elapsed, tested_by: person, tested_at: at, ...rest }) => ({
    ...rest,
    elapsed_seconds: elapsed,
    person,
    at,
  }))
}

interface AllFields {
  records: ExportRecord[]
  case: ProjectFields
  result: ProjectFields
  run: ProjectFields
}

async function readAllFields({ db }: ExportSnapshot, projectId: string): Promise<AllFields> {
  const read = async (subject: Field['subject']) => await selectFields(db, projectId, subject)
  const [ofCases, ofResults, ofRuns] = [await read('case'), await read('result'), await read('run')]
  return {
    records: [...ofCases, ...ofResults, ...ofRuns].map((row) => {
      const { id: _, key, ...definition } = presentField(row)
      return { kind: 'field', key: `${definition.subject}:${key}`, field_key: key, ...definition }
    }),
    case: toProjectFields(1, ofCases),
    result: toProjectFields(1, ofResults),
    run: toProjectFields(1, ofRuns),
  }
}

/** Reads the fields of test cases as they were at the moment of a snapshot. */
export const readCaseFields = async ({ db }: ExportSnapshot, projectId: string): Promise<ProjectFields> =>
  toProjectFields(1, await selectFields(db, projectId, 'case'))

export function toCaseRecord(row: CaseRow, { prefix }: ExportedProject, fields: ProjectFields): ExportRecord {
  const { step_groups: groups, steps, merged_into: mergedInto, ...rest } = row
  return {
    kind: 'case',
    key: formatTestCaseId(prefix, row.number),
    ...rest,
    steps: toStepRecords(steps, groups),
    fields: row.fields === null ? {} : presentValues(fields, row.fields),
    merged_into: mergedInto === null ? null : formatTestCaseId(prefix, mergedInto),
  }
}

/** Steps of shared steps stay together: `shared` names what they come from, with the texts that the test case has. */
function toStepRecords(steps: CaseRow['steps'], groups: CaseRow['step_groups']): Record<string, unknown>[] {
  const plain = steps.map(({ action, expected }) => ({ action, expected }))
  if (groups === null) return plain
  const records: Record<string, unknown>[] = []
  let next = 0
  for (const { first, count, shared_step_id: shared, title, version, follows } of groups) {
    records.push(...plain.slice(next, first - 1))
    next = first - 1 + count
    records.push({ shared, title, version, follows, steps: plain.slice(first - 1, next) })
  }
  return [...records, ...plain.slice(next)]
}
