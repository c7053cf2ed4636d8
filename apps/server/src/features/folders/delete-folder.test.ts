import { describe, expect, it } from 'vitest'

import { makeTestCase } from '@caseward/test-support/factories'
import { makeFolderScenario } from '@caseward/test-support/folder-scenario'
import { useSharedServer } from '@caseward/test-support/test-server'

const server = useSharedServer()

describe('DELETE /v1/projects/:project_id/folders/:folder_id', () => {
  it('returns a message', { tags: ['spec:test-cases/fields-and-endpoints-of-folders-decided'] }, async () => {
    const { make, remove } = await makeFolderScenario(server)
    const response = await remove((await make()).id)
    expect(response).toMatchObject({ status: 200, body: { message: expect.any(String) } })
    expect(Object.keys(response.body)).toEqual(['message'])
  })

  it('moves its subfolders to its parent, at its own position', async () => {
    const { list, make, remove, display } = await makeFolderScenario(server)
    const parent = await make({ name: 'p' })
    for (const name of ['a', 'gone', 'z']) {
      const folder = await make({ name, parent_id: parent.id })
      if (name === 'gone') for (const sub of ['x', 'y']) await make({ name: sub, parent_id: folder.id })
    }
    const gone = (await list()).find(({ name }) => name === 'gone')
    await remove(gone?.id ?? '')
    expect(await display()).toEqual(['p', '.a', '.x', '.y', '.z'])
    expect((await list()).map(({ position }) => position)).toEqual([0, 0, 1, 2, 3])
  })

  it(
    'moves its test cases to its parent, and adds them to the parent’s count',
    { tags: ['spec:test-cases/fields-and-endpoints-of-folders-decided'] },
    async () => {
      const { project, token, list, makeChain, remove } = await makeFolderScenario(server)
      const [parent, child] = await makeChain(2)
      await makeTestCase(server, project, { folder_id: parent?.id ?? null })
      const moved = await makeTestCase(server, project, { folder_id: child?.id ?? null })
      await remove(child?.id ?? '')
      expect(await list()).toMatchObject([{ id: parent?.id, test_case_count: 2 }])
      const path = `/v1/projects/${project.id}/test-cases/${moved.id}`
      const { body } = await server.request('GET', path, { token })
      expect(body['data']).toMatchObject({ folder_id: parent?.id })
    },
  )

  it('leaves the test cases of a top-level folder without a folder', async () => {
    const { project, token, make, remove } = await makeFolderScenario(server)
    const folder = await make()
    await makeTestCase(server, project, { folder_id: folder.id })
    await remove(folder.id)
    const path = `/v1/projects/${project.id}/test-cases?folder_id=none`
    const { body } = await server.request('GET', path, { token })
    expect(body).toMatchObject({ data: [{ folder_id: null }], meta: { total: 1 } })
  })

  it('loses no test case that is created in or moved to the folder at the same time', async () => {
    const { project, token, make, remove } = await makeFolderScenario(server)
    const folder = await make()
    const other = await makeTestCase(server, project)
    const create = () =>
      server.request('POST', `/v1/projects/${project.id}/test-cases`, {
        token,
        body: { title: 'x', folder_id: folder.id },
      })
    const move = () =>
      server.request('PATCH', `/v1/projects/${project.id}/test-cases/${other.id}`, {
        token,
        body: { folder_id: folder.id },
      })
    const responses = await Promise.all([create(), create(), remove(folder.id), move(), create()])
    expect(responses.every(({ status }) => [200, 201, 400].includes(status))).toBe(true)
    const createdCount = responses.filter(({ status }) => status === 201).length
    const path = `/v1/projects/${project.id}/test-cases?folder_id=none`
    const { body } = await server.request('GET', path, { token })
    expect(body['meta']).toMatchObject({ total: createdCount + 1 })
  })
})
