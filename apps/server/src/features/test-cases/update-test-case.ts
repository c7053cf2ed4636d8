import type { TestCase, UpdatedTestCase, UpdateTestCaseBody } from '@caseward/contract/test-case-schemas'
import { sql } from 'kysely'

import { type Database, violatesConstraint } from '../../platform/database/connect.ts'
import { isUuid } from '../../platform/http/ids.ts'
import { notifyTestCasesChanged } from '../events/notify-distributed-change.ts'
import { formatTestCaseId } from './test-case-ids.ts'
import type { ProjectRef } from '../../access/project-cache.ts'
import { presentTime } from '../../platform/http/timestamps.ts'
import { invalidProblem, notFoundProblem } from '../../platform/http/problems.ts'
import { keepChangedValues } from '../fields/case-field-values.queries.ts'
import { presentValues, type ProjectFields } from '../fields/field-definitions.ts'
import { readFields } from '../fields/project-fields.ts'
import { invalidValuesProblem } from '../fields/check-values.ts'
import { findTooLargeAfter } from '../fields/values-size.ts'
import { requireChangedValues } from '../fields/require-values.ts'
import type { StoredValues, ValueChanges } from '../fields/stored-values.ts'
import type { AuditActor } from '../audit/record-audit.ts'
import type { CaseAuthor } from '../case-versions/case-author.ts'
import {
  buildRecordedVersions,
  forgetOldest,
  recordVersionsOfSent,
  type SentValues,
} from '../case-versions/record-versions.ts'
import { requireLockedProject } from '../projects/require-locked-project.ts'
import { replaceSteps } from '../shared-steps/replace-steps.ts'
import { hasSharedStepItems } from '../shared-steps/step-groups.ts'
import { distinctKeys, readSentKeys } from './automation-keys.ts'
import { replaceAutomationKeys, selectAutomationKeys } from './automation-keys.queries.ts'
import {
  automationKeyTakenProblem,
  findUsedAutomationKeys,
  getBodyPath,
  requireOwners,
  unknownFolderError,
} from './test-case-references.ts'
import { isChange, lockTestCases, writeTestCaseChanges } from './change-test-cases.ts'
import { createPlan, planFields, planPlace } from './plan-changes.ts'
import { lockValues, mergeSentValues } from './case-values.queries.ts'
import { hashChanges, toChangedDigest } from './content-digest.ts'
import { recordArchiving } from './record-archiving.ts'
import { type TestCaseFields, toStoredFields } from './test-case-fields.ts'
import { requireVersion } from './test-case-version.ts'

interface UpdateOptions {
  author: CaseAuthor
  /** The version that the change is based on; null for any. */
  version: number | null
  /** Whether steps are only those of shared steps that the change names. */
  isExact?: boolean
  /** Who archives or restores, for the audit log; missing where a change does neither. */
  actor?: AuditActor
}

/**
 * Changes the fields that are sent, and returns them.
 * @throws {Problem} 404 for an unknown test case; 400 for an unknown folder or owner, or an invalid value of a custom field; 409 for an automation key in use; 412 when
 *   the test case has another version
 */
export async function updateTestCase(
  db: Database,
  project: ProjectRef,
  number: number,
  change: UpdateTestCaseBody,
  options: UpdateOptions,
): Promise<UpdatedTestCase> {
  const { folder_id: folderId } = change
  if (typeof folderId === 'string' && !isUuid(folderId)) throw invalidProblem([unknownFolderError('')])
  try {
    return await db.transaction().execute((tx) => updateTestCaseIn(tx, project, number, change, options))
  } catch (error) {
    if (violatesConstraint(error, 'test_cases_project_id_folder_id_fkey'))
      throw invalidProblem([unknownFolderError('')])
    if (violatesConstraint(error, 'automation_keys_pkey')) {
      throw automationKeyTakenProblem(await findUsedAutomationKeys(db, project.id, [change], getBodyPath, number))
    }
    throw error
  }
}

