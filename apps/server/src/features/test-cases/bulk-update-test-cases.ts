import type { BulkUpdateBody } from '@caseward/contract/test-case-batches'
import { MAX_TAGS } from '@caseward/contract/test-case-fields'

import type { ProjectRef } from '../../access/project-cache.ts'
import type { Database } from '../../platform/database/connect.ts'
import { transactionWithRowMutex } from '../../platform/database/row-mutex.ts'
import { invalidFieldProblem, invalidProblem } from '../../platform/http/problems.ts'
import type { AuditActor } from '../audit/record-audit.ts'
import type { CaseAuthor } from '../case-versions/case-author.ts'
import { NO_FIELDS, type ProjectFields } from '../fields/field-definitions.ts'
import { type CreatedOption, NamedOptions } from '../fields/named-options.ts'
import { readFields } from '../fields/project-fields.ts'
import { requireRole } from '../members/require-role.ts'
import { requireLockedProject } from '../projects/require-locked-project.ts'
import { applyEdits, type BatchResult, type Edit } from './apply-edits.ts'
import { requireFolders, requireLockedTestCases } from './batch-references.ts'
import { addChangedValues, addRestoredValues, changesValues, requireValueChange } from './bulk-values.ts'
import { addConvertedSteps, addRestoredSteps, requireTemplate } from './convert-steps.ts'
import { getInitialPosition, isPosition } from './positions.ts'
import { recordArchiving } from './record-archiving.ts'
import { requireOwners } from './test-case-references.ts'

/**
 * Changes many test cases in the same way, or restores what such a request has changed; all or none. Locks the project.
 * @throws {Problem} 400 with every unknown test case, folder, owner and position, every invalid value, and every test case with
 *   too many tags or options; 403 unless an admin creates options; 422 for too long texts
 */
export async function bulkUpdateTestCases(
  db: Database,
  project: ProjectRef,
  { author, actor }: { author: CaseAuthor; actor: AuditActor },
  body: BulkUpdateBody,
): Promise<BatchResult & { options_created?: CreatedOption[] }> {
  const { test_case_ids: ids, restore, create_options: createsOptions = false, ...change } = body
  if ((ids === undefined) === (restore === undefined)) {
    throw invalidFieldProblem('/test_case_ids', 'or /restore is required, and not both')
  }
  requireTemplate(change)
  if (restore !== undefined && (createsOptions || Object.values(change).some((part) => part !== undefined))) {
    throw invalidFieldProblem('/restore', 'cannot be combined with other changes')
  }
  return await transactionWithRowMutex(db, project.id, async (tx) => {
    const { last_test_case_number: lastNumber, fields_version: version } = await requireLockedProject(tx, project.id)
    const stored = changesValues(body) ? await readFields(tx, project.id, version) : NO_FIELDS
    const apply = async (fields: ProjectFields, edits: readonly Edit[]) => {
      const result = await applyEdits(tx, project, { author, lastNumber, fields }, edits)
      await recordArchiving(tx, actor, project, findArchived(edits))
      return result
    }
    if (!createsOptions) {
      const edits =
        restore === undefined
          ? await planUpdate(tx, project, stored, ids ?? [], change)
          : await planRestore(tx, project, stored, restore, getInitialPosition(lastNumber + 1))
      return await apply(stored, edits)
    }
    await requireRole(tx, { projectId: project.id, userId: author.userId ?? '' }, 'project:settings')
    const named = new NamedOptions(stored)
    const update = nameOptions(change, named)
    const edits = await planUpdate(tx, project, named.fields, ids ?? [], update)
    await named.save(tx, actor, project.id)
    return { ...(await apply(named.fields, edits)), options_created: [...named.created] }
  })
}

/** The new state of those test cases that edits archive and restore, by number. Of several for one, the last one counts. */
function findArchived(edits: readonly Edit[]): Map<number, boolean> {
  const changes = new Map<number, boolean>()
  for (const { testCase, fields } of edits) {
    if (fields.archived === undefined) continue
    if (fields.archived === testCase.archived) changes.delete(testCase.number)
    else changes.set(testCase.number, fields.archived)
  }
  return changes
}

/** A change with the keys of the options that it names. */
const nameOptions = ({ set, add_options: added, ...change }: BulkUpdateBody, named: NamedOptions): BulkUpdateBody => ({
  ...change,
  ...(set === undefined
    ? {}
    : { set: { ...set, ...(set.fields === undefined ? {} : { fields: named.toKeys(set.fields) }) } }),
  ...(added === undefined ? {} : { add_options: named.toKeys(added) }),
})

async function planUpdate(
  tx: Database,
  project: ProjectRef,
  projectFields: ProjectFields,
  ids: readonly string[],
  body: BulkUpdateBody,
): Promise<Edit[]> {
  const { set: { fields: _values, ...fields } = {}, add_tags: added = [], remove_tags: removed = [] } = body
  await requireFolders(tx, project.id, [fields], () => '/set')
  await requireOwners(tx, project.id, [fields], () => '/set')
  const valueChange = await requireValueChange(tx, project.id, projectFields, body)
  const testCases = await requireLockedTestCases(tx, project, ids, (index) => `/test_case_ids/${index}`)
  const addValues = async (edits: readonly Edit[]) => {
    const { template } = fields
    const converted =
      template !== undefined && body.convert_steps === true
        ? await addConvertedSteps(tx, project.id, edits, template)
        : edits
    return await addChangedValues(tx, project.id, converted, valueChange)
  }
  if (added.length + removed.length === 0) return await addValues(testCases.map((testCase) => ({ testCase, fields })))
  const edits = testCases.map((testCase) => {
    const kept = testCase.tags.filter((tag) => !removed.includes(tag))
    return { testCase, fields: { ...fields, tags: [...new Set([...kept, ...added])] } }
  })
  const errors = edits.flatMap(({ fields: { tags } }, index) =>
    tags.length > MAX_TAGS
      ? [{ path: `/test_case_ids/${index}`, message: `would have more than ${MAX_TAGS} tags` }]
      : [],
  )
  if (errors.length > 0) throw invalidProblem(errors)
  return await addValues(edits)
}

/** @param end positions of the project are before this one */
async function planRestore(
  tx: Database,
  project: ProjectRef,
  projectFields: ProjectFields,
  items: NonNullable<BulkUpdateBody['restore']>,
  end: string,
): Promise<Edit[]> {
  await requireFolders(tx, project.id, items, (index) => `/restore/${index}`)
  await requireOwners(tx, project.id, items, (index) => `/restore/${index}`)
  const testCases = await requireLockedTestCases(
    tx,
    project,
    items.map(({ id }) => id),
    (index) => `/restore/${index}/id`,
  )
  const errors = items.flatMap(({ position }, index) =>
    position === undefined || isPosition(position, end)
      ? []
      : [{ path: `/restore/${index}/position`, message: 'is not a position of this project' }],
  )
  if (errors.length > 0) throw invalidProblem(errors)
  const edits = testCases.map((testCase, index) => {
    const { id: _, tags, fields: _values, steps: _steps, ...fields } = items[index] ?? { id: '' }
    return { testCase, fields: { ...fields, ...(tags === undefined ? {} : { tags: [...new Set(tags)] }) } }
  })
  const withSteps = await addRestoredSteps(tx, project.id, edits, items)
  return await addRestoredValues(tx, project.id, projectFields, withSteps, items)
}
