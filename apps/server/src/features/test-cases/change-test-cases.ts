import { isDeepStrictEqual } from 'node:util'

import type { BatchField } from '@caseward/contract/test-case-fields'
import type { TestCase } from '@caseward/contract/test-case-schemas'
import { sql } from 'kysely'

import type { ProjectRef } from '../../access/project-cache.ts'
import type { Database } from '../../platform/database/connect.ts'
import { keepChangedValues } from '../fields/case-field-values.queries.ts'
import type { StoredValues, ValueChanges } from '../fields/stored-values.ts'
import type { CaseAuthor } from '../case-versions/case-author.ts'
import { type EarlierVersion, recordVersions } from '../case-versions/record-versions.ts'
import { notifyFoldersChanged, notifyTestCasesChanged } from '../events/notify-distributed-change.ts'
import type { StoredSteps } from '../shared-steps/step-groups.ts'
import { buildChangedDigest, hashSteps } from './content-digest.ts'
import type { PlacedTestCase } from './make-room.ts'
import { POSITION } from './positions.ts'
import { mergeStoredValues } from '../fields/merge-stored-values.ts'
import { BATCH_DEFINITIONS, BATCH_FIELDS, IS_ARCHIVED } from './test-case-fields.ts'

/** What changes for many test cases at once: their fields and places. */
export type BatchFields = Pick<TestCase, Exclude<BatchField, 'fields'> | 'position'> & {
  archived: boolean
  /** Values of those custom fields that the request changes, by their numbers. */
  values?: StoredValues
  /** Only if the request changes steps. */
  steps?: StoredSteps
}

export interface StoredTestCase extends BatchFields {
  number: number
  version: number
}

export interface TestCaseChange {
  before: StoredTestCase
  after: BatchFields
}

/** The columns of a {@link StoredTestCase}, of test cases `c`. */
export const STORED_COLUMNS = sql.raw(
  [
    'c.number',
    'c.version',
    `${POSITION} as position`,
    `${IS_ARCHIVED} as archived`,
    ...BATCH_FIELDS.map((name) => `c.${name}`),
  ].join(', '),
)
const BATCH_UPDATES = sql.raw(BATCH_FIELDS.map((name) => `${name} = item.${name}`).join(', '))
/** A test case whose steps stay has none in its item. */
const STEPS_UPDATES = sql.raw(`
      steps = coalesce(item.steps, c.steps),
      step_groups = case when item.steps is null then c.step_groups else item.step_groups end,
      content_digest = ${buildChangedDigest('null::text', 'item.steps_hash')},`)
const MERGED_VALUES = sql.raw(mergeStoredValues('item.fields'))

/** Locks test cases, and returns those that exist by number. The caller holds the lock on the project. */
export async function lockTestCases(
  tx: Database,
  projectId: string,
  numbers: readonly number[],
): Promise<Map<number, StoredTestCase>> {
  const { rows } = await sql<StoredTestCase>`
    select ${STORED_COLUMNS}
    from test_cases c where c.project_id = ${projectId} and c.number = any(${numbers}::int[])
    for no key update`.execute(tx)
  return new Map(rows.map((row) => [row.number, row]))
}

/** What makes a new version if it changes. */
const VERSIONED = [...BATCH_FIELDS, 'archived'] as const

const isMoved = ({ before, after }: TestCaseChange) => before.position !== after.position
const hasNewFields = ({ before, after }: TestCaseChange) =>
  VERSIONED.some((name) => !isDeepStrictEqual(before[name], after[name])) ||
  !isDeepStrictEqual(before.values ?? {}, after.values ?? {}) ||
  listChangedSteps(before.steps, after.steps).length > 0

/** Which columns of steps differ. */
function listChangedSteps(
  before: StoredSteps | undefined,
  after: StoredSteps | undefined,
): ('steps' | 'step_groups')[] {
  if (before === undefined || after === undefined) return []
  return [
    ...(isDeepStrictEqual(before.steps, after.steps) ? [] : ['steps' as const]),
    ...(isDeepStrictEqual(before.step_groups ?? null, after.step_groups ?? null) ? [] : ['step_groups' as const]),
  ]
}

/** Whether a change leaves a test case different. */
export const isChange = (change: TestCaseChange): boolean => isMoved(change) || hasNewFields(change)

/**
 * Stores changes, and moves the counts of the folders and of the project, which leave archived test cases out. A new place in the same folder does not change
 * the version.
 * @param options.keepsVersion the caller changes the version. The caller holds the locks on the project and on the test cases.
 */
