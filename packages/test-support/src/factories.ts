import { sql } from 'kysely'
import type { Configuration } from '@caseward/contract/configurations'
import type { NewRunConfigurations } from '@caseward/contract/run-configurations'
import type { CreateFieldBody, Field } from '@caseward/contract/fields'
import type { CreateInstanceFieldBody, InstanceField } from '@caseward/contract/instance-fields'
import type { Folder } from '@caseward/contract/folders'
import type { SentInvitation } from '@caseward/contract/invitations'
import type { Milestone } from '@caseward/contract/milestones'
import type { Project } from '@caseward/contract/projects'
import type { TestResult } from '@caseward/contract/results'
import type { Run } from '@caseward/contract/run-schemas'
import type { TestCase, TestCaseListItem } from '@caseward/contract/test-case-schemas'
import type { NewToken } from '@caseward/contract/tokens'

import { resetMailLimits } from './mails.ts'
import type { TestServer } from './test-server.ts'
import { makeInstanceAdmin, makeUser } from './users.ts'

/*
 * Everything that belongs to a project, created through the API by the project's admin. Every field has a default: a
 * test names only the fields that it is about.
 */

/** Most test cases that one request may create. */
const BULK_LIMIT = 100
let invitationCount = 0

async function post<T>(server: TestServer, token: string, path: string, body: unknown): Promise<T> {
  const response = await server.request<T>('POST', path, { token, body })
  if (response.status >= 300) throw new Error(`POST ${path}: ${response.status} ${JSON.stringify(response.body)}`)
  return response.body
}

async function postData<T>(server: TestServer, token: string, path: string, body: unknown): Promise<T> {
  return (await post<{ data: T }>(server, token, path, body)).data
}

/** Creates a project and its admin; with a `token` the owner of that token is the admin. */
export async function makeProject(server: TestServer, fields: { name?: string; prefix?: string; token?: string } = {}) {
  const { token, ...others } = fields
  const admin: { id: string; token: string } = token === undefined ? await makeUser(server) : { id: '', token }
  const body = { name: 'Web shop', prefix: 'WEB', ...others }
  return { ...(await postData<Project>(server, admin.token, '/v1/projects', body)), admin }
}

/** The part of a project that the factories need. */
type MadeProject = Pick<Awaited<ReturnType<typeof makeProject>>, 'id' | 'admin'>

/** Creates a folder. */
export async function makeFolder(
  server: TestServer,
  project: MadeProject,
  fields: Partial<Folder> = {},
): Promise<Folder> {
  const body = { name: 'Folder', ...fields }
  return await postData(server, project.admin.token, `/v1/projects/${project.id}/folders`, body)
}

/** Creates a custom field of test cases: a number, unless `fields` says otherwise. */
export async function makeField(
  server: TestServer,
  project: MadeProject,
  fields: Partial<CreateFieldBody> = {},
): Promise<Field> {
  const body = { key: 'risk', name: 'Risk', type: 'number', ...fields }
  return await postData(server, project.admin.token, `/v1/projects/${project.id}/fields`, body)
}

/** Creates a field of the instance, of type number, as an administrator of its own. */
export async function makeInstanceField(
  server: TestServer,
  fields: Partial<CreateInstanceFieldBody> = {},
): Promise<InstanceField> {
  const token = (await makeInstanceAdmin(server)).token
  return await postData(server, token, '/v1/admin/fields', { key: 'org_risk', name: 'Risk', type: 'number', ...fields })
}

/** Creates configurations with variants like their keys, such as `{browser: ['chrome', 'firefox']}`. */
export async function makeConfigurations(
  server: TestServer,
  project: MadeProject,
  groups: Readonly<Record<string, readonly string[]>>,
): Promise<Configuration[]> {
  const made: Configuration[] = []
  for (const [group, keys] of Object.entries(groups)) {
    for (const key of keys) {
      const body = { group_key: group, group_name: group, key, name: key, variants: [key] }
      made.push(await postData(server, project.admin.token, `/v1/projects/${project.id}/configurations`, body))
    }
  }
  return made
}

/** Creates configurations of the instance by their groups, with equal keys and names, as an administrator of it. */
export async function makeInstanceConfigurations(
  server: TestServer,
  groups: Readonly<Record<string, readonly string[]>>,
): Promise<Configuration[]> {
  const { token } = await makeInstanceAdmin(server)
  const made: Configuration[] = []
  for (const [group, keys] of Object.entries(groups)) {
    for (const key of keys) {
      const body = { group_key: group, group_name: group, key, name: key, variants: [key] }
      made.push(await postData(server, token, '/v1/admin/configurations', body))
    }
  }
  return made
}

/** Creates one test case. */
export async function makeTestCase(
  server: TestServer,
  project: MadeProject,
  fields: Partial<TestCase> = {},
): Promise<TestCaseListItem> {
  const body = { title: 'A test case', ...fields }
  return await postData(server, project.admin.token, `/v1/projects/${project.id}/test-cases`, body)
}

