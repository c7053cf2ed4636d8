import fc from 'fast-check'
import { describe, expect, it } from 'vitest'

import { makeCiToken, makeTestCase } from '@caseward/test-support/factories'
import { getFoldersPath, makeFolderScenario } from '@caseward/test-support/folder-scenario'
import { useSharedServer } from '@caseward/test-support/test-server'
import { makeMember, makeUser } from '@caseward/test-support/users'

const server = useSharedServer()

const unknownId = '01a1fc2b-5f29-7584-9e03-d27674921b66'

describe('folders', () => {
  it('can be changed by members, and only read by viewers and CI tokens', async () => {
    const { project, make } = await makeFolderScenario(server)
    const folder = await make()
    const member = await makeMember(server, project.id, 'member')
    const ok = await server.request('POST', getFoldersPath(project), { token: member.token, body: { name: 'x' } })
    expect(ok.status).toBe(201)
    const { token: viewer } = await makeMember(server, project.id, 'viewer')
    for (const token of [viewer, await makeCiToken(server, project)]) {
      expect((await server.request('GET', getFoldersPath(project), { token })).status).toBe(200)
      await server.expectProblem(403, 'POST', getFoldersPath(project), { token, body: {} })
      await server.expectProblem(403, 'PATCH', getFoldersPath(project, folder.id), { token, body: { name: 5 } })
      await server.expectProblem(403, 'DELETE', getFoldersPath(project, unknownId), { token })
    }
    await server.expectProblem(403, 'GET', getFoldersPath(project), { token: (await makeUser(server)).token })
  })

  it('are deleted with their project, together with test cases and subfolders', async () => {
    const { project, token, makeChain } = await makeFolderScenario(server)
    const chain = await makeChain(3)
    for (const { id } of chain) await makeTestCase(server, project, { folder_id: id })
    const response = await server.request('DELETE', `/v1/projects/${project.id}`, { token })
    expect(response.status).toBe(200)
    expect(await server.db.selectFrom('folders').select('id').where('project_id', '=', project.id).execute()).toEqual(
      [],
    )
  })

  it('form one tree with positions without gaps after any sequence of creates, moves and deletes', async () => {
    const step = fc.record({
      verb: fc.constantFrom('create', 'move', 'delete'),
      on: fc.nat(),
      to: fc.nat(),
      position: fc.option(fc.nat(5), { nil: undefined }),
    })
    await fc.assert(
      fc.asyncProperty(fc.array(step, { minLength: 5, maxLength: 15 }), async (steps) => {
        const { project, token, list } = await makeFolderScenario(server)
        for (const { verb, on, to, position } of steps) {
          const ids = (await list()).map(({ id }) => id)
          const id = ids[on % (ids.length || 1)] ?? unknownId
          const place = { parent_id: [...ids, null][to % (ids.length + 1)] ?? null, position }
          const options = { token, body: { name: 'x', ...place } }
          const response =
            verb === 'create'
              ? await server.request('POST', getFoldersPath(project), options)
              : await server.request(verb === 'move' ? 'PATCH' : 'DELETE', getFoldersPath(project, id), options)
          expect(response.status).toBeLessThan(500)
        }
        const rows = await server.db.selectFrom('folders').selectAll().where('project_id', '=', project.id).execute()
        const folders = await list()
        expect(folders).toHaveLength(rows.length)
        for (const parent of new Set(folders.map(({ parent_id }) => parent_id))) {
          const positions = folders.filter(({ parent_id }) => parent_id === parent).map(({ position }) => position)
          expect(positions).toEqual(positions.map((_, index) => index))
        }
      }),
      { numRuns: 5 },
    )
  })
})
