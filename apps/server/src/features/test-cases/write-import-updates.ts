import { sql } from 'kysely'

import type { ProjectRef } from '../../access/project-cache.ts'
import type { Database } from '../../platform/database/connect.ts'
import type { CaseAuthor } from '../case-versions/case-author.ts'
import { recordVersionsOfSent } from '../case-versions/record-versions.ts'
import { keepChangedValues } from '../fields/case-field-values.queries.ts'
import { notifyTestCasesChanged } from '../events/notify-distributed-change.ts'
import { saveUses } from '../shared-steps/shared-step-uses.queries.ts'
import { replaceAutomationKeysOfMany } from './automation-keys.queries.ts'
import { hashChanges } from './content-digest.ts'
import { writeTestCaseChanges } from './change-test-cases.ts'
import { createPlan, planPlace } from './plan-changes.ts'
import type { ImportUpdate } from './plan-import-updates.ts'
import { SENT_DEFINITIONS, toSentItem, UPDATES_OF_SENT } from './test-case-fields.ts'

interface ImportAuthor {
  author: CaseAuthor
  /** The last number that was assigned in the project. */
  lastNumber: number
}

/**
 * Stores the updates of an import that change something. The caller holds the locks on the project and on the test cases,
 * and has created the folders.
 */
export async function writeImportUpdates(
  tx: Database,
  project: ProjectRef,
  { author, lastNumber }: ImportAuthor,
  updates: readonly ImportUpdate[],
): Promise<void> {
  const changes = updates.filter(({ changed }) => changed.length > 0)
  if (changes.length === 0) return
  await recordVersionsOfSent(tx, project.id, author, changes.map(toSentUpdate))
  await moveToFolders(tx, project, { author, lastNumber }, changes)
  const withNewKeys = changes.flatMap(({ testCase: { number }, fields: { automation_keys: keys } }) =>
    keys === undefined ? [] : [{ number, keys }],
  )
  await replaceAutomationKeysOfMany(tx, project.id, withNewKeys)
  await saveUses(
    tx,
    project.id,
    changes.flatMap(({ changedUses }) => changedUses),
  )
  const items = changes.map(({ testCase: { number }, fields }) => ({
    ...toSentItem(number, fields),
    ...hashChanges(fields),
  }))
  const withValues = changes.flatMap(({ testCase: { number }, fields: { fields: values } }) =>
    values === undefined ? [] : [number],
  )
  const update = sql`
    update test_cases c set
      ${sql.raw(UPDATES_OF_SENT)},
      version = c.version + 1, updated_by = ${author.userId}, updated_at = statement_timestamp()
    from json_to_recordset(${JSON.stringify(items)}) as item (
      number int, title_hash text, steps_hash text, ${sql.raw(SENT_DEFINITIONS)}
    )
    where c.project_id = ${project.id} and c.number = item.number`
  await keepChangedValues(project.id, withValues, { update, returning: {} }).execute(tx)
  await notifyTestCasesChanged(
    tx,
    project.id,
    items.map(({ number }) => number),
  )
}

const toSentUpdate = ({ testCase: { number, folder_id }, fields, folderId }: ImportUpdate) => ({
  number,
  sent: { ...fields, ...(folderId === folder_id ? {} : { folder_id: folderId }) },
})

/** Puts test cases at the end of their new folders, in the order of the rows. */
async function moveToFolders(
  tx: Database,
  project: ProjectRef,
  { author, lastNumber }: ImportAuthor,
  changes: readonly ImportUpdate[],
): Promise<void> {
  const moved = changes.filter(({ testCase, folderId }) => testCase.folder_id !== folderId)
  const plan = createPlan(moved.map(({ testCase }) => testCase))
  const arrivals = new Map<string | null, number[]>()
  for (const { testCase, folderId } of moved) {
    const numbers = arrivals.get(folderId)
    if (numbers === undefined) arrivals.set(folderId, [testCase.number])
    else numbers.push(testCase.number)
  }
  for (const [folderId, numbers] of arrivals) {
    await planPlace(tx, plan, { projectId: project.id, lastNumber, folderId, after: 'end' }, numbers)
  }
  // The version counts the import once: the statement that writes the fields changes it.
  await writeTestCaseChanges(tx, project, author, [...plan.values()], { keepsVersion: true })
}
