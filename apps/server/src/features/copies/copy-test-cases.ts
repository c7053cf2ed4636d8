import { type Copies, MAX_COPIED_TEXT_BYTES } from '@caseward/contract/copies'

import type { ProjectRef } from '../../access/project-cache.ts'
import type { Database } from '../../platform/database/connect.ts'
import { transactionWithRowMutex } from '../../platform/database/row-mutex.ts'
import { isUuid } from '../../platform/http/ids.ts'
import { invalidProblem, notFoundProblem, Problem, unprocessableProblem } from '../../platform/http/problems.ts'
import { selectAssignable } from '../assignments/assignments.queries.ts'
import { invalidValuesProblem } from '../fields/check-values.ts'
import type { ProjectFields } from '../fields/field-definitions.ts'
import { readFields } from '../fields/project-fields.ts'
import { findTooLarge } from '../fields/values-size.ts'
import { requireLockedProject } from '../projects/require-locked-project.ts'
import { requireFreeUses, saveUsesOfNew } from '../shared-steps/resolve-steps.ts'
import { requireFolders } from '../test-cases/batch-references.ts'
import { buildContentDigest } from '../test-cases/content-digest.ts'
import { insertTestCases } from '../test-cases/create-test-cases.ts'
import type { NewTestCase } from '../test-cases/test-case-fields.ts'
import { formatTestCaseId } from '../test-cases/test-case-ids.ts'
import { getBodyPath } from '../test-cases/test-case-references.ts'
import { countTextBytes, type Original, selectOriginals } from './copied-cases.queries.ts'
import type { WrittenContents } from './copied-contents.ts'
import { copyFiles, copyRequirements } from './copied-parts.ts'
import { addDefaults, copyValues, type LeftOut, listUsers } from './copied-values.ts'
import { numberTitle } from './number-title.ts'

/** What is copied, and where to. */
export interface CopyRequest {
  source: ProjectRef
  target: ProjectRef
  /** Test cases of the source, each once, in the order of their copies. */
  numbers: readonly number[]
  /** Copies of each. */
  count: number
  /** Undefined for the folder of each original, or the top level of another project. */
  folderId: string | null | undefined
  /** Contents of files that the target did not have. */
  contents: WrittenContents
}

/** What the copies of one test case have in common. */
interface Template {
  original: Original
  /** Without the title, which each copy has its own of. */
  copy: Omit<NewTestCase, 'title' | 'content_digest'>
  leftOut: LeftOut[]
  /** Keys of required fields without a value. */
  missing: string[]
}

/**
 * Copies test cases, all or none. Locks the project of the copies, then their files; of another project, it only reads.
 * @throws {Problem} 400 for an unknown folder; 404 for an unknown test case; 422 for too long texts, a required field without a
 *   value, or a shared step with too many uses
 */
export async function copyTestCases(db: Database, userId: string, request: CopyRequest): Promise<Copies> {
  const { source, target, numbers, count, folderId, contents } = request
  const isOtherProject = source.id !== target.id
  return await transactionWithRowMutex(db, target.id, async (tx) => {
    const { fields_version: fieldsVersion } = await requireLockedProject(tx, target.id)
    await requireFolders(tx, target.id, folderId === undefined ? [] : [{ folder_id: folderId }], getBodyPath)
    if ((await countTextBytes(tx, source.id, numbers)) * count > MAX_COPIED_TEXT_BYTES) throw tooLargeProblem()
    const found = await selectOriginals(tx, source.id, numbers)
    const originals = numbers.map((number) => {
      const original = found.get(number)
      if (original === undefined) throw notFoundProblem('test case')
      return original
    })
    const targetFields = await readFields(tx, target.id, fieldsVersion)
    const fields = { source: isOtherProject ? await readFields(tx, source.id) : targetFields, target: targetFields }
    const templates = await planCopies(tx, originals, { target, fields, folderId, isOtherProject })
    requireValues(source, templates)

    const copies = templates.flatMap((template) => {
      const titles = numberTitle(template.original.title, count)
      if (titles.isShortened) template.leftOut.push({ field: 'title', reason: 'shortened' })
      return titles.titles.map((title) => ({ template, title }))
    })
    const items = copies.map(({ template: { copy }, title }) => ({
      ...copy,
      title,
      content_digest: buildContentDigest(title, copy.steps),
    }))
    await requireFreeUses(
      tx,
      target.id,
      items.map((steps) => ({ current: null, steps })),
    )
    const { rows } = await insertTestCases(tx, target.id, userId, items, { fieldsVersion })
    const created = copies.map(({ template, title }, index) => ({
      original: template.original.number,
      number: rows[index]?.number ?? 0,
      title,
    }))
    await saveUsesOfNew(
      tx,
      target.id,
      created.map(({ number }) => number),
      items,
    )
    const parts = { sourceId: source.id, targetId: target.id, userId, numbers, created }
    await copyRequirements(tx, parts)
    const lostFiles = await copyFiles(tx, parts, contents)
    const leftOutOf = ({ original, leftOut }: Template) => [...leftOut, ...(lostFiles.get(original.number) ?? [])]
    return {
      created: created.length,
      project_id: target.id,
      test_cases: created.map(({ original, number, title }) => ({
        id: formatTestCaseId(target.prefix, number),
        title,
        copy_of: formatTestCaseId(source.prefix, original),
      })),
      skipped: templates.flatMap((template) =>
        leftOutOf(template).map((part) => ({
          test_case_id: formatTestCaseId(source.prefix, template.original.number),
          ...part,
        })),
      ),
    }
  })
}

