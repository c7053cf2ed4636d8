import type { TestCaseListItem } from '@caseward/contract/test-case-schemas'

import { formatTestCaseId } from './test-case-ids.ts'
import {
  toNullableJsonString,
  toNullablePlainJsonString,
  toJsonString,
  toJsonTimestamp,
  toPlainJsonString,
} from '../../platform/http/json-text.ts'
import type { ProjectRef } from '../../access/project-cache.ts'

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

/** The columns of {@link TestCaseDetailRow}, of `test_cases c`. */
export const WHOLE_TEST_CASE_COLUMNS = `${TEST_CASE_COLUMNS}, to_json(c.tags), c.automation_key, c.created_by`

export type TestCaseDetailRow = readonly [
  ...TestCaseRow,
  tagsJson: string,
  automationKey: string | null,
  createdBy: string | null,
]

/** A test case as JSON, with the fields that lists and its creation show. */
export const presentTestCase = (project: ProjectRef, row: CommonFields): string => `{${renderFields(project, row)}}`

/** A test case as JSON with all its fields. */
export function presentTestCaseDetail(project: ProjectRef, row: readonly [...TestCaseDetailRow, ...unknown[]]): string {
  const [, , , , , , , , , , tags, automationKey, createdBy] = row
  return (
    `{${renderFields(project, row)},"tags":${tags},"automation_key":${toNullableJsonString(automationKey)},` +
    `"created_by":${toNullablePlainJsonString(createdBy)}}`
  )
}

/** What every row begins with. */
type CommonFields = readonly [...TestCaseRow, ...unknown[]]

function renderFields({ prefix }: ProjectRef, row: CommonFields): string {
  const [number, title, folderId, priority, type, precondition, steps, expectedResult, createdAt, updatedAt] = row
  return (
    `"id":${toPlainJsonString(formatTestCaseId(prefix, number))},"title":${toJsonString(title)},"folder_id":${toNullablePlainJsonString(folderId)},` +
    `"priority":${toPlainJsonString(priority)},"type":${toPlainJsonString(type)},"precondition":${toJsonString(precondition)},` +
    `"steps":${steps},"expected_result":${toJsonString(expectedResult)},` +
    `"created_at":${toJsonTimestamp(createdAt)},"updated_at":${toJsonTimestamp(updatedAt)}`
  )
}
