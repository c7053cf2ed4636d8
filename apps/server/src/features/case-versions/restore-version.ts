import type { RestoredTestCase } from '@caseward/contract/case-versions'
import type { UpdateTestCaseBody } from '@caseward/contract/test-case-schemas'

import type { ProjectRef } from '../../access/project-cache.ts'
import type { Database } from '../../platform/database/connect.ts'
import { transactionWithRowMutex } from '../../platform/database/row-mutex.ts'
import { notFoundProblem, unprocessableProblem } from '../../platform/http/problems.ts'
import { selectAssignable } from '../assignments/assignments.queries.ts'
import { requireLockedProject } from '../projects/require-locked-project.ts'
import { selectCaseNumbersByKey } from '../test-cases/automation-keys.queries.ts'
import type { TestCaseFields } from '../test-cases/test-case-fields.ts'
import { restoreSteps } from '../shared-steps/restore-steps.ts'
import { requireVersion } from '../test-cases/test-case-version.ts'
import { selectTestCase } from '../test-cases/test-cases.queries.ts'
import { updateTestCaseIn } from '../test-cases/update-test-case.ts'
import type { CaseAuthor } from './case-author.ts'
import { requireStoredVersion } from './read-version.ts'
import { restoreValues } from './restore-values.ts'

type Skipped = RestoredTestCase['skipped']

/** The fields that are restored as they were, whatever else has changed. */
const PLAIN_FIELDS = [
  'title',
  'priority',
  'type',
  'precondition',
  'expected_result',
  'tags',
  'estimate',
  'template',
] as const

/**
 * Gives a test case the fields of an earlier version. What does not exist any more stays as it is.
 * @throws {Problem} 404 for an unknown test case or version; 412 when the test case has another version; 422 for the version
 *   that it has
 */
export async function restoreVersion(
  db: Database,
  project: ProjectRef,
  number: number,
  version: string,
  { author, ifMatch }: { author: CaseAuthor; ifMatch: number | null },
): Promise<RestoredTestCase> {
  return await transactionWithRowMutex(db, project.id, async (tx) => {
    const { fields_version: fieldsVersion } = await requireLockedProject(tx, project.id)
    await requireVersion(tx, project, number, ifMatch)
    const stored = await requireStoredVersion(tx, project.id, number, version)
    const { content, current } = stored
    if (stored.version === current.version) {
      throw unprocessableProblem('already_current', `The test case has version ${version} already.`)
    }
    const { change, skipped } = await planRestore(tx, project, number, content, current)
    const values = await restoreValues(tx, project.id, fieldsVersion, content.fields, current.fields)
    const all = Object.keys(values.fields).length === 0 ? change : { ...change, fields: values.fields }
    await updateTestCaseIn(tx, project, number, all, {
      author: { ...author, summary: author.summary ?? `Restored version ${version}` },
      version: null,
      isExact: true,
    })
    const restored = await selectTestCase(tx, project, number)
    if (restored === null) throw notFoundProblem('test case')
    const testCase = JSON.parse(restored) as Omit<RestoredTestCase, 'skipped'>
    return { ...testCase, skipped: [...skipped, ...values.skipped] }
  })
}

/** Returns what differs and can be restored. The caller holds the lock on the project. */
async function planRestore(
  tx: Database,
  project: ProjectRef,
  number: number,
  content: TestCaseFields,
  current: TestCaseFields,
): Promise<{ change: UpdateTestCaseBody; skipped: Skipped }> {
  const isChanged = (name: keyof TestCaseFields) => JSON.stringify(content[name]) !== JSON.stringify(current[name])
  const change: UpdateTestCaseBody = Object.fromEntries(
    PLAIN_FIELDS.filter(isChanged).map((name) => [name, content[name]]),
  )
  const skipped: Skipped = []
  if (isChanged('steps') || isChanged('step_groups')) {
    const { steps, isComplete } = await restoreSteps(tx, project.id, content)
    change.steps = steps
    if (!isComplete) skipped.push({ field: 'step_groups', reason: 'not_found' })
  }
  if (isChanged('folder_id')) {
    if (await hasFolder(tx, project.id, content.folder_id)) change.folder_id = content.folder_id
    else skipped.push({ field: 'folder_id', reason: 'not_found' })
  }
  if (isChanged('owner_id')) {
    const { owner_id: id } = content
    if (id === null || (await selectAssignable(tx, project.id, [id])).has(id)) change.owner_id = id
    else skipped.push({ field: 'owner_id', reason: 'not_a_member' })
  }
  if (isChanged('automation_keys')) {
    const users = await selectCaseNumbersByKey(tx, project.id, content.automation_keys)
    if ([...users.values()].every((user) => user === number)) change.automation_keys = content.automation_keys
    else skipped.push({ field: 'automation_keys', reason: 'in_use' })
  }
  return { change, skipped }
}

async function hasFolder(tx: Database, projectId: string, id: string | null): Promise<boolean> {
  if (id === null) return true
  const row = await tx
    .selectFrom('folders')
    .select('id')
    .where('project_id', '=', projectId)
    .where('id', '=', id)
    .executeTakeFirst()
  return row !== undefined
}
