import { afterAll, beforeAll, describe, expect, it } from 'vitest'

import { makeCiToken, makeMember, makeProject, makeRun, makeUser } from '../../test/make.ts'
import { startTestServer, type TestServer } from '../../test/server.ts'

let server: TestServer
beforeAll(async () => {
  server = await startTestServer()
})
afterAll(() => server.close())

/** Everybody who may knock. `reader` is an admin with a token that only reads; `ci-…` are the project's CI tokens. */
const actors = ['admin', 'member', 'viewer', 'reader', 'ci-write', 'ci-read', 'stranger', 'other-ci'] as const
type Actor = (typeof actors)[number]

const people = ['admin', 'member', 'viewer', 'stranger'] as const
const insiders = ['admin', 'member', 'viewer', 'reader', 'ci-write', 'ci-read'] as const
const editors = ['admin', 'member'] as const

/** Contract §2, by operation: who may. A route that is not here fails the test. */
const allowed: Record<string, readonly Actor[]> = {
  listProjects: actors,
  createProject: people,
  getProject: insiders,
  updateProject: ['admin'],
  deleteProject: ['admin'],
  listFolders: insiders,
  createFolder: editors,
  updateFolder: editors,
  deleteFolder: editors,
  listTestCases: insiders,
  getTestCase: insiders,
  listTestCaseResults: insiders,
  createTestCase: editors,
  updateTestCase: editors,
  putTestCase: editors,
  deleteTestCase: editors,
  bulkCreateTestCases: editors,
  listRuns: insiders,
  getRun: insiders,
  createRun: ['admin', 'member', 'ci-write'],
  updateRun: ['admin', 'member', 'ci-write'],
  deleteRun: editors,
  addTestCasesToRun: editors,
  listResults: insiders,
  updateResult: editors,
  bulkUpdateResults: editors,
  uploadResults: ['ci-write'],
  listMilestones: insiders,
  getMilestone: insiders,
  createMilestone: editors,
  updateMilestone: editors,
  deleteMilestone: editors,
  signIn: actors,
  signOut: people,
  getMe: [...people, 'reader'],
  updateMe: people,
  listSessions: [...people, 'reader'],
  revokeSession: people,
  listMembers: ['admin', 'member', 'viewer', 'reader'],
  changeMemberRole: ['admin'],
  removeMember: ['admin'],
  inviteMember: ['admin'],
  listInvitations: ['admin', 'reader'],
  revokeInvitation: ['admin'],
  resendInvitation: ['admin'],
  readInvitationLink: actors,
  acceptInvitation: people,
  listPersonalTokens: [...people, 'reader'],
  createPersonalToken: people,
  revokePersonalToken: people,
  listCiTokens: ['admin', 'reader'],
  createCiToken: ['admin'],
  revokeCiToken: ['admin'],
}

interface Operation {
  method: string
  path: string
  operationId: string
}

async function operations(): Promise<Operation[]> {
  const { body } = await server.request<{ paths: Record<string, Record<string, { operationId: string }>> }>(
    'GET',
    '/openapi.json',
  )
  return Object.entries(body.paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, { operationId }]) => ({ method: method.toUpperCase(), path, operationId })),
  )
}

async function makeActors(): Promise<{ project: { id: string }; runId: string; tokens: Record<Actor, string> }> {
  const project = await makeProject(server)
  const reader = await makeUser(server, 'read')
  await server.db
    .insertInto('memberships')
    .values({ project_id: project.id, user_id: reader.id, role: 'admin' })
    .execute()
  const tokens: Record<Actor, string> = {
    admin: project.admin.token,
    member: (await makeMember(server, project.id, 'member')).token,
    viewer: (await makeMember(server, project.id, 'viewer')).token,
    reader: reader.token,
    'ci-write': await makeCiToken(server, project),
    'ci-read': await makeCiToken(server, project, 'read'),
    stranger: (await makeUser(server)).token,
    'other-ci': await makeCiToken(server, await makeProject(server)),
  }
  return { project, runId: (await makeRun(server, project)).id, tokens }
}

describe('the role table', () => {
  it('holds for every route and everybody', async () => {
    const wrong: string[] = []
    const { project, runId, tokens } = await makeActors()
    // What takes the ground from under the others comes last, its one allowed actor too.
    const ruins = (operationId: string) => (operationId === 'deleteProject' ? 2 : operationId === 'deleteRun' ? 1 : 0)
    const sorted = (await operations()).toSorted((a, b) => ruins(a.operationId) - ruins(b.operationId))
    for (const { method, path, operationId } of sorted) {
      const mayDo = allowed[operationId] ?? []
      const url = path
        .replace('{project_id}', project.id)
        .replace('{run_id}', runId)
        .replaceAll(/\{\w+\}/g, 'unknown')
      const body = method === 'GET' || method === 'DELETE' ? {} : { body: {} }
      for (const actor of actors.toSorted((a, b) => Number(mayDo.includes(a)) - Number(mayDo.includes(b)))) {
        const { status } = await server.request(method, url, { token: tokens[actor], ...body })
        const expected = operationId === 'uploadResults' && actor === 'other-ci' ? true : mayDo.includes(actor)
        const passed = status !== 403 && status !== 401
        if (passed !== expected || status >= 500) wrong.push(`${operationId} as ${actor}: ${status}`)
      }
    }
    expect(wrong).toEqual([])
  })

  it('has a row for every route', async () => {
    const ids = (await operations()).map(({ operationId }) => operationId)
    expect(ids.toSorted()).toEqual(Object.keys(allowed).toSorted())
  })
})
