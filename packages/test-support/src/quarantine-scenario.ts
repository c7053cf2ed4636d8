import type { Quarantine } from '@caseward/contract/quarantines'
import { makeCiToken } from './factories.ts'
import type { TestServer } from './test-server.ts'
import { makeTest, makeTestsScenario } from './tests-scenario.ts'
import { makeMember } from './users.ts'
import { sql } from 'kysely'

import { quarantineJob } from '@caseward/server/features/quarantines/quarantine-job'

export const DAY_MS = 86_400_000
export const inDays = (days: number): string => new Date(Date.now() + days * DAY_MS).toISOString()

/** A project with known tests, a member, and a clock that can be moved. */
export async function makeQuarantineScenario(server: TestServer, testCount = 3) {
  const scenario = await makeTestsScenario(server, 1)
  const { project } = scenario
  const names = Array.from({ length: testCount }, (_, index) => `test ${index}`)
  await scenario.uploadTests(names.map((name) => makeTest(name)))
  const tests = (await scenario.listTests('per_page=500')).data
  const testIds = names.map((name) => tests.find((test) => test.name === name)?.id ?? '')
  const member = await makeMember(server, project.id, 'member')
  const path = `/v1/projects/${project.id}/quarantines`
  const { token } = member
  return {
    ...scenario,
    testIds,
    member,
    viewer: await makeMember(server, project.id, 'viewer'),
    ciToken: await makeCiToken(server, project, 'write'),
    path,
    add: async (body: object) =>
      (
        await server.request<{ data: Quarantine[] }>('POST', path, {
          token,
          body: { reason: 'Times out. SHOP-41', ...body },
        })
      ).body.data,
    change: async (id: string, body: object) =>
      (await server.request<{ data: Quarantine }>('PATCH', `${path}/${id}`, { token, body })).body.data,
    end: async (id: string, body: object = {}) =>
      (await server.request<{ data: Quarantine }>('DELETE', `${path}/${id}`, { token, body })).body.data,
    list: async (query = '') =>
      (
        await server.request<{ data: Quarantine[]; meta: { next_after: string | null } }>('GET', `${path}?${query}`, {
          token,
        })
      ).body,
    listAudit: async (action: string) => {
      const auditPath = `/v1/projects/${project.id}/audit-log?action=${action}`
      const response = await server.request<{ data: { actor: { kind: string }; subject: object; detail: object }[] }>(
        'GET',
        auditPath,
        { token: scenario.token },
      )
      return response.body.data
    },
    /** Moves the clock: everything that is stored happened so many days earlier. */
    passDays: async (days: number) => {
      const earlier = (column: string) => sql`${sql.ref(column)} = ${sql.ref(column)} - make_interval(days => ${days})`
      const columns = ['created_at', 'expires_at', 'ended_at', 'reminded_at', 'end_announced_at', 'broken_announced_at']
      await sql`update quarantines set ${sql.join(columns.map(earlier))}`.execute(server.db)
    },
    runJob: async () => await quarantineJob.run(server.db, new AbortController().signal),
  }
}
