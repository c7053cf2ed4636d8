import { createClient } from '@caseward/client'
import {
  createPersonalToken,
  createProject,
  deleteProject,
  getProject,
  listProjects,
  revokePersonalToken,
  uploadResults,
} from '@caseward/client/endpoints'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'

import { makeCiToken, makeProject, makeRun, makeTestCases } from '@caseward/test-support/factories'
import { startTestServer, type TestServer } from '@caseward/test-support/test-server'

/* The client of packages/client against a real server. */

let server: TestServer
let project: Awaited<ReturnType<typeof makeProject>>
let token: string
beforeAll(async () => {
  server = await startTestServer()
  project = await makeProject(server)
  token = await makeCiToken(server, project)
})
afterAll(() => server.close())

describe('the client', () => {
  const personal = () => createClient({ url: server.url, token: project.admin.token })

  it('makes, lists, reads and deletes, with the data that the contract says', async () => {
    const client = personal()
    const made = await client.call(createProject, { body: { name: 'Made by the client', prefix: 'CLI' } })
    if (made.kind !== 'success') throw new Error(made.kind)
    const params = { project_id: made.data.data.id }
    const read = await client.call(getProject, { params })
    expect(read).toMatchObject({ kind: 'success', status: 200, data: { data: { prefix: 'CLI', member_count: 1 } } })
    const listed = await client.call(listProjects, { query: { per_page: 1 } })
    expect(listed).toMatchObject({
      kind: 'success',
      data: { data: [{ id: params.project_id }], meta: { per_page: 1 } },
    })
    expect(await client.call(deleteProject, { params })).toMatchObject({ kind: 'success', status: 200 })
    expect(await client.call(getProject, { params })).toMatchObject({ kind: 'problem', status: 404 })
  })

  it('reads an answer without a body', async () => {
    const made = await personal().call(createPersonalToken, { body: { name: 'short-lived' } })
    if (made.kind !== 'success') throw new Error(made.kind)
    const reply = await personal().call(revokePersonalToken, { params: { token_id: made.data.data.id } })
    expect(reply).toMatchObject({ kind: 'success', status: 204, data: null })
  })

  it('gives every bad field of a refused body', async () => {
    const reply = await personal().call(createProject, { body: { name: '', prefix: 'no' } })
    if (reply.kind !== 'problem') throw new Error(reply.kind)
    expect(reply).toMatchObject({ status: 400, problem: { code: 'invalid_request' } })
    expect(reply.problem.errors?.map(({ path }) => path).toSorted()).toEqual(['/name', '/prefix'])
  })

  it('narrows the receipt of an upload by its status', async () => {
    await makeTestCases(server, project, 1)
    const { id: run_id } = await makeRun(server, project)
    const client = createClient({ url: server.url, token })
    const item = (test_case_id: string) => ({ test_case_id, status: 'passed' as const })
    const whole = await client.call(uploadResults, { body: { run_id, results: [item('WEB-1')] } })
    expect(whole).toMatchObject({ status: 200, data: { success: true, uploaded_count: 1 } })
    const partly = await client.call(uploadResults, {
      rawBody: {
        contentType: 'application/xml',
        body: '<testsuite><testcase name="WEB-1"/><testcase name="WEB-99"/></testsuite>',
      },
      query: { run_id, dry_run: true },
    })
    if (partly.kind !== 'success' || partly.status !== 207) throw new Error(partly.kind)
    expect(partly.data.errors).toMatchObject([{ test_case_id: 'WEB-99', code: 'not_in_run' }])
    expect(partly.data.dry_run).toBe(true)
  })

  it('takes a page of the server that is no endpoint for what it is', async () => {
    const elsewhere = createClient({ url: `${server.url}/elsewhere`, token, retries: { limit: 0 } })
    const reply = await elsewhere.call(listProjects)
    expect(reply).toMatchObject({ status: 404 })
  })
})
