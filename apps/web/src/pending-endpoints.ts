import type { Endpoint } from '@caseward/client'
import type {
  Priority,
  ProjectParams,
  ResultStatus,
  Role,
  Run,
  RunParams,
  RunStatus,
  StatusCounts,
  TestCase,
  TestCaseType,
} from '@caseward/client/endpoints'

/*
 * Endpoints that the generated client does not contain yet, with the names and types that they will have there. Once it
 * does, imports of this file become imports of `@caseward/client/endpoints`.
 */

/** A page of compact rows. */
interface RowPage<Row> {
  data: Row[]
  meta: {
    page: number
    per_page: number
    total: number
    /** Cursor of the next page; null on the last. */
    next_after: string | null
  }
}

/** The part of the query that all lists of compact rows have. */
interface RowQuery {
  fields: 'row'
  search?: string
  /** Return only rows that changed since this time. Deleted ones are not returned. */
  changed_since?: string
  /** `next_after` of the previous page. */
  after?: string
  /** Up to 2,000. */
  per_page?: number
}

/** A test case with the fields that a table of test cases shows. */
export interface TestCaseRow {
  id: string
  title: string
  folder_id: string | null
  /** Sorts the test cases of a folder when compared by bytes. */
  position: string
  priority: Priority
  type: TestCaseType
  tags: string[]
  automation_key: string | null
  updated_at: string
  /** Number of changes, for `If-Match`. */
  version: number
}

/** A result with the fields that a table of a run shows. */
export interface ResultRow {
  id: string
  /** Null if the test case was deleted. */
  test_case_id: string | null
  test_case_title: string
  folder_id: string | null
  priority: Priority | null
  type: TestCaseType | null
  tags: string[]
  status: ResultStatus
  /** First line of the note, up to 200 characters. */
  note_line: string | null
  /** Seconds. */
  elapsed: number | null
  tested_by: string | null
  tested_at: string | null
}

/** A result with its whole note, and its test case with steps. */
export interface ResultDetail extends ResultRow {
  note: string | null
  test_case: TestCase | null
}

export interface RecentResult {
  run_id: string
  run_name: string
  status: ResultStatus
  tested_at: string | null
}

/** What the user may do in a project. */
export type ProjectPermission =
  | 'project:view'
  | 'test-cases:edit'
  | 'runs:open-and-close'
  | 'runs:execute'
  | 'members:view'
  | 'members:manage'
  | 'members:change-role'
  | 'milestones:manage'
  | 'project:settings'
  | 'project:delete'

export interface MyProject {
  id: string
  name: string
  prefix: string
  role: Role
  permissions: ProjectPermission[]
  test_case_count: number
  run_count: number
  member_count: number
  last_run: {
    id: string
    name: string
    status: RunStatus
    stats: StatusCounts
    pass_rate: number
    created_at: string
  } | null
  /** Of the last runs in which something was tested, oldest first. */
  pass_rates: number[]
}

/** A member or former member of a project. */
export interface Person {
  id: string
  name: string
  avatar_url: string | null
  is_member: boolean
}

export interface TagCount {
  tag: string
  test_case_count: number
}

type CaseFilter = { priority?: readonly Priority[]; type?: readonly TestCaseType[]; tag?: readonly string[] }

export const listTestCaseRows: Endpoint<{
  params: ProjectParams
  query: RowQuery & CaseFilter & { folder_id?: string }
  success: { 200: RowPage<TestCaseRow> }
}> = {
  method: 'GET',
  url: '/v1/projects/:project_id/test-cases',
  operationId: 'listTestCaseRows',
  success: { 200: ['data[]', 'meta{}'] },
}

export const listResultRows: Endpoint<{
  params: RunParams
  query: RowQuery & { status?: readonly ResultStatus[] }
  success: { 200: RowPage<ResultRow> }
}> = {
  method: 'GET',
  url: '/v1/runs/:run_id/results',
  operationId: 'listResultRows',
  success: { 200: ['data[]', 'meta{}'] },
}

export const getResult: Endpoint<{
  params: RunParams & { result_id: string }
  success: { 200: { data: ResultDetail } }
}> = {
  method: 'GET',
  url: '/v1/runs/:run_id/results/:result_id',
  operationId: 'getResult',
  success: { 200: ['data{}'] },
}

export const listRecentResults: Endpoint<{
  params: ProjectParams
  query: { test_case_ids: readonly string[]; limit?: number; before_run?: string }
  success: { 200: { data: { test_case_id: string; results: RecentResult[] }[] } }
}> = {
  method: 'GET',
  url: '/v1/projects/:project_id/recent-results',
  operationId: 'listRecentResults',
  success: { 200: ['data[]'] },
}

export const listMyProjects: Endpoint<{ success: { 200: { data: MyProject[]; meta: { total: number } } } }> = {
  method: 'GET',
  url: '/v1/me/projects',
  operationId: 'listMyProjects',
  success: { 200: ['data[]', 'meta{}'] },
}

export const listPeople: Endpoint<{ params: ProjectParams; success: { 200: { data: Person[] } } }> = {
  method: 'GET',
  url: '/v1/projects/:project_id/people',
  operationId: 'listPeople',
  success: { 200: ['data[]'] },
}

export const listTags: Endpoint<{ params: ProjectParams; success: { 200: { data: TagCount[] } } }> = {
  method: 'GET',
  url: '/v1/projects/:project_id/tags',
  operationId: 'listTags',
  success: { 200: ['data[]'] },
}

/** A run with its project, which the pages of a run need for rights, folders and names. */
export interface RunOfProject extends Run {
  project_id: string
}

export const getRun: Endpoint<{ params: RunParams; success: { 200: { data: RunOfProject } } }> = {
  method: 'GET',
  url: '/v1/runs/:run_id',
  operationId: 'getRun',
  success: { 200: ['data{}'] },
}

/** `base_tested_at`: `tested_at` of the result that the user saw. If it has changed, `newer_result` is returned. */
interface ResultInput {
  status: ResultStatus
  note?: string | null | undefined
  elapsed?: number | null | undefined
  base_tested_at?: string | null
}

export const updateResult: Endpoint<{
  params: RunParams & { result_id: string }
  body: ResultInput
  success: { 200: { data: { status: ResultStatus; note: string | null; tested_at: string | null } } }
}> = {
  method: 'PUT',
  url: '/v1/runs/:run_id/results/:result_id',
  operationId: 'updateResult',
  success: { 200: ['data{}'] },
}

/** The result that was kept; in a bulk response with the first 1,000 characters of its note. */
interface NewerResult {
  status: ResultStatus
  note: string | null
  elapsed: number | null
  tested_by: string | null
  tested_at: string | null
}

interface BulkUpdate {
  updated: number
  /** `tested_at` is there if the server returns it. */
  results: { test_case_id: string; status: ResultStatus; tested_at?: string }[]
}

export const bulkUpdateResults: Endpoint<{
  params: RunParams
  body: { results: (ResultInput & { test_case_id: string })[] }
  success: {
    200: { data: BulkUpdate }
    207: {
      data: BulkUpdate & { errors: { test_case_id: string; error: string; code: string; current?: NewerResult }[] }
    }
  }
}> = {
  method: 'POST',
  url: '/v1/runs/:run_id/results/bulk',
  operationId: 'bulkUpdateResults',
  success: { 200: ['data{}'], 207: ['data{}'] },
}
