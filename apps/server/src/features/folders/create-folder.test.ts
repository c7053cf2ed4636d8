import { describe, expect, it } from 'vitest'

import { makeFolder, makeProject } from '@caseward/test-support/factories'
import { getFoldersPath, makeFolderScenario } from '@caseward/test-support/folder-scenario'
import { useSharedServer } from '@caseward/test-support/test-server'

const server = useSharedServer()

const unknownId = '01a1fc2b-5f29-7584-9e03-d27674921b66'

describe('POST /v1/projects/:project_id/folders', () => {
  it(
    'creates a folder as the last one of the top level by default, and returns all its fields',
    { tags: ['spec:test-cases/fields-and-endpoints-of-folders-decided'] },
    async () => {
      const { project, token, make } = await makeFolderScenario(server)
      await make()
      const response = await server.request('POST', getFoldersPath(project), { token, body: { name: ' Checkout ' } })
      expect(response.status).toBe(201)
      expect(response.body['data']).toEqual({
        id: expect.stringMatching(/^[0-9a-f-]{36}$/),
        name: 'Checkout',
        parent_id: null,
        position: 1,
        test_case_count: 0,
        created_at: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/),
        updated_at: expect.any(String),
      })
    },
  )

  it('moves the folders at and after its position by one', async () => {
    const { list, make, display } = await makeFolderScenario(server)
    for (const name of ['a', 'b', 'c']) await make({ name })
    const { position } = await make({ name: 'x', position: 1 })
    expect(position).toBe(1)
    expect(await display()).toEqual(['a', 'x', 'b', 'c'])
    expect((await list()).map((folder) => folder.position)).toEqual([0, 1, 2, 3])
  })

  it('puts a folder with a position past the end last', async () => {
    const { make } = await makeFolderScenario(server)
    await make()
    const { position } = await make({ position: 1_000_000 })
    expect(position).toBe(1)
  })

  it('accepts ten levels and rejects an eleventh', async () => {
    const { project, token, makeChain } = await makeFolderScenario(server)
    const chain = await makeChain(10)
    const body = { name: 'too deep', parent_id: chain.at(-1)?.id }
    const problem = await server.expectProblem(400, 'POST', getFoldersPath(project), { token, body })
    expect(problem.errors).toEqual([{ path: '/parent_id', message: expect.stringContaining('10 levels') }])
  })

  it.each([
    [{}, '/name'],
    [{ name: '  ' }, '/name'],
    [{ name: 'x'.repeat(256) }, '/name'],
    [{ name: null }, '/name'],
    [{ name: 'a\ud800' }, '/name'],
    [{ name: 'x', parent_id: 'nonsense' }, '/parent_id'],
    [{ name: 'x', parent_id: unknownId }, '/parent_id'],
    [{ name: 'x', position: -1 }, '/position'],
    [{ name: 'x', position: 1.5 }, '/position'],
    [{ name: 'x', position: '1' }, '/position'],
  ])('returns 400 with the field for the body %j', async (body, path) => {
    const { project, token } = await makeFolderScenario(server)
    const problem = await server.expectProblem(400, 'POST', getFoldersPath(project), { token, body })
    expect(problem.errors?.map((error) => error.path)).toEqual([path])
  })

  it('returns 400 for a parent in another project', async () => {
    const { project, token } = await makeFolderScenario(server)
    const foreignFolder = await makeFolder(server, await makeProject(server))
    const body = { name: 'x', parent_id: foreignFolder.id }
    await server.expectProblem(400, 'POST', getFoldersPath(project), { token, body })
  })
})
