import type { ChangedTestCase, EarlierTestCase } from '@caseward/contract/test-case-batches'

import { makeProject, makeTestCases } from './factories.ts'
import type { TestServer } from './test-server.ts'

export interface Moved {
  moved: number
  before: EarlierTestCase[]
  test_cases: ChangedTestCase[]
}

/** Creates a project with `count` test cases outside of folders, and functions with which its admin orders them. */
export async function makeMoveScenario(server: TestServer, count: number) {
  const project = await makeProject(server)
  const { token } = project.admin
  await makeTestCases(server, project, count)
  const root = `/v1/projects/${project.id}`
  return {
    project,
    token,
    root,
    /** Moves test cases, by default to a place outside of folders. */
    async move(ids: readonly string[], after?: string | null, folderId: string | null = null): Promise<Moved> {
      const body = { test_case_ids: ids, folder_id: folderId, ...(after === undefined ? {} : { after }) }
      const response = await server.request<{ data: Moved }>('POST', `${root}/test-cases/move`, { token, body })
      if (response.status !== 200) throw new Error(`${response.status} ${JSON.stringify(response.body)}`)
      return response.body.data
    },
    /** Reads the ids of all test cases in the order of the tree, page by page. */
    async order(perPage = 100): Promise<string[]> {
      const ids: string[] = []
      for (let page = 1; ; page += 1) {
        const path = `${root}/test-cases?sort=tree&per_page=${perPage}&page=${page}`
        const { body } = await server.request<{ data: { id: string }[] }>('GET', path, { token })
        ids.push(...body.data.map(({ id }) => id))
        if (body.data.length < perPage) return ids
      }
    },
  }
}
