import { describe, expect, it } from 'vitest'

import { makeFolder, makeProject } from '@caseward/test-support/factories'
import { getFoldersPath, makeFolderScenario } from '@caseward/test-support/folder-scenario'
import { useSharedServer } from '@caseward/test-support/test-server'

const server = useSharedServer()

const unknownId = '01a1fc2b-5f29-7584-9e03-d27674921b66'

describe('PATCH /v1/projects/:project_id/folders/:folder_id', () => {
  it(
    'changes only the name when only the name is sent',
    { tags: ['spec:test-cases/fields-and-endpoints-of-folders-decided'] },
    async () => {
      const { make, change } = await makeFolderScenario(server)
      const parent = await make()
      await make({ parent_id: parent.id })
      const folder = await make({ parent_id: parent.id })
      const { status, body } = await change(folder.id, { name: 'New' })
      expect(status).toBe(200)
      expect(body.data).toEqual({ ...folder, name: 'New', updated_at: expect.any(String) })
      expect(body.data.updated_at > folder.updated_at).toBe(true)
    },
  )

  it('changes nothing, including updated_at, when no field is sent', async () => {
    const { make, change } = await makeFolderScenario(server)
    const folder = await make()
    expect((await change(folder.id, {})).body.data).toEqual(folder)
  })

  it.each([
    [0, ['c', 'a', 'b', 'd']],
    [1, ['a', 'c', 'b', 'd']],
    [2, ['a', 'b', 'c', 'd']],
    [3, ['a', 'b', 'd', 'c']],
    [99, ['a', 'b', 'd', 'c']],
  ])('moves the third of four siblings to position %i', async (position, expected) => {
    const { list, make, change, display } = await makeFolderScenario(server)
    const folderIds = new Map<string, string>()
    for (const name of ['a', 'b', 'c', 'd']) folderIds.set(name, (await make({ name })).id)
    const { body } = await change(folderIds.get('c') ?? '', { position })
    expect(body.data.position).toBe(Math.min(position, 3))
    expect(await display()).toEqual(expected)
    expect((await list()).map((folder) => folder.position)).toEqual([0, 1, 2, 3])
  })

  it('moves a folder with its subfolders to the end of its new siblings, and closes the gap', async () => {
    const { list, make, change, display } = await makeFolderScenario(server)
    const a = await make({ name: 'a' })
    await make({ name: 'a1', parent_id: a.id })
    const b = await make({ name: 'b' })
    await make({ name: 'b1', parent_id: b.id })
    await make({ name: 'c' })
    const { body } = await change(a.id, { parent_id: b.id })
    expect(body.data).toMatchObject({ parent_id: b.id, position: 1 })
    expect(await display()).toEqual(['b', '.b1', '.a', '..a1', 'c'])
    expect((await list()).filter((folder) => folder.parent_id === null).map(({ position }) => position)).toEqual([0, 1])
  })

  it('moves a folder to the top level when parent_id is null', async () => {
    const { makeChain, change, display } = await makeFolderScenario(server)
    const [, child] = await makeChain(2)
    await change(child?.id ?? '', { parent_id: null })
    expect(await display()).toEqual(['level 1', 'level 2'])
  })

  it('returns 400 for a move into the folder itself or one of its descendants', async () => {
    const { project, token, makeChain } = await makeFolderScenario(server)
    const chain = await makeChain(3)
    for (const { id: parent_id } of chain) {
      const options = { token, body: { parent_id } }
      const problem = await server.expectProblem(400, 'PATCH', getFoldersPath(project, chain[0]?.id), options)
      expect(problem.errors?.[0]?.path).toBe('/parent_id')
    }
  })

  it('accepts a move that puts a subfolder on level ten, and rejects level eleven', async () => {
    const { project, token, make, makeChain, change } = await makeFolderScenario(server)
    const chain = await makeChain(8)
    const moved = await make()
    const below = await make({ parent_id: moved.id })
    const body = { parent_id: chain[7]?.id }
    expect((await change(moved.id, body)).status).toBe(200)
    await change(moved.id, { parent_id: null })
    await make({ parent_id: below.id })
    await server.expectProblem(400, 'PATCH', getFoldersPath(project, moved.id), { token, body })
  })

  it('returns 404 for an unknown folder and for a folder of another project, as DELETE does', async () => {
    const { project, token } = await makeFolderScenario(server)
    const foreignFolder = await makeFolder(server, await makeProject(server))
    for (const id of [unknownId, 'nonsense', foreignFolder.id, foreignFolder.id.toUpperCase()]) {
      await server.expectProblem(404, 'PATCH', getFoldersPath(project, id), { token, body: { name: 'x' } })
      await server.expectProblem(404, 'DELETE', getFoldersPath(project, id), { token })
    }
  })

  it('never forms a cycle when two folders are moved into each other at the same time', async () => {
    const { list, make, change } = await makeFolderScenario(server)
    const [a, b] = [await make(), await make()]
    for (let round = 0; round < 5; round += 1) {
      const responses = await Promise.all([change(a.id, { parent_id: b.id }), change(b.id, { parent_id: a.id })])
      expect(new Set(responses.map(({ status }) => status))).toEqual(new Set([200, 400]))
      expect(await list()).toHaveLength(2)
      await Promise.all([a, b].map(({ id }) => change(id, { parent_id: null })))
    }
  })
})