export async function writeTestCaseChanges(
  tx: Database,
  { id: projectId }: ProjectRef,
  author: CaseAuthor,
  changes: readonly TestCaseChange[],
  { keepsVersion = false }: { keepsVersion?: boolean } = {},
): Promise<PlacedTestCase[]> {
  if (changes.length === 0) return []
  const items = changes.map((change) => ({
    ...pickWritten(change),
    number: change.before.number,
    is_moved: isMoved(change),
    has_new_version: !keepsVersion && hasNewFields(change),
  }))
  const newVersions = keepsVersion ? [] : changes.filter(hasNewFields)
  await recordVersions(tx, projectId, author, newVersions.map(toEarlierVersion))
  const folders = countMoves(changes)
  const hasSteps = items.some(({ steps }) => steps !== undefined)
  const withValues = items.filter(({ fields }) => fields !== undefined)
  const queries = sql`item as (
      select *, statement_timestamp() as time from json_to_recordset(${JSON.stringify(items)}) as (
        number int, position text, archived boolean, is_moved boolean, has_new_version boolean, fields jsonb, steps json, step_groups json, steps_hash text,
        ${sql.raw(BATCH_DEFINITIONS)}
      )
    ), folder as (
      update folders f set test_case_count = f.test_case_count + moved.count
      from unnest(${folders.ids}::uuid[], ${folders.differences}::int[]) as moved (id, count)
      where f.project_id = ${projectId} and f.id = moved.id
    )`
  // Citus calls no function of time within `case`.
  const update = sql`
    update test_cases c set
      ${BATCH_UPDATES},
      ${hasSteps ? STEPS_UPDATES : sql``}
      archived_at = case when item.archived then coalesce(c.archived_at, item.time) end,
      merged_into = case when item.archived then c.merged_into end,
      fields = case when item.fields is null then c.fields else ${MERGED_VALUES} end,
      own_position = case when item.is_moved then item.position else c.own_position end,
      version = case when item.has_new_version then c.version + 1 else c.version end,
      updated_by = case when item.has_new_version then ${author.userId}::uuid else c.updated_by end,
      updated_at = statement_timestamp()
    from item where c.project_id = ${projectId} and c.number = item.number`
  const { rows } = await keepChangedValues<PlacedTestCase>(
    projectId,
    withValues.map(({ number }) => number),
    {
      queries,
      update,
      returning: { number: 'c.number', folder_id: 'c.folder_id', position: POSITION, version: 'c.version' },
    },
  ).execute(tx)
  await notifyTestCasesChanged(
    tx,
    projectId,
    items.map(({ number }) => number),
  )
  await countArchived(tx, projectId, changes)
  if (folders.ids.length > 0) await notifyFoldersChanged(tx, projectId)
  const byNumber = new Map(rows.map((row) => [row.number, row]))
  return changes.map(({ before: { number } }) => byNumber.get(number)).filter((row) => row !== undefined)
}

/** Moves the counters of the project for test cases that are archived and restored. */
async function countArchived(tx: Database, projectId: string, changes: readonly TestCaseChange[]): Promise<void> {
  const count = changes.reduce((sum, { before, after }) => sum + Number(after.archived) - Number(before.archived), 0)
  if (count === 0) return
  await sql`
    update projects set
      test_case_count = test_case_count - ${count}, archived_test_case_count = archived_test_case_count + ${count}
    where id = ${projectId}`.execute(tx)
}

/** What a test case was before a change. */
function toEarlierVersion({ before, after }: TestCaseChange): EarlierVersion {
  const names = VERSIONED.filter((name) => !isDeepStrictEqual(before[name], after[name]))
  const { values: earlier = {} } = before
  const { values = {} } = after
  const fieldNumbers = [...new Set([...Object.keys(earlier), ...Object.keys(values)])]
  const changed = fieldNumbers.filter((number) => !isDeepStrictEqual(earlier[number], values[number]))
  return {
    number: before.number,
    version: before.version,
    before: Object.fromEntries([
      ...names.map((name) => [name, before[name]] as const),
      ...changed.map((number) => [`fields.${number}`, earlier[number] ?? null] as const),
      ...listChangedSteps(before.steps, after.steps).map((name) => [name, before.steps?.[name] ?? null] as const),
    ]),
  }
}

/** What the statement that writes a change needs of its new fields. */
function pickWritten({ before, after }: TestCaseChange): WrittenFields {
  const { values, steps, ...fields } = after
  const isRewritten = steps !== undefined && listChangedSteps(before.steps, steps).length > 0
  const written: WrittenFields = isRewritten
    ? { ...fields, steps: steps.steps, step_groups: steps.step_groups ?? null, steps_hash: hashSteps(steps.steps) }
    : fields
  if (values === undefined) return written
  const removed = Object.keys(before.values ?? {}).map((number) => [number, null] as const)
  return { ...written, fields: { ...Object.fromEntries(removed), ...values } }
}

type WrittenFields = Omit<BatchFields, 'values' | 'steps'> & {
  fields?: ValueChanges
  steps?: StoredSteps['steps']
  step_groups?: StoredSteps['step_groups']
  steps_hash?: string
}

/** By how much the number of test cases of each folder changes, without archived ones. */
function countMoves(changes: readonly TestCaseChange[]): { ids: string[]; differences: number[] } {
  const differences = new Map<string, number>()
  const add = (id: string | null, difference: number) => {
    if (id !== null) differences.set(id, (differences.get(id) ?? 0) + difference)
  }
  for (const { before, after } of changes) {
    if (!before.archived) add(before.folder_id, -1)
    if (!after.archived) add(after.folder_id, 1)
  }
  const moved = [...differences].filter(([, difference]) => difference !== 0)
  return { ids: moved.map(([id]) => id), differences: moved.map(([, difference]) => difference) }
}
