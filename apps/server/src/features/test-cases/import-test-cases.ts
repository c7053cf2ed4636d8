import type { ImportResult, ImportRow } from '@caseward/contract/test-case-imports'
import { type FieldError, MAX_FIELD_ERRORS } from '@caseward/contract/problem'

import type { ProjectRef } from '../../access/project-cache.ts'
import type { Database } from '../../platform/database/connect.ts'
import { transactionWithRowMutex } from '../../platform/database/row-mutex.ts'
import { invalidProblem } from '../../platform/http/problems.ts'
import type { AuditActor } from '../audit/record-audit.ts'
import type { CaseAuthor } from '../case-versions/case-author.ts'
import { insertFolders, planFolders } from '../folders/ensure-folders.ts'
import { invalidValuesProblem } from '../fields/check-values.ts'
import { NamedOptions } from '../fields/named-options.ts'
import { readFields } from '../fields/project-fields.ts'
import { requireRole } from '../members/require-role.ts'
import { requireLockedProject } from '../projects/require-locked-project.ts'
import { saveUsesOfNew } from '../shared-steps/resolve-steps.ts'
import { insertTestCases } from './create-test-cases.ts'
import { findImportErrors } from './find-import-errors.ts'
import { readImportKeys } from './import-keys.ts'
import { readImportOwners } from './import-owners.ts'
import { getRowPath } from './import-paths.ts'
import { type ImportValues, readImportValues } from './import-values.ts'
import { formatTestCaseId, parseTestCaseNumber } from './test-case-ids.ts'
import { toNewTestCase } from './test-case-fields.ts'
import { type ImportUpdate, planImportUpdates } from './plan-import-updates.ts'
import { readImportSteps } from './import-steps.ts'
import { writeImportUpdates } from './write-import-updates.ts'

interface ImportBody {
  rows: readonly ImportRow[]
  create_options?: boolean
}

interface ImportOptions {
  author: CaseAuthor
  actor: AuditActor
  /** Whether nothing is stored. */
  isDryRun: boolean
}

/**
 * Creates and updates test cases from the rows of a file, all or none. Locks the project, so that what is checked stays
 * true until it is written.
 * @throws {Problem} 400 with every error of every row; 403 unless an admin creates options; 404 when the project is gone
 */
export async function importTestCases(
  db: Database,
  project: ProjectRef,
  { rows: sent, create_options: createsOptions = false }: ImportBody,
  { author, actor, isDryRun }: ImportOptions,
): Promise<ImportResult> {
  return await transactionWithRowMutex(db, project.id, async (tx) => {
    const { last_test_case_number: lastNumber, fields_version: fieldsVersion } = await requireLockedProject(
      tx,
      project.id,
    )
    if (createsOptions) {
      await requireRole(tx, { projectId: project.id, userId: author.userId ?? '' }, 'project:settings')
    }
    const named = new NamedOptions(await readFields(tx, project.id, fieldsVersion))
    const rows = createsOptions ? nameOptions(sent, named) : sent
    const keys = await readImportKeys(tx, project, rows)
    const owners = await readImportOwners(tx, project, rows)
    const values = await readImportValues(tx, project, named.fields, rows)
    const errors = await findImportErrors(tx, project, rows, [
      ...keys.errors,
      ...owners.errors,
      ...toFieldErrors(values),
    ])
    if (errors.length > 0) {
      throw errors.length === values.errors.length ? invalidValuesProblem(values.errors) : invalidProblem(errors)
    }

    const folders = await planFolders(
      tx,
      project.id,
      null,
      rows.map(({ folder_path: path }) => path ?? []),
    )
    const stepsOfRows = await readImportSteps(tx, project.id, rows)
    const updates = await planImportUpdates(tx, project, rows, {
      keys,
      owners,
      values,
      folderIds: folders.ids,
      steps: stepsOfRows,
    })
    const created = rows.flatMap((row, index) => (row.id === undefined ? [{ row, index }] : []))
    const optionsCreated = createsOptions ? { options_created: [...named.created] } : {}
    if (isDryRun) {
      return {
        ...present(project, rows, updates, { folderCount: folders.missing.length, numbers: [] }),
        ...optionsCreated,
      }
    }

    await named.save(tx, actor, project.id)
    await insertFolders(tx, project.id, folders.missing)
    await writeImportUpdates(tx, project, { author, lastNumber }, updates)
    const items = created.map(({ row: { title = '', ...fields }, index }) => ({
      ...toNewTestCase({ title, ...fields }, getRowPath(index), {
        values: values.ofNew.get(index) ?? null,
        steps: stepsOfRows[index],
      }),
      folder_id: folders.ids[index] ?? null,
      owner_id: owners.byRow.get(index) ?? null,
    }))
    const inserted =
      items.length === 0
        ? []
        : (await insertTestCases(tx, project.id, author.userId, items, { fieldsVersion: named.fields.version })).rows
    const numbers = inserted.map(({ number }) => number)
    await saveUsesOfNew(
      tx,
      project.id,
      numbers,
      created.map(({ index }) => stepsOfRows[index]),
    )
    return { ...present(project, rows, updates, { folderCount: folders.missing.length, numbers }), ...optionsCreated }
  })
}

