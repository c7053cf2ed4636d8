import type { Folder } from '@caseward/contract/folders'

import { makeFolder, makeProject } from './factories.ts'
import type { TestResponse } from './send-request.ts'
import type { TestServer } from './test-server.ts'

type Project = Awaited<ReturnType<typeof makeProject>>

/** Returns the path of a project's folders, or of one folder. */
export const getFoldersPath = (project: Pick<Project, 'id'>, id = ''): string =>
  `/v1/projects/${project.id}/folders${id === '' ? '' : `/${id}`}`

/** Creates a project and functions with which its admin changes its folders. */
export async function makeFolderScenario(server: TestServer) {
  const project = await makeProject(server)
  const { token } = project.admin
  const list = async (): Promise<Folder[]> =>
    (await server.request<{ data: Folder[] }>('GET', getFoldersPath(project), { token })).body.data
  return {
    project,
    token,
    list,
    make: (fields: Partial<Folder> = {}): Promise<Folder> => makeFolder(server, project, fields),
    /** Creates a folder, a subfolder in it, and so on. */
    async makeChain(levels: number): Promise<Folder[]> {
      const chain: Folder[] = []
      for (let level = 1; level <= levels; level += 1) {
        chain.push(await makeFolder(server, project, { name: `level ${level}`, parent_id: chain.at(-1)?.id ?? null }))
      }
      return chain
    },
    change: (id: string, body: unknown): Promise<TestResponse<{ data: Folder }>> =>
      server.request('PATCH', getFoldersPath(project, id), { token, body }),
    remove: (id: string): Promise<TestResponse<Record<string, unknown>>> =>
      server.request('DELETE', getFoldersPath(project, id), { token }),
    /** Returns the names in display order, with one dot per level. */
    async display(): Promise<string[]> {
      const levels = new Map<string | null, number>([[null, -1]])
      return (await list()).map(({ id, parent_id, name }) => {
        const level = (levels.get(parent_id) ?? Number.NaN) + 1
        levels.set(id, level)
        return '.'.repeat(level) + name
      })
    },
  }
}