/** Creates `count` test cases with the bulk endpoint and returns their ids in order. */
export async function makeTestCases(server: TestServer, project: MadeProject, count: number): Promise<string[]> {
  const ids: string[] = []
  const path = `/v1/projects/${project.id}/test-cases/bulk`
  while (ids.length < count) {
    const test_cases = Array.from({ length: Math.min(BULK_LIMIT, count - ids.length) }, (_, index) => ({
      title: `Case ${ids.length + index + 1}`,
    }))
    const created = await postData<{ test_cases: { id: string }[] }>(server, project.admin.token, path, { test_cases })
    ids.push(...created.test_cases.map(({ id }) => id))
  }
  return ids
}

/**
 * Makes a large number of test cases in an empty project without requests: `Case <n>: <32 characters that look random>`, each
 * with one of seven tags, `tag 0` to `tag 6`.
 */
export async function insertTestCases(
  { db }: TestServer,
  { id }: Pick<MadeProject, 'id'>,
  count: number,
): Promise<void> {
  await sql`
    insert into test_cases (project_id, number, title, tags)
    select ${id}::uuid, n, 'Case ' || n || ': ' || md5(n::text), array['tag ' || n % 7]
    from generate_series(1, ${count}::int) n`.execute(db)
  const counters = { test_case_count: count, last_test_case_number: count }
  await db.updateTable('projects').set(counters).where('id', '=', id).execute()
}

/**
 * What {@link makeRun} tests with: nothing, unless a test file sets it to run the tests of another file on runs with
 * combinations.
 */
export const defaultConfigurations: { groups: Record<string, string[]> | null } = { groups: null }

async function ensureConfigurations(server: TestServer, project: MadeProject, groups: Record<string, string[]>) {
  const path = `/v1/projects/${project.id}/configurations`
  const { body } = await server.request<{ data: Configuration[] }>('GET', path, { token: project.admin.token })
  if (body.data.length === 0) await makeConfigurations(server, project, groups)
}

/** Creates a run of the given test cases, or of all of the project's. */
export async function makeRun(
  server: TestServer,
  project: MadeProject,
  fields: {
    name?: string
    test_case_ids?: string[]
    milestone_id?: string
    metadata?: Record<string, string>
    configurations?: NewRunConfigurations
  } = {},
): Promise<Run> {
  const { groups } = defaultConfigurations
  const configurations = groups === null ? {} : { configurations: { groups } }
  if (groups !== null) await ensureConfigurations(server, project, groups)
  const body = { name: 'Nightly', ...configurations, ...fields }
  return await postData(server, project.admin.token, `/v1/projects/${project.id}/runs`, body)
}

/** Creates a milestone, or a sub-milestone if `parent_id` is given. */
export async function makeMilestone(
  server: TestServer,
  project: MadeProject,
  fields: Partial<Milestone> = {},
): Promise<Milestone> {
  const body = { name: 'Release', ...fields }
  return await post(server, project.admin.token, `/v1/projects/${project.id}/milestones`, body)
}

/**
 * Creates an invitation and returns the secret of its link, which the API shows while no mail server is configured. Its
 * email does not count against the limits: the test can send another one at once.
 */
export async function makeInvitation(
  server: TestServer,
  project: MadeProject,
  fields: { email?: string; role?: 'admin' | 'member' | 'viewer' } = {},
): Promise<{ id: string; email: string; secret: string }> {
  invitationCount += 1
  const body = { email: `invited${invitationCount}@example.test`, role: 'member', ...fields }
  const path = `/v1/projects/${project.id}/members/invite`
  const { id, join_url } = await post<SentInvitation>(server, project.admin.token, path, body)
  await resetMailLimits(server)
  return { id, email: body.email, secret: join_url?.split('/').at(-1) ?? '' }
}

/** Creates a CI token of the project and returns its secret. */
export async function makeCiToken(
  server: TestServer,
  project: MadeProject,
  access: 'read' | 'write' = 'write',
  fields: { grants?: string[] } = {},
): Promise<string> {
  const path = `/v1/projects/${project.id}/tokens`
  return (await postData<NewToken>(server, project.admin.token, path, { name: 'CI', access, ...fields })).token
}

/** Reads all results of a run, by test case id. */
export async function getRunResults(
  server: TestServer,
  runId: string,
  token: string,
): Promise<Map<string | null, TestResult>> {
  const results = new Map<string | null, TestResult>()
  for (let page = 1; ; page += 1) {
    const path = `/v1/runs/${runId}/results?per_page=100&page=${page}`
    const { body } = await server.request<{ data: TestResult[] }>('GET', path, { token })
    for (const result of body.data) results.set(result.test_case_id, result)
    if (body.data.length < 100) return results
  }
}