/** Rows with the keys of the options that they name. */
const nameOptions = <Row extends ImportRow | null>(rows: readonly Row[], named: NamedOptions): Row[] =>
  rows.map((row) => (row?.fields === undefined ? row : { ...row, fields: named.toKeys(row.fields) }))

const toFieldErrors = ({ errors }: ImportValues): FieldError[] => errors.map(({ path, message }) => ({ path, message }))

/** @param written.numbers those of the new test cases, in the order of their rows */
function present(
  { prefix }: ProjectRef,
  rows: readonly ImportRow[],
  updates: readonly ImportUpdate[],
  written: { folderCount: number; numbers: readonly number[] },
): ImportResult {
  const byNumber = new Map(updates.map((update) => [update.testCase.number, update]))
  const numbers = written.numbers.values()
  const presented = rows.map(({ id, title }) => {
    if (id === undefined) {
      const { value: number } = numbers.next()
      const newId = number === undefined ? null : formatTestCaseId(prefix, number)
      return { id: newId, title: title ?? '', action: 'create' as const, changed: [] }
    }
    const update = byNumber.get(parseTestCaseNumber(id, prefix) ?? 0)
    const changed = update?.changed ?? []
    const action = changed.length > 0 ? ('update' as const) : ('none' as const)
    return { id, title: update?.title ?? '', action, changed }
  })
  return {
    created: presented.filter(({ action }) => action === 'create').length,
    updated: presented.filter(({ action }) => action === 'update').length,
    folders_created: written.folderCount,
    rows: presented,
  }
}

/**
 * Adds the errors that only the database shows to those of an invalid body. Rows that are invalid themselves are left out.
 * @param body as sent; rows without an error are valid
 */
export async function addImportErrors(
  db: Database,
  project: ProjectRef,
  body: unknown,
  errors: readonly FieldError[],
): Promise<FieldError[]> {
  const { rows, create_options: createsOptions } = (body ?? {}) as { rows?: unknown; create_options?: unknown }
  const invalidRows = new Set(errors.map(getRowIndex))
  // Validation stops after some errors: the rows after them may be invalid, too.
  if (!Array.isArray(rows) || invalidRows.has(null) || errors.length >= MAX_FIELD_ERRORS) return [...errors]
  // Positions stay the same, so that errors name the right rows.
  const named = new NamedOptions(await readFields(db, project.id))
  const sent = rows.map((row, index) => (invalidRows.has(index) ? null : (row as ImportRow)))
  const valid = createsOptions === true ? nameOptions(sent, named) : sent
  const keys = await readImportKeys(db, project, valid)
  const owners = await readImportOwners(db, project, valid)
  const values = await readImportValues(db, project, named.fields, valid)
  const added = await findImportErrors(db, project, valid, [...keys.errors, ...owners.errors, ...toFieldErrors(values)])
  return [...errors, ...added].toSorted((a, b) => (getRowIndex(a) ?? -1) - (getRowIndex(b) ?? -1))
}

/** The index of the row that a field is in; null for fields outside of rows. */
function getRowIndex({ path }: FieldError): number | null {
  const index = /^\/rows\/(\d+)/.exec(path)?.[1]
  return index === undefined ? null : Number(index)
}
