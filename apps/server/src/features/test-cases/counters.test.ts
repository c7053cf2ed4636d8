import fc from 'fast-check'
import { sql } from 'kysely'
import { describe, expect, it } from 'vitest'

import { makeProject } from '@caseward/test-support/factories'
import { useSharedServer } from '@caseward/test-support/test-server'

const server = useSharedServer()

const verbs = [
  'create case',
  'bulk create',
  'move case',
  'delete case',
  'change cases',
  'archive cases',
  'archive case',
  'move cases',
  'delete cases',
  'create folder',
  'move folder',
  'delete folder',
  'create run',
  'delete run',
] as const

const step = fc.record({ verb: fc.constantFrom(...verbs), which: fc.nat(50), where: fc.nat(50), count: fc.nat(4) })
type Step = typeof step extends fc.Arbitrary<infer T> ? T : never
type MadeProject = Awaited<ReturnType<typeof makeProject>>

/** Sends the request of a step, to an existing item chosen by number, and returns the status. */
async function perform(project: MadeProject, { verb, which, where, count }: Step): Promise<number> {
  const { token } = project.admin
  const root = `/v1/projects/${project.id}`
  const idsIn = async (path: string): Promise<string[]> => {
    const { body } = await server.request<{ data: { id: string }[] }>('GET', path, { token })
    return body.data.map(({ id }) => id)
  }
  const pick = async (path: string) => {
    const ids = await idsIn(path)
    return ids[which % Math.max(1, ids.length)] ?? 'none'
  }
  const folders = [...(await idsIn(`${root}/folders`)), null]
  const folder_id = folders[where % folders.length] ?? null
  const someIds = async () => {
    const ids = await idsIn(`${root}/test-cases?archived=any`)
    return ids.filter((_, index) => (index + which) % 3 <= count % 3)
  }
  const requests: Record<(typeof verbs)[number], () => Promise<[string, string, unknown?]>> = {
    'create case': async () => ['POST', `${root}/test-cases`, { title: 'x', folder_id }],
    'bulk create': async () => {
      // Now and then the last item is bad, and nothing may be counted.
      const items = Array.from({ length: count }, (_, index) => ({
        title: 'x',
        folder_id: which % 5 === 0 && index === count - 1 ? 'bad' : (folders[(where + index) % folders.length] ?? null),
      }))
      return ['POST', `${root}/test-cases/bulk`, { test_cases: items }]
    },
    'move case': async () => [
      'PATCH',
      `${root}/test-cases/${await pick(`${root}/test-cases?archived=any`)}`,
      { folder_id },
    ],
    'delete case': async () => ['DELETE', `${root}/test-cases/${await pick(`${root}/test-cases?archived=any`)}`],
    'change cases': async () => [
      'POST',
      `${root}/test-cases/bulk-update`,
      { test_case_ids: await someIds(), set: { folder_id } },
    ],
    'archive cases': async () => [
      'POST',
      `${root}/test-cases/bulk-update`,
      { test_case_ids: await someIds(), set: { archived: where % 2 === 0, ...(count === 0 ? { folder_id } : {}) } },
    ],
    'archive case': async () => [
      'PATCH',
      `${root}/test-cases/${await pick(`${root}/test-cases?archived=any`)}`,
      { archived: where % 3 > 0, ...(count === 0 ? { folder_id } : {}) },
    ],
    'move cases': async () => ['POST', `${root}/test-cases/move`, { test_case_ids: await someIds(), folder_id }],
    'delete cases': async () => ['POST', `${root}/test-cases/bulk-delete`, { test_case_ids: await someIds() }],
    'create folder': async () => ['POST', `${root}/folders`, { name: 'f', parent_id: folder_id, position: count }],
    'move folder': async () => [
      'PATCH',
      `${root}/folders/${await pick(`${root}/folders`)}`,
      { parent_id: folder_id, position: count },
    ],
    'delete folder': async () => ['DELETE', `${root}/folders/${await pick(`${root}/folders`)}`],
    'create run': async () => ['POST', `${root}/runs`, { name: 'r' }],
    'delete run': async () => ['DELETE', `/v1/runs/${await pick(`${root}/runs`)}`],
  }
  const [method, path, body] = await requests[verb]()
  return (await server.request(method, path, { token, body })).status
}

/** Selects the counters that differ from a recount. */
async function findWrongCounters(projectId: string) {
  const { rows } = await sql`
    with cases as materialized (
      select folder_id, count(*) filter (where archived_at is null)::int as count, count(archived_at)::int as archived
      from test_cases where project_id = ${projectId} group by folder_id
    )
    select * from (
      select 'project cases' as name, test_case_count as stored,
        coalesce((select sum(count)::int from cases), 0) as counted
      from projects where id = ${projectId}
      union all
      select 'project archived', archived_test_case_count, coalesce((select sum(archived)::int from cases), 0)
      from projects where id = ${projectId}
      union all
      select 'project runs', run_count, (select count(*)::int from runs where project_id = ${projectId})
      from projects where id = ${projectId}
      union all
      select 'project members', member_count, (select count(*)::int from memberships where project_id = ${projectId})
      from projects where id = ${projectId}
      union all
      select 'folder ' || f.id, test_case_count, coalesce((select count from cases where folder_id = f.id), 0)
      from folders f where project_id = ${projectId}
    ) counters where stored <> counted`.execute(server.db)
  return rows
}

const allowed = [200, 201, 400, 404]

describe('the counters of projects and folders', () => {
  it('equal a recount after any sequence of requests', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(step, { minLength: 10, maxLength: 25 }), async (steps) => {
        const project = await makeProject(server)
        for (const someStep of steps) expect(allowed).toContain(await perform(project, someStep))
        expect(await findWrongCounters(project.id)).toEqual([])
      }),
      { numRuns: 5 },
    )
  })

  it('equal a recount after any requests at the same time', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(step, { minLength: 20, maxLength: 30 }), async (steps) => {
        const project = await makeProject(server)
        for (const verb of ['create folder', 'create folder', 'bulk create', 'create run'] as const) {
          await perform(project, { verb, which: 1, where: 1, count: 3 })
        }
        const statuses = await Promise.all(steps.map((someStep) => perform(project, someStep)))
        expect(statuses.filter((status) => !allowed.includes(status))).toEqual([])
        expect(await findWrongCounters(project.id)).toEqual([])
      }),
      { numRuns: 4 },
    )
  })
})
