import type { CreateTestCaseBody } from '@caseward/contract/test-case-schemas'
import { type RawBuilder, sql } from 'kysely'

import { type Database, violatesConstraint } from '../../platform/database/connect.ts'
import { addsManyRows, planChecksAnew } from '../../platform/database/plans.ts'
import { isUuid } from '../../platform/http/ids.ts'
import { transactionWithRowMutex } from '../../platform/database/row-mutex.ts'
import type { ProjectRef } from '../../access/project-cache.ts'
import { invalidProblem } from '../../platform/http/problems.ts'
import { notifyFoldersChanged, notifyTestCasesChanged } from '../events/notify-distributed-change.ts'
import { toKeyDigest } from './automation-keys.ts'
import { keepNewValues } from '../fields/case-field-values.queries.ts'
import { withCurrentFields } from '../fields/project-fields.ts'
import { requireNewValues } from '../fields/require-values.ts'
import { requireLockedProject } from '../projects/require-locked-project.ts'
import { resolveSteps, saveUsesOfNew, toPlainSteps } from '../shared-steps/resolve-steps.ts'
import { hasSharedStepItems, type StoredSteps } from '../shared-steps/step-groups.ts'
import {
  INSERTED_DEFINITIONS,
  INSERTED_COLUMNS,
  INSERTED_VALUES,
  type NewTestCase,
  toNewTestCase,
} from './test-case-fields.ts'
import {
  automationKeyTakenProblem,
  findUnknownFolders,
  findUsedAutomationKeys,
  type GetItemPath,
  requireOwners,
} from './test-case-references.ts'

/**
 * Creates test cases, all or none.
 * @param options.isAutomatic whether nobody is there to give required custom fields a value
 * @returns their numbers, in the order of the items
 * @throws {Problem} 400 with every unknown folder or owner, and every invalid value of a custom field; 409 with every automation key in use; 404 when the project is gone
 */
export async function createTestCases(
  db: Database,
  project: ProjectRef,
  authorId: string | null,
  items: readonly CreateTestCaseBody[],
  getItemPath: GetItemPath,
  { isAutomatic = false }: { isAutomatic?: boolean } = {},
): Promise<number[]> {
  if (items.length === 0) return []
  if (items.some(({ folder_id: id }) => typeof id === 'string' && !isUuid(id))) {
    throw invalidProblem(await findUnknownFolders(db, project.id, items, getItemPath))
  }
  await requireOwners(db, project.id, items, getItemPath)
  try {
    const hasValues = items.some(({ fields }) => fields !== undefined)
    return await withCurrentFields(db, project.id, { canGuess: !hasValues }, async (fields) => {
      const values = await requireNewValues(db, project.id, fields, items, getItemPath, { isAutomatic })
      const insert = async (executor: Database, steps: readonly (StoredSteps | undefined)[]) => {
        const testCases = items.map((item, index) =>
          toNewTestCase(item, getItemPath(index), { values: values[index] ?? null, steps: steps[index] }),
        )
        const { rows } = await insertTestCases(executor, project.id, authorId, testCases, {
          fieldsVersion: fields.version,
        })
        return rows.length === 0 ? null : rows.map(({ number }) => number)
      }
      if (items.some(({ steps }) => hasSharedStepItems(steps))) {
        return await withLockedProject(db, project.id, async (tx) => {
          const sent = items.map(({ steps }, index) => ({ steps, path: getItemPath(index), current: null }))
          const steps = await resolveSteps(tx, project.id, sent)
          const numbers = await insert(tx, steps)
          await saveUsesOfNew(tx, project.id, numbers ?? [], steps)
          return numbers
        })
      }
      const steps = items.map((item) => toPlainSteps(item.steps))
      const opensTransaction = addsManyRows(items.length) && !db.isTransaction
      return opensTransaction ? await db.transaction().execute((tx) => insert(tx, steps)) : await insert(db, steps)
    })
  } catch (error) {
    if (violatesConstraint(error, 'test_cases_project_id_folder_id_fkey')) {
      throw invalidProblem(await findUnknownFolders(db, project.id, items, getItemPath))
    }
    if (violatesConstraint(error, 'automation_keys_pkey')) {
      throw automationKeyTakenProblem(await findUsedAutomationKeys(db, project.id, items, getItemPath))
    }
    throw error
  }
}

