import type { TestCaseListItem } from '@caseward/contract/test-case-schemas'

import { testCaseId } from '../../platform/http/ids.ts'
import { nullableTextOf, nullableWordOf, textOf, timeOf, wordOf } from '../../platform/http/json-text.ts'
import type { ProjectPlace } from '../../access/project-cache.ts'

/** The columns of {@link TestCaseRow}, of `test_cases c`. */
export const TEST_CASE_COLUMNS = `
  c.number, c.title, c.folder_id, c.priority, c.type, c.precondition, c.steps, c.expected_result, c.created_at,
  c.updated_at`

/** A test case as lists show it. */
export type TestCaseRow = readonly [
  number: string,
  title: string,
  folderId: string | null,
  priority: TestCaseListItem['priority'],
  type: TestCaseListItem['type'],
  precondition: string,
  stepsJson: string,
  expectedResult: string,
  createdAt: string,
  updatedAt: string,
]

/** The columns of {@link WholeTestCaseRow}, of `test_cases c`. */
export const WHOLE_TEST_CASE_COLUMNS = `${TEST_CASE_COLUMNS}, to_json(c.tags), c.automation_key, c.created_by`

export type WholeTestCaseRow = readonly [
  ...TestCaseRow,
  tagsJson: string,
  automationKey: string | null,
  createdBy: string | null,
]

/** A test case as JSON, with the fields that lists and its creation show. */
export const presentTestCase = (project: ProjectPlace, row: CommonFields): string => `{${fieldsOf(project, row)}}`

/** A test case as JSON with all its fields. */
export function presentWholeTestCase(project: ProjectPlace, row: readonly [...WholeTestCaseRow, ...unknown[]]): string {
  const [, , , , , , , , , , tags, automationKey, createdBy] = row
  return (
    `{${fieldsOf(project, row)},"tags":${tags},"automation_key":${nullableTextOf(automationKey)},` +
    `"created_by":${nullableWordOf(createdBy)}}`
  )
}

/** What every row begins with. */
type CommonFields = readonly [...TestCaseRow, ...unknown[]]

function fieldsOf({ prefix }: ProjectPlace, row: CommonFields): string {
  const [number, title, folderId, priority, type, precondition, steps, expectedResult, createdAt, updatedAt] = row
  return (
    `"id":${wordOf(testCaseId(prefix, number))},"title":${textOf(title)},"folder_id":${nullableWordOf(folderId)},` +
    `"priority":${wordOf(priority)},"type":${wordOf(type)},"precondition":${textOf(precondition)},` +
    `"steps":${steps},"expected_result":${textOf(expectedResult)},` +
    `"created_at":${timeOf(createdAt)},"updated_at":${timeOf(updatedAt)}`
  )
}
