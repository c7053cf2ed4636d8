import { describe, expect, it } from 'vitest'

import { makeFolder, makeProject } from '@caseward/test-support/factories'
import { makeFolderScenario } from '@caseward/test-support/folder-scenario'
import { useSharedServer } from '@caseward/test-support/test-server'

const server = useSharedServer()

describe('GET /v1/projects/:project_id/folders', () => {
  it(
    'lists each folder before its subfolders, and siblings by position',
    { tags: ['spec:test-cases/fields-and-endpoints-of-folders-decided'] },
    async () => {
      const { make, display } = await makeFolderScenario(server)
      const b = await make({ name: 'b' })
      const a = await make({ name: 'a', position: 0 })
      await make({ name: 'b2', parent_id: b.id })
      await make({ name: 'b1', parent_id: b.id, position: 0 })
      await make({ name: 'a1', parent_id: a.id })
      expect(await display()).toEqual(['a', '.a1', 'b', '.b1', '.b2'])
    },
  )

  it('lists the whole tree without pages', async () => {
    const { list, make } = await makeFolderScenario(server)
    await Promise.all(Array.from({ length: 40 }, () => make()))
    const folders = await list()
    expect(folders.map(({ position }) => position)).toEqual(Array.from({ length: 40 }, (_, index) => index))
  })

  it('does not list the folders of another project', async () => {
    await makeFolder(server, await makeProject(server))
    const { list } = await makeFolderScenario(server)
    expect(await list()).toEqual([])
  })
})
