import { createClient } from '@caseward/client'
import {
  createPersonalToken,
  createProject,
  deleteProject,
  getProject,
  listProjects,
  listRecentResults,
  listTestCaseRows,
  revokePersonalToken,
  type TestCaseRow,
  uploadResults,
} from '@caseward/client/endpoints'
import { beforeAll, describe, expect, it } from 'vitest'

import { makeCiToken, makeProject, makeRun, makeTestCases } from '@caseward/test-support/factories'
import { useSharedServer } from '@caseward/test-support/test-server'

/* Tests `@caseward/client` with a real server. */

const server = useSharedServer()
let project: Awaited<ReturnType<typeof makeProject>>
let token: string
beforeAll(async () => {
  project = await makeProject(server)
  token = await makeCiToken(server, project)
})

describe('@caseward/client', () => {
  const createPersonalClient = () => createClient({ url: server.url, token: project.admin.token })

  it('creates, reads, lists and deletes a project, and returns typed data', async () => {
    const client = createPersonalClient()
    const created = await client.call(createProject, { body: { name: 'Made by the client', prefix: 'CLI' } })
    if (created.kind !== 'success') throw new Error(created.kind)
    const params = { project_id: created.data.data.id }
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

  it('returns data null for a response without a body', async () => {
    const created = await createPersonalClient().call(createPersonalToken, { body: { name: 'short-lived' } })
    if (created.kind !== 'success') throw new Error(created.kind)
    const reply = await createPersonalClient().call(revokePersonalToken, { params: { token_id: created.data.data.id } })
    expect(reply).toMatchObject({ kind: 'success', status: 204, data: null })
  })

  it('returns all field errors of a problem', async () => {
    const reply = await createPersonalClient().call(createProject, { body: { name: '', prefix: 'no' } })
    if (reply.kind !== 'problem') throw new Error(reply.kind)
    expect(reply).toMatchObject({ status: 400, problem: { code: 'invalid_request' } })
    expect(reply.problem.errors?.map(({ path }) => path).toSorted()).toEqual(['/name', '/prefix'])
  })

  it('narrows the type of an upload receipt by its status', async () => {
    await makeTestCases(server, project, 1)
    const { id: run_id } = await makeRun(server, project)
    const client = createClient({ url: server.url, token })
    const toItem = (test_case_id: string) => ({ test_case_id, status: 'passed' as const })
    const complete = await client.call(uploadResults, { body: { run_id, results: [toItem('WEB-1')] } })
    expect(complete).toMatchObject({ status: 200, data: { success: true, uploaded_count: 1 } })
    const partial = await client.call(uploadResults, {
      rawBody: {
        contentType: 'application/xml',
        body: '<testsuite><testcase name="WEB-1"/><testcase name="WEB-99"/></testsuite>',
      },
      query: { run_id, dry_run: true },
    })
    if (partial.kind !== 'success' || partial.status !== 207) throw new Error(partial.kind)
    expect(partial.data.errors).toMatchObject([{ test_case_id: 'WEB-99', code: 'not_in_run' }])
    expect(partial.data.dry_run).toBe(true)
  })

  it('reads all rows of a list by cursor, and repeats a parameter for several values', async () => {
    const client = createPersonalClient()
    const params = { project_id: project.id }
    const ids = await makeTestCases(server, project, 5)
    const rows: TestCaseRow[] = []
    for (let after: string | undefined; ;) {
      const query = { fields: 'row', priority: ['medium', 'low'], per_page: 2, after } as const
      const reply = await client.call(listTestCaseRows, { params, query })
      if (reply.kind !== 'success') throw new Error(reply.kind)
      rows.push(...reply.data.data)
      if (reply.data.meta.next_after === null) break
      after = reply.data.meta.next_after
    }
    expect(rows.slice(-5).map(({ id }) => id)).toEqual(ids)
    const recent = await client.call(listRecentResults, { params, query: { test_case_ids: ids } })
    if (recent.kind !== 'success') throw new Error(recent.kind)
    expect(recent.data.data.map((item) => item.test_case_id)).toEqual(ids)
  })

  it('returns status 404 when its URL is not that of the API', async () => {
    const client = createClient({ url: `${server.url}/other-path`, token, retries: { limit: 0 } })
    const reply = await client.call(listProjects)
    expect(reply).toMatchObject({ status: 404 })
  })
})
