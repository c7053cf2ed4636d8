import type { Folder } from '@caseward/contract/folders'
import type { SentInvitation } from '@caseward/contract/invitations'
import type { Milestone } from '@caseward/contract/milestones'
import type { Project } from '@caseward/contract/projects'
import type { TestResult } from '@caseward/contract/results'
import type { Run } from '@caseward/contract/runs'
import type { TestCase, TestCaseListItem } from '@caseward/contract/test-case-schemas'
import type { NewToken } from '@caseward/contract/tokens'
import { v7 as uuidv7 } from 'uuid'

import { insertToken } from '@caseward/server/features/tokens/tokens.queries'
import type { TestServer } from './server.ts'

/*
 * Factories that ask only for what matters to a test. Through the API, but for users, who come by sign-in.
 */

let made = 0

/** A user with a personal token. */
export async function makeUser(
  { db }: TestServer,
  access: 'read' | 'write' = 'write',
  address?: string,
): Promise<{ id: string; token: string; email: string }> {
  made += 1
  const id = uuidv7()
  const email = address ?? `person${made}@example.test`
  await db
    .insertInto('users')
    .values({ id, email, name: `Person ${made}` })
    .execute()
  const input = { name: 'test', access, expiresAt: null, createdBy: id }
  const { token } = await insertToken(db, { kind: 'personal', userId: id }, input)
  return { id, token, email }
}

/** A user who has this role in a project. */
export async function makeMember(server: TestServer, projectId: string, role: 'admin' | 'member' | 'viewer') {
  const user = await makeUser(server)
  await server.db.insertInto('memberships').values({ project_id: projectId, user_id: user.id, role }).execute()
  await server.db
    .updateTable('projects')
    .set((row) => ({ member_count: row('member_count', '+', 1) }))
    .where('id', '=', projectId)
    .execute()
  return user
}

async function post<T>(server: TestServer, token: string, path: string, body: unknown): Promise<T> {
  const answer = await server.request<{ data: T }>('POST', path, { token, body })
  if (answer.status >= 300) throw new Error(`POST ${path}: ${answer.status} ${JSON.stringify(answer.body)}`)
  return answer.body.data
}

/** A project and the admin who made it. */
export async function makeProject(server: TestServer, fields: { name?: string; prefix?: string; token?: string } = {}) {
  const admin: { id: string; token: string } =
    fields.token === undefined ? await makeUser(server) : { id: '', token: fields.token }
  const project = await post<Project>(server, admin.token, '/v1/projects', {
    name: 'Web shop',
    prefix: 'WEB',
    ...fields,
  })
  return { ...project, admin }
}

/** What the factories need of a project. */
type MadeProject = Pick<Awaited<ReturnType<typeof makeProject>>, 'id' | 'admin'>

export async function makeFolder(
  server: TestServer,
  project: MadeProject,
  fields: Partial<Folder> = {},
): Promise<Folder> {
  return await post(server, project.admin.token, `/v1/projects/${project.id}/folders`, { name: 'Folder', ...fields })
}

export async function makeCase(
  server: TestServer,
  project: MadeProject,
  fields: Partial<TestCase> = {},
): Promise<TestCaseListItem> {
  return await post(server, project.admin.token, `/v1/projects/${project.id}/test-cases`, {
    title: 'A test case',
    ...fields,
  })
}

/** As many cases as asked for, a hundred to a request; returns their ids. */
export async function makeCases(server: TestServer, project: MadeProject, count: number): Promise<string[]> {
  const ids: string[] = []
  while (ids.length < count) {
    const cases = Array.from({ length: Math.min(100, count - ids.length) }, (_, index) => ({
      title: `Case ${ids.length + index + 1}`,
    }))
    const path = `/v1/projects/${project.id}/test-cases/bulk`
    const { test_cases } = await post<{ test_cases: { id: string }[] }>(server, project.admin.token, path, {
      test_cases: cases,
    })
    ids.push(...test_cases.map(({ id }) => id))
  }
  return ids
}

/** A run over the cases named, or over all. */
export async function makeRun(
  server: TestServer,
  project: MadeProject,
  fields: { name?: string; test_case_ids?: string[]; milestone_id?: string } = {},
): Promise<Run> {
  return await post(server, project.admin.token, `/v1/projects/${project.id}/runs`, { name: 'Nightly', ...fields })
}

export async function makeMilestone(
  server: TestServer,
  project: MadeProject,
  fields: Partial<Milestone> = {},
): Promise<Milestone> {
  const path = `/v1/projects/${project.id}/milestones`
  const body = { name: 'Release', ...fields }
  const answer = await server.request<Milestone>('POST', path, { token: project.admin.token, body })
  if (answer.status !== 201) throw new Error(`POST ${path}: ${answer.status} ${JSON.stringify(answer.body)}`)
  return answer.body
}

/** An invitation and the secret of its link, which the admin is shown as long as there is no mail server. */
export async function makeInvitation(
  server: TestServer,
  project: MadeProject,
  fields: { email?: string; role?: 'admin' | 'member' | 'viewer' } = {},
): Promise<{ id: string; email: string; secret: string }> {
  made += 1
  const body = { email: `invited${made}@example.test`, role: 'member', ...fields }
  const path = `/v1/projects/${project.id}/members/invite`
  const answer = await server.request<SentInvitation>('POST', path, { token: project.admin.token, body })
  if (answer.status !== 201) throw new Error(`POST ${path}: ${answer.status} ${JSON.stringify(answer.body)}`)
  return { id: answer.body.id, email: body.email, secret: answer.body.join_url?.split('/').at(-1) ?? '' }
}

export async function makeCiToken(
  server: TestServer,
  project: MadeProject,
  access: 'read' | 'write' = 'write',
): Promise<string> {
  const token = await post<NewToken>(server, project.admin.token, `/v1/projects/${project.id}/tokens`, {
    name: 'CI',
    access,
  })
  return token.token
}

/** All results of a run, by test case id. */
export async function getRunResults(
  server: TestServer,
  runId: string,
  token: string,
): Promise<Map<string | null, TestResult>> {
  const results = new Map<string | null, TestResult>()
  for (let page = 1; ; page += 1) {
    const path = `/v1/runs/${runId}/results?per_page=100&page=${page}`
    const { body } = await server.request<{ data: TestResult[]; meta: { total: number } }>('GET', path, { token })
    for (const result of body.data) results.set(result.test_case_id, result)
    if (body.data.length < 100) return results
  }
}
