import type { Merge } from '@caseward/contract/merges'
import type { TestCase } from '@caseward/contract/test-case-schemas'
import { expect } from 'vitest'

import { makeFolder } from './factories.ts'
import type { TestServer } from './test-server.ts'
import { makeTestsScenario } from './tests-scenario.ts'

export type MergeScenario = Awaited<ReturnType<typeof makeMergeScenario>>

/** Test cases WEB-1 … of a project, in a folder, with what a test has asked for. */
export async function makeMergeScenario(server: TestServer, cases = 3) {
  const scenario = await makeTestsScenario(server, cases)
  const { project, token } = scenario
  const root = `/v1/projects/${project.id}`
  const request = <B>(method: string, path: string, body?: object) =>
    server.request<B>(method, `${root}${path}`, { token, ...(body && { body }) })
  const send = async <T = object>(method: string, path: string, body?: object): Promise<T> => {
    const response = await request<{ data: T }>(method, path, body)
    expect([path, response.status, response.body]).toEqual([path, expect.toBeOneOf([200, 201]), expect.anything()])
    return response.body.data
  }
  const folder = await makeFolder(server, project, { name: 'Checkout' })
  return {
    ...scenario,
    root,
    request,
    send,
    folder,
    getCase: (id: string) => send<TestCase>('GET', `/test-cases/${id}`),
    update: (id: string, body: object) => send<TestCase>('PATCH', `/test-cases/${id}`, body),
    attach: async (id: string, query: string) => {
      const content = new TextEncoder().encode(`${id} ${query}`)
      const response = await fetch(`${server.url}${root}/test-cases/${id}/attachments?${query}`, {
        method: 'POST',
        headers: { authorization: `Bearer ${token}`, 'content-type': 'text/plain' },
        body: content,
      })
      expect(response.status).toBe(201)
      return ((await response.json()) as { data: { id: string } }).data.id
    },
    merge: (target: string, ids: string[]) => send<Merge>('POST', `/test-cases/${target}/merge`, { from_ids: ids }),
    undo: (target: string, id: string) =>
      request<{ code?: string; data: { restored_ids: string[] } }>('POST', `/test-cases/${target}/merge/undo`, {
        merge_id: id,
      }),
  }
}