/** Does the same as {@link updateTestCase} in a transaction. Violated constraints are errors of the database. */
export async function updateTestCaseIn(
  tx: Database,
  project: ProjectRef,
  number: number,
  change: UpdateTestCaseBody,
  { author, version, actor, isExact = false }: UpdateOptions,
): Promise<UpdatedTestCase> {
  const { folder_id: folderId, archived } = change
  await requireOwners(tx, project.id, [change], getBodyPath)
  const needsLock =
    folderId !== undefined || archived !== undefined || hasSharedStepItems(change.steps) || hasKeys(change)
  const locked = needsLock ? await requireLockedProject(tx, project.id) : undefined
  const testCase = await requireVersion(tx, project, number, version)
  if (testCase === null) throw notFoundProblem('test case')
  const steps = await replaceSteps(tx, project.id, number, change.steps, { ...testCase, isExact })
  const keys = await changeKeys(tx, project, number, change)
  const values = await readChangedValues(tx, project, number, change)
  const fields = { ...toStoredFields(change, steps), ...(keys === undefined ? {} : { automation_keys: keys }) }
  const sent = { ...fields, ...(archived === undefined ? {} : { archived }) }
  const hasChange = Object.keys({ ...sent, ...values?.changes }).length > 0
  const versions = hasChange
    ? [{ number, sent: { ...sent, ...(values === undefined ? {} : { fields: values.changes }) } }]
    : []
  const stored = { fields, values, archived }
  if (locked === undefined) return await updateRow(tx, project, number, { ...stored, versions }, author)
  // A version is what the test case was before anything of it changes.
  await recordVersionsOfSent(tx, project.id, author, versions)
  const place = { number, folderId, archived, lastNumber: locked.last_test_case_number }
  await placeTestCase(tx, project, { author, actor }, place)
  return await updateRow(tx, project, number, { ...stored, versions: [] }, author)
}

interface NewPlace {
  number: number
  lastNumber: number
  /** Undefined to stay where it is. */
  folderId: string | null | undefined
  archived: boolean | undefined
}

/**
 * Puts the test case at the end of another folder if it is not in it, and archives or restores it. The caller has locked the
 * project, as every request that adds, removes or moves test cases does, so that the counts stay correct.
 */
async function placeTestCase(
  tx: Database,
  project: ProjectRef,
  { author, actor }: { author: CaseAuthor; actor: AuditActor | undefined },
  { number, folderId, archived, lastNumber }: NewPlace,
): Promise<void> {
  const testCase = (await lockTestCases(tx, project.id, [number])).get(number)
  if (testCase === undefined) return
  const plan = createPlan([testCase])
  if (archived !== undefined && archived !== testCase.archived) {
    planFields(plan, number, { archived })
    if (actor !== undefined) await recordArchiving(tx, actor, project, new Map([[number, archived]]))
  }
  if (folderId !== undefined && folderId !== testCase.folder_id) {
    await planPlace(tx, plan, { projectId: project.id, lastNumber, folderId, after: 'end' }, [number])
  }
  // The version counts the request once: updateRow changes it.
  await writeTestCaseChanges(tx, project, author, [...plan.values()].filter(isChange), { keepsVersion: true })
}

const hasKeys = ({ automation_key: key, automation_keys: keys }: UpdateTestCaseBody) =>
  key !== undefined || keys !== undefined

/**
 * Changes the automation keys, all or the first of them. The caller has locked the project, since keys decide about links of tests.
 * @returns the new keys; undefined if the change contains none
 */
async function changeKeys(
  tx: Database,
  project: ProjectRef,
  number: number,
  change: UpdateTestCaseBody,
): Promise<string[] | undefined> {
  const sent = readSentKeys(change)
  if (sent === undefined) return undefined
  const current = await selectAutomationKeys(tx, project.id, number)
  if (current === null) throw notFoundProblem('test case')
  const keys = 'all' in sent ? sent.all : distinctKeys([sent.first, ...current.slice(1)])
  await replaceAutomationKeys(tx, project.id, number, keys)
  return keys
}

