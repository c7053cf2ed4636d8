import type { CaseVersion, CaseVersionEntry, RestoredTestCase } from '@caseward/contract/case-versions'
import type { TestCase, UpdateTestCaseBody } from '@caseward/contract/test-case-schemas'
import { makeProject, makeTestCase } from './factories.ts'
import type { TestServer } from './test-server.ts'
import { makeSession } from './users.ts'

type Body<T> = { data: T; code?: string; detail?: string; meta: { next_after: number | null } }

/** A project with a test case, and the requests about its versions. */
export async function makeVersionScenario(server: TestServer, testCase: object = {}) {
  const project = await makeProject(server)
  const { id } = await makeTestCase(server, project, testCase)
  const root = `/v1/projects/${project.id}`
  const path = `${root}/test-cases/${id}`
  const cookie = await makeSession(server, project.admin.id)
  const inBrowser = { cookie: `${cookie.name}=${cookie.value}`, origin: server.url }
  const send = <T>(method: string, url: string, body?: object, headers?: Record<string, string>) =>
    server.request<Body<T>>(method, url, {
      ...(headers?.['cookie'] === undefined ? { token: project.admin.token } : {}),
      ...(body && { body }),
      ...(headers && { headers }),
    })
  return {
    project,
    id,
    number: Number(id.split('-')[1]),
    root,
    path,
    send,
    read: async () => (await send<TestCase>('GET', path)).body.data,
    patch: (body: UpdateTestCaseBody, url = path) => send<TestCase>('PATCH', url, body),
    /** Saves as the browser does. */
    save: (body: UpdateTestCaseBody) => send<TestCase>('PATCH', path, body, inBrowser),
    list: async (after?: number) =>
      (await send<CaseVersionEntry[]>('GET', `${path}/versions${after === undefined ? '' : `?after=${after}`}`)).body,
    get: (version: number) => send<CaseVersion>('GET', `${path}/versions/${version}`),
    restore: (version: number, headers?: Record<string, string>) =>
      send<RestoredTestCase>('POST', `${path}/versions/${version}/restore`, {}, headers),
  }
}
