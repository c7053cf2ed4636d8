import fc from 'fast-check'
import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'

import { cloneDatabase } from '@caseward/test-support/database'
import { makeFolder, makeTestCase } from '@caseward/test-support/factories'
import { makeMoveScenario } from '@caseward/test-support/move-scenario'
import { startTestServer, type TestServer } from '@caseward/test-support/test-server'
import { POSITION } from './positions.ts'

/** Two servers on one database, so that the order does not depend on what one process remembers. */
let servers: [TestServer, TestServer]
let close: () => Promise<void>
beforeAll(async () => {
  const database = await cloneDatabase()
  servers = [await startTestServer({}, database), await startTestServer({}, database)]
  close = async () => {
    for (const server of servers) await server.close()
    await database.drop()
  }
})
afterAll(() => close())

const FOLDERS = 3
const action = fc.oneof(
  {
    weight: 6,
    arbitrary: fc.record({
      do: fc.constant('move' as const),
      which: fc.array(fc.nat(50), { minLength: 1, maxLength: 4 }),
      folder: fc.nat(FOLDERS - 1),
      /** The place: 0 is the start, a number after the last test case is the end. */
      place: fc.nat(12),
    }),
  },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('create' as const), folder: fc.nat(FOLDERS - 1) }) },
  {
    weight: 1,
    arbitrary: fc.record({ do: fc.constant('change folder' as const), which: fc.nat(50), folder: fc.nat(2) }),
  },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('delete' as const), which: fc.nat(50) }) },
)

/** Creates two folders and eight test cases. The last of the three lists is that of test cases without a folder. */
async function makeScenario() {
  const [first, second] = servers
  const scenario = await makeMoveScenario(first, 8)
  const folders = [await makeFolder(first, scenario.project), await makeFolder(first, scenario.project)].map(
    ({ id }) => id,
  )
  const send = async (server: TestServer, method: string, path: string, body?: object) => {
    const options = { token: scenario.token, ...(body === undefined ? {} : { body }) }
    return (await server.request(method, `${scenario.root}/test-cases${path}`, options)).status
  }
  return { ...scenario, first, second, folderIds: [...folders, null], send }
}

/** Equal positions would leave the order to the numbers, and no place between them. */
async function findEqualPositions(projectId: string) {
  const { rows } = await sql`
    select c.folder_id, ${sql.raw(POSITION)} as position from test_cases c where c.project_id = ${projectId}
    group by 1, 2 having count(*) > 1`.execute(servers[0].db)
  return rows
}

describe('the order of test cases', () => {
  it('is that of a list from which test cases are taken and put elsewhere, after any sequence of changes', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(action, { minLength: 5, maxLength: 25 }), async (actions) => {
        const { project, order, move, folderIds, send, first } = await makeScenario()
        const model: string[][] = [[], [], Array.from({ length: 8 }, (_, index) => `WEB-${index + 1}`)]
        const statuses: number[] = []
        const take = (id: string) => {
          for (const list of model) if (list.includes(id)) list.splice(list.indexOf(id), 1)
        }
        const pick = (which: number) => model.flat().at(which % model.flat().length) ?? ''
        for (const step of actions) {
          if (step.do === 'create') {
            const created = await makeTestCase(first, project, { folder_id: folderIds[step.folder] ?? null })
            model[step.folder]?.push(created.id)
          } else if (model.flat().length === 0) {
            continue
          } else if (step.do === 'delete') {
            statuses.push(await send(first, 'DELETE', `/${pick(step.which)}`))
            take(pick(step.which))
          } else if (step.do === 'change folder') {
            const id = pick(step.which)
            statuses.push(await send(first, 'PATCH', `/${id}`, { folder_id: folderIds[step.folder] ?? null }))
            if (model[step.folder]?.includes(id) === false) {
              take(id)
              model[step.folder]?.push(id)
            }
          } else {
            const ids = [...new Set(step.which.map(pick))]
            const list = (model[step.folder] ?? []).filter((id) => !ids.includes(id))
            const after = step.place === 0 ? null : list[step.place - 1]
            await move(ids, after, folderIds[step.folder] ?? null)
            for (const id of ids) take(id)
            model[step.folder]?.splice(Math.min(step.place, list.length), 0, ...ids)
          }
        }
        expect(statuses.filter((status) => status !== 200)).toEqual([])
        expect(await order()).toEqual(model.flat())
        expect(await order(3)).toEqual(model.flat())
        expect(await findEqualPositions(project.id)).toEqual([])
      }),
      { numRuns: 6 },
    )
  })

  it('keeps the test cases of each request together when two servers move to one place at the same time', async () => {
    const { project, order, folderIds, send } = await makeScenario()
    for (let count = 8; count < 31; count += 1) await makeTestCase(servers[0], project)
    const groups = Array.from({ length: 10 }, (_, index) => [2, 3, 4].map((id) => `WEB-${3 * index + id}`))
    const [folder_id] = folderIds
    await send(servers[0], 'POST', '/move', { test_case_ids: ['WEB-1'], folder_id })
    const statuses = await Promise.all(
      groups.map((test_case_ids, index) =>
        send(servers[index % 2] ?? servers[0], 'POST', '/move', { test_case_ids, folder_id, after: 'WEB-1' }),
      ),
    )
    expect(new Set(statuses)).toEqual(new Set([200]))
    const ids = await order()
    expect([ids[0], new Set(ids).size, ids.length]).toEqual(['WEB-1', 31, 31])
    for (const group of groups) {
      const start = ids.indexOf(group[0] ?? '')
      expect(ids.slice(start, start + 3)).toEqual(group)
    }
    expect(await findEqualPositions(project.id)).toEqual([])
  })

  it('is strict and the same on both servers after any changes at the same time', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(action, { minLength: 15, maxLength: 30 }), async (actions) => {
        const { project, order, folderIds, send, token, root, second } = await makeScenario()
        const statuses = await Promise.all(
          actions.map((step, index) => {
            const server = servers[index % 2] ?? servers[0]
            const toId = (which: number) => `WEB-${(which % 8) + 1}`
            if (step.do === 'delete') return send(server, 'DELETE', `/${toId(step.which)}`)
            const folder_id = folderIds[step.folder] ?? null
            if (step.do === 'create') return send(server, 'POST', '', { title: 'New', folder_id })
            if (step.do === 'change folder') return send(server, 'PATCH', `/${toId(step.which)}`, { folder_id })
            const ids = [...new Set(step.which.map(toId))]
            const after = step.place < 4 ? {} : { after: step.place < 8 ? null : toId(step.place) }
            return send(server, 'POST', '/move', { test_case_ids: ids, folder_id, ...after })
          }),
        )
        expect(statuses.filter((status) => ![200, 201, 400, 404].includes(status))).toEqual([])
        const ids = await order(4)
        const { body } = await second.request<{ data: { id: string }[]; meta: { total: number } }>(
          'GET',
          `${root}/test-cases?sort=tree&per_page=100`,
          { token },
        )
        expect(body.data.map(({ id }) => id)).toEqual(ids)
        expect([new Set(ids).size, body.meta.total]).toEqual([ids.length, ids.length])
        expect(await findEqualPositions(project.id)).toEqual([])
      }),
      { numRuns: 4 },
    )
  })
})