/** Locks the project, so that shared steps stay as they are until the test cases that use them are stored. */
async function withLockedProject<T>(db: Database, projectId: string, work: (tx: Database) => Promise<T>): Promise<T> {
  const lockAndWork = async (tx: Database) => {
    await requireLockedProject(tx, projectId)
    return await work(tx)
  }
  return db.isTransaction ? await lockAndWork(db) : await transactionWithRowMutex(db, projectId, lockAndWork)
}

/**
 * Takes the numbers, stores the test cases, and adds to the counters of the project and its folders, in one statement.
 * Returns no rows, and stores nothing, when the project is gone or its fields have another version. The keys come after the test cases, because Citus checks each part on its own.
 * @param db a transaction if there are many items (`addsManyRows`)
 * @param options.numbers of the items, ascending and all above the last one of the locked project; the next ones without it
 */
export async function insertTestCases(
  db: Database,
  projectId: string,
  authorId: string | null,
  items: readonly NewTestCase[],
  { fieldsVersion, numbers: kept }: { fieldsVersion: number; numbers?: readonly number[] },
) {
  const keys = items.flatMap(({ automation_keys }, index) =>
    automation_keys.map((key) => ({ digest: toKeyDigest(key), ordinality: index + 1 })),
  )
  const hasValues = items.some(({ fields }) => fields !== null)
  await planChecksAnew(db, items.length)
  // Without numbers, the text of the statement is as it always is.
  const list = kept === undefined ? null : sql`${`{${kept.join(',')}}`}::int[]`
  const count = list === null ? sql`${items.length}` : sql`${kept?.at(-1) ?? 0} - last_test_case_number`
  const getNumber = (ordinality: RawBuilder<unknown>) =>
    list === null ? sql`last_number + ${ordinality}` : sql`(${list})[${ordinality}]`
  const result = await sql<{ number: number }>`
    with project as (
      update projects
      set last_test_case_number = last_test_case_number + ${count}, test_case_count = test_case_count + ${items.length}
      where id = ${projectId} and fields_version = ${fieldsVersion}
      returning last_test_case_number - ${items.length} as last_number, default_template
    ), item as (
      select * from rows from (
        json_to_recordset(${JSON.stringify(items)}) as (${sql.raw(INSERTED_DEFINITIONS)})
      ) with ordinality
    ), folder as (
      update folders f set test_case_count = f.test_case_count + added.count
      from (select folder_id, count(*)::int from project, item group by folder_id) added
      where f.project_id = ${projectId} and f.id = added.folder_id
    ), changed as (
      insert into test_cases (project_id, number, ${sql.raw(INSERTED_COLUMNS)}, created_by)
      select ${projectId}, ${getNumber(sql`ordinality`)}, ${sql.raw(INSERTED_VALUES)}, ${authorId}
      from project, item
      order by ordinality
      returning number ${hasValues ? sql`, fields` : sql``}
    ), key as (
      insert into automation_keys (project_id, key_digest, case_number)
      select ${projectId}, digest, ${getNumber(sql`key.ordinality`)}
      from project, unnest(
        ${`{${keys.map(({ digest }) => digest).join(',')}}`}::uuid[],
        ${`{${keys.map(({ ordinality }) => ordinality).join(',')}}`}::int[]
      ) key (digest, ordinality)
    ) ${keepNewValues(projectId, { hasValues })}
    select number from changed order by number`.execute(db)
  const numbers = result.rows.map(({ number }) => number)
  await notifyTestCasesChanged(db, projectId, numbers)
  if (items.some(({ folder_id: folderId }) => folderId !== null)) await notifyFoldersChanged(db, projectId)
  return result
}
