import type { TestCase, TestCaseListItem } from '@caseward/contract/test-case-schemas'
import { describe, expect, it } from 'vitest'

import { makeFolder, makeProject, makeRun, makeTestCase, makeTestCases } from '@caseward/test-support/factories'
import { useSharedServer } from '@caseward/test-support/test-server'

const server = useSharedServer()

type MadeProject = Awaited<ReturnType<typeof makeProject>>
const getPath = (project: MadeProject, id: string) => `/v1/projects/${project.id}/test-cases/${id}`

describe('GET /v1/projects/:project_id/test-cases/:test_case_id', () => {
  it(
    'returns all fields, with steps, tags, automation key, author, position and version',
    {
      tags: [
        'spec:service/stores-test-cases-inside-projects-with-steps',
        'spec:conventions/a-single-test-case-is-wrapped-in-data',
        'spec:test-cases/id-string',
        'spec:test-cases/folder_id-optional',
        'spec:test-cases/precondition-string',
        'spec:test-cases/steps-position-action-expected',
        'spec:test-cases/expected_result-string',
        'spec:test-cases/tags-strings-in-the-single-read',
        'spec:test-cases/created_by-user-id-in-the-single-read',
        'spec:test-cases/retrieve-with-steps-tags-created_by',
        'spec:test-cases/create-folder_id-priority-type-precondition',
      ],
    },
    async () => {
      const project = await makeProject(server)
      const folder = await makeFolder(server, project)
      const body = {
        title: 'Pays',
        folder_id: folder.id,
        priority: 'critical',
        type: 'end_to_end',
        precondition: 'Money',
        steps: [{ action: 'Pay', expected: 'Paid' }, { action: 'Look' }],
        expected_result: 'All good',
        tags: ['pay', 'card'],
        automation_key: 'checkout.pays',
        automation_keys: ['checkout.pays'],
        owner_id: project.admin.id,
        estimate: 300,
      }
      const { token } = project.admin
      const created = await server.request<{ data: TestCaseListItem }>(
        'POST',
        `/v1/projects/${project.id}/test-cases`,
        {
          token,
          body,
        },
      )
      const read = await server.request<{ data: TestCase }>('GET', getPath(project, created.body.data.id), { token })
      expect(read.status).toBe(200)
      expect(read.body.data).toEqual({
        ...body,
        id: 'WEB-1',
        steps: [
          { position: 1, action: 'Pay', expected: 'Paid' },
          { position: 2, action: 'Look', expected: '' },
        ],
        created_by: project.admin.id,
        created_at: expect.any(String),
        updated_at: expect.any(String),
        position: 'a1',
        version: 1,
        template: 'steps',
        archived_at: null,
      })
    },
  )

  it.each([
    ['WEB-2'],
    ['web-1'],
    ['WEB-01'],
    ['WEB-0'],
    ['WEB--1'],
    ['WEB_1'],
    ['APP-1'],
    ['1'],
    ['WEB-99999999999'],
    ['WEB-1%00'],
    ['WEB-1%20'],
  ])('returns 404 for the id %s, as DELETE does', async (id) => {
    const project = await makeProject(server)
    await makeTestCase(server, project)
    for (const method of ['GET', 'DELETE']) {
      await server.expectProblem(404, method, getPath(project, id), { token: project.admin.token })
    }
  })

  it('returns 404 in another project with the same prefix', async () => {
    const [project, twin] = [await makeProject(server), await makeProject(server)]
    await makeTestCase(server, project)
    await server.expectProblem(404, 'GET', getPath(twin, 'WEB-1'), { token: twin.admin.token })
  })
})

describe('GET /v1/projects/:project_id/test-cases/:test_case_id/results', () => {
  interface History {
    data: Record<string, unknown>[]
    meta: unknown
  }
  const history = (project: MadeProject, id: string, query = '') =>
    server.request<History>('GET', `${getPath(project, id)}/results${query}`, { token: project.admin.token })

  it('lists one result for each run of the test case, the newest run first', async () => {
    const project = await makeProject(server)
    const [testCaseId, other] = await makeTestCases(server, project, 2)
    const first = await makeRun(server, project, { name: 'First' })
    await makeRun(server, project, { name: 'Without it', test_case_ids: [other ?? ''] })
    await makeRun(server, project, { name: 'Second', test_case_ids: [testCaseId ?? ''] })
    const set = { token: project.admin.token, body: { status: 'failed', note: 'Broke', elapsed: 4 } }
    await server.request('PUT', `/v1/runs/${first.id}/results/${testCaseId}`, set)
    const { body } = await history(project, testCaseId ?? '')
    expect(body.data.map((item) => item['run_name'])).toEqual(['Second', 'First'])
    expect(body.meta).toEqual({ page: 1, per_page: 20, total: 2 })
    expect(body.data[1]).toEqual({
      run_id: first.id,
      run_name: 'First',
      id: expect.any(String),
      test_case_id: testCaseId,
      test_case_title: 'Case 1',
      status: 'failed',
      note: 'Broke',
      elapsed: 4,
      tested_by: project.admin.id,
      tested_at: expect.stringMatching(/Z$/),
      branch: null,
      commit: null,
      build_url: null,
      milestone_id: null,
      rerun_of: null,
      attachment_count: 0,
      link_count: 0,
    })
  })

  it('returns pages with the total', async () => {
    const project = await makeProject(server)
    const { id } = await makeTestCase(server, project)
    for (const name of ['1', '2', '3']) await makeRun(server, project, { name })
    const { body } = await history(project, id, '?page=2&per_page=2')
    expect(body.data.map((item) => item['run_name'])).toEqual(['1'])
    expect(body.meta).toEqual({ page: 2, per_page: 2, total: 3 })
  })

  it('returns nothing for a test case without runs, and 404 for an unknown test case', async () => {
    const project = await makeProject(server)
    const { id } = await makeTestCase(server, project)
    expect((await history(project, id)).body).toMatchObject({ data: [], meta: { total: 0 } })
    for (const unknown of ['WEB-2', 'nonsense']) {
      await server.expectProblem(404, 'GET', `${getPath(project, unknown)}/results`, { token: project.admin.token })
    }
  })

  it('returns 400 for a page out of range', async () => {
    const project = await makeProject(server)
    const { id } = await makeTestCase(server, project)
    await server.expectProblem(400, 'GET', `${getPath(project, id)}/results?page=0`, { token: project.admin.token })
  })
})
