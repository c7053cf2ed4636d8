import type { CreateTestCaseBody } from '@caseward/contract/test-case-schemas'
import { sql } from 'kysely'

import { type Database, violatesConstraint } from '../../platform/database/connect.ts'
import { isUuid } from '../../platform/http/ids.ts'
import type { ProjectRef } from '../../access/project-cache.ts'
import { conflictProblem, invalidProblem, notFoundProblem } from '../../platform/http/problems.ts'
import { takenAutomationKeys, unknownFolders } from './test-case-references.ts'
import { numberSteps } from './steps.ts'

/**
 * Creates test cases, all or none, in one statement: takes their numbers, stores them, and moves the counters of the
 * project and its folders.
 * @param getItemPath where item `index` stands in the request's body, as a JSON Pointer
 * @returns their numbers, in the order of the items
 * @throws {Problem} 400 that names every unknown folder; 409 that names every automation key that is taken; 404 when the project is gone
 */
export async function createTestCases(
  db: Database,
  project: ProjectRef,
  authorId: string,
  items: readonly CreateTestCaseBody[],
  getItemPath: (index: number) => string,
): Promise<number[]> {
  if (items.length === 0) return []
  if (items.some(({ folder_id: id }) => typeof id === 'string' && !isUuid(id))) {
    throw invalidProblem(await unknownFolders(db, project.id, items, getItemPath))
  }
  try {
    const { rows } = await insert(db, project.id, authorId, items)
    if (rows.length === 0) throw notFoundProblem('project')
    return rows.map(({ number }) => number)
  } catch (error) {
    if (violatesConstraint(error, 'test_cases_project_id_folder_id_fkey')) {
      throw invalidProblem(await unknownFolders(db, project.id, items, getItemPath))
    }
    if (violatesConstraint(error, 'test_cases_automation_key')) {
      const fields = await takenAutomationKeys(db, project.id, items, getItemPath)
      throw conflictProblem(
        'automation_key_taken',
        'Another test case of this project has this automation key.',
        fields,
      )
    }
    throw error
  }
}

async function insert(db: Database, projectId: string, authorId: string, items: readonly CreateTestCaseBody[]) {
  const rows = items.map((item) => ({
    title: item.title,
    folder_id: item.folder_id ?? null,
    priority: item.priority ?? 'medium',
    type: item.type ?? 'functional',
    precondition: item.precondition ?? '',
    steps: numberSteps(item.steps ?? []),
    expected_result: item.expected_result ?? '',
    tags: [...new Set(item.tags)],
    automation_key: item.automation_key ?? null,
  }))
  return await sql<{ number: number }>`
    with project as (
      update projects
      set last_test_case_number = last_test_case_number + ${items.length}, test_case_count = test_case_count + ${items.length}
      where id = ${projectId}
      returning last_test_case_number - ${items.length} as last_number
    ), item as (
      select * from rows from (
        json_to_recordset(${JSON.stringify(rows)}) as (
          title text, folder_id uuid, priority test_case_priority, type test_case_type, precondition text, steps json,
          expected_result text, tags text[], automation_key text
        )
      ) with ordinality
    ), folder as (
      update folders f set test_case_count = f.test_case_count + added.count
      from (select folder_id, count(*)::int from item group by folder_id) added
      where f.project_id = ${projectId} and f.id = added.folder_id
    )
    insert into test_cases (
      project_id, number, title, folder_id, priority, type, precondition, steps, expected_result, tags, automation_key, created_by
    )
    select ${projectId}, last_number + ordinality, title, folder_id, priority, type, precondition, steps, expected_result,
      tags, automation_key, ${authorId}
    from project, item
    order by ordinality
    returning number`.execute(db)
}