/** Plans what the copies of each test case have in common. */
async function planCopies(
  tx: Database,
  originals: readonly Original[],
  {
    target,
    fields,
    folderId,
    isOtherProject,
  }: {
    target: ProjectRef
    fields: { source: ProjectFields; target: ProjectFields }
    folderId: string | null | undefined
    isOtherProject: boolean
  },
): Promise<Template[]> {
  const users = originals.flatMap(({ owner_id: owner, fields: values }) => [
    ...(owner === null ? [] : [owner]),
    ...listUsers(fields.source, values),
  ])
  const members =
    users.length === 0 ? new Set() : await selectAssignable(tx, target.id, [...new Set(users)].filter(isUuid))
  const isMember = (id: string) => members.has(id)
  return originals.map((original) => {
    const { number: _, title: _title, fields: stored, ...kept } = original
    const { values, leftOut } = copyValues(fields, stored, isMember)
    const missing = addDefaults(fields.target, values, { isOtherProject })
    const tooLarge = findTooLarge(fields.target, values, '/project_id')
    if (tooLarge.length > 0) throw invalidValuesProblem(tooLarge)
    const hasOwner = kept.owner_id !== null && isMember(kept.owner_id)
    if (kept.owner_id !== null && !hasOwner) leftOut.push({ field: 'owner_id', reason: 'not_a_member' })
    if (isOtherProject && kept.step_groups !== null) leftOut.push({ field: 'step_groups', reason: 'other_project' })
    const copy = {
      ...kept,
      automation_keys: [],
      folder_id: folderId === undefined ? (isOtherProject ? null : kept.folder_id) : folderId,
      owner_id: hasOwner ? kept.owner_id : null,
      fields: Object.keys(values).length === 0 ? null : values,
      step_groups: isOtherProject ? null : kept.step_groups,
    }
    return { original, copy, leftOut, missing }
  })
}

/** @throws {Problem} 422 with the test cases that lack a value which a new one must have */
function requireValues({ prefix }: ProjectRef, templates: readonly Template[]): void {
  const lacking = templates
    .filter(({ missing }) => missing.length > 0)
    .map(({ original, missing }) => ({ test_case_id: formatTestCaseId(prefix, original.number), fields: missing }))
  const [first] = lacking
  if (first === undefined) return
  const others =
    lacking.length === 1 ? '' : `, nor have ${(lacking.length - 1).toLocaleString('en')} more what they need`
  throw new Problem(
    422,
    'required_fields_missing',
    `${first.test_case_id} has no value of ${first.fields.join(', ')} that a new test case there must have${others}. Nothing was copied. Set the fields in \`missing\`, or give them a default in the project of the copies.`,
    { extensions: { missing: lacking } },
  )
}

const tooLargeProblem = () =>
  unprocessableProblem(
    'copies_too_large',
    'The texts of the copies would take more than 10 MB. Nothing was copied. Make fewer copies at a time.',
  )

/** 400 with every id that is no test case of the project. */
export const unknownOriginalsProblem = (indexes: readonly number[]) =>
  invalidProblem(
    indexes.map((index) => ({ path: `/test_case_ids/${index}`, message: 'is not a test case of this project' })),
  )