interface ChangedValues {
  fields: ProjectFields
  changes: ValueChanges
}

/** Checks the values of custom fields that a change contains; undefined if it contains none. */
async function readChangedValues(
  tx: Database,
  project: ProjectRef,
  number: number,
  { fields: sent }: UpdateTestCaseBody,
): Promise<ChangedValues | undefined> {
  if (sent === undefined) return undefined
  const fields = await readFields(tx, project.id)
  const readCurrent = async () => (await lockValues(tx, project.id, [number])).get(number) ?? null
  const changes = await requireChangedValues(tx, project.id, fields, { sent, path: '/fields', readCurrent })
  const errors = await findTooLargeAfter(tx, project.id, fields, [{ number, changes, path: '/fields' }])
  if (errors.length > 0) throw invalidValuesProblem(errors)
  return { fields, changes }
}

interface UpdatedRow {
  title: string
  priority: TestCase['priority']
  updated_at: Date
  version: number
  archived_at: Date | null
  /** Only if values of custom fields were sent. */
  fields?: StoredValues | null
}

interface RowChange {
  fields: Partial<Omit<TestCaseFields, 'fields'>>
  values: ChangedValues | undefined
  archived: boolean | undefined
  /** The version that the statement of the update keeps; none where it is kept already, or nothing changes. */
  versions: readonly SentValues[]
}

async function updateRow(
  tx: Database,
  project: ProjectRef,
  number: number,
  { fields, values, archived, versions }: RowChange,
  author: CaseAuthor,
): Promise<UpdatedTestCase> {
  const { steps, step_groups: groups, ...columns } = fields
  const hasChange = archived !== undefined || Object.keys({ ...fields, ...values?.changes }).length > 0
  const update = tx
    .updateTable('test_cases as c')
    .set({
      ...columns,
      ...(steps === undefined ? {} : { steps: JSON.stringify(steps) }),
      ...(groups === undefined ? {} : { step_groups: groups === null ? null : JSON.stringify(groups) }),
      ...(values === undefined ? {} : { fields: mergeSentValues(values.changes) }),
      ...(fields.title === undefined && steps === undefined
        ? {}
        : { content_digest: toChangedDigest(hashChanges({ title: fields.title, steps })) }),
      updated_at: hasChange ? sql`statement_timestamp()` : sql`updated_at`,
      version: hasChange ? sql`c.version + 1` : sql`c.version`,
      updated_by: hasChange ? author.userId : sql`updated_by`,
    })
    .where('project_id', '=', project.id)
    .where('number', '=', number)
  const names = [
    'title',
    'priority',
    'updated_at',
    'version',
    'archived_at',
    ...(values === undefined ? [] : ['fields']),
  ]
  const { rows } = await keepChangedValues<UpdatedRow>(project.id, values === undefined ? [] : [number], {
    ...(versions.length === 0 ? {} : { queries: buildRecordedVersions(project.id, author, versions) }),
    update: sql`${update}`,
    returning: Object.fromEntries(names.map((name) => [name, `c.${name}`])),
  }).execute(tx)
  const [row] = rows
  if (row === undefined) throw notFoundProblem('test case')
  if (versions.length > 0) await forgetOldest(tx, project.id, [{ number, version: row.version - 1 }])
  if (hasChange) await notifyTestCasesChanged(tx, project.id, [number])
  const { title, priority, updated_at, version, archived_at: archivedAt } = row
  const { automation_keys: keys } = fields
  return {
    id: formatTestCaseId(project.prefix, number),
    title,
    priority,
    updated_at: presentTime(updated_at),
    version,
    ...(keys === undefined ? {} : { automation_key: keys[0] ?? null }),
    ...columns,
    ...(steps === undefined ? {} : { steps }),
    ...(groups === undefined || groups === null ? {} : { step_groups: groups }),
    ...(archived === undefined ? {} : { archived_at: archivedAt === null ? null : presentTime(archivedAt) }),
    ...(values === undefined ? {} : { fields: presentValues(values.fields, row.fields ?? {}) }),
  }
}
