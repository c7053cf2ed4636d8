import type { TestCase } from '@caseward/contract/test-case-schemas'
import { describe, expect, it } from 'vitest'

import {
  getRunResults,
  makeCiToken,
  makeFolder,
  makeProject,
  makeRun,
  makeTestCase,
} from '@caseward/test-support/factories'
import { useSharedServer } from '@caseward/test-support/test-server'
import { makeMember } from '@caseward/test-support/users'

const server = useSharedServer()

type MadeProject = Awaited<ReturnType<typeof makeProject>>
const getPath = (project: MadeProject, id: string) => `/v1/projects/${project.id}/test-cases/${id}`

async function read(project: MadeProject, id: string): Promise<TestCase> {
  const { body } = await server.request<{ data: TestCase }>('GET', getPath(project, id), { token: project.admin.token })
  return body.data
}

const full = {
  title: 'Pays',
  priority: 'high',
  type: 'smoke',
  precondition: 'Money',
  steps: [
    { position: 1, action: 'one', expected: '1' },
    { position: 2, action: 'two', expected: '2' },
  ],
  expected_result: 'Paid',
  tags: ['a'],
  automation_key: 'pays',
} as const satisfies Partial<TestCase>

async function makeFullCase(project: MadeProject): Promise<TestCase> {
  const { id } = await makeTestCase(server, project, { ...full, steps: [...full.steps], tags: [...full.tags] })
  return await read(project, id)
}

describe.each(['PATCH', 'PUT'])('%s /v1/projects/:project_id/test-cases/:test_case_id', (method) => {
  const update = (project: MadeProject, id: string, body: unknown) =>
    server.request<{ data: TestCase }>(method, getPath(project, id), { token: project.admin.token, body })

  it.each([
    ['title', 'New title'],
    ['priority', 'low'],
    ['type', 'api'],
    ['precondition', ''],
    ['steps', [{ position: 1, action: 'only', expected: '' }]],
    ['steps', []],
    ['expected_result', 'Other'],
    ['tags', ['b', 'c']],
    ['tags', []],
    ['automation_keys', ['other', 'more']],
    ['automation_keys', []],
  ])(
    'changes only %s to %j, and returns it',
    {
      tags: [
        'spec:conventions/updates-change-only-the-fields-sent',
        'spec:conventions/success-codes-not-stated-decided-201-for-what',
        'spec:test-cases/updated_at-timestamp',
        'spec:test-cases/update-any-of-title-priority-type-precondition',
        'spec:test-cases/update-steps-replace-all-steps',
        'spec:test-cases/update-answers-id-title-priority-updated_at-and',
      ],
    },
    async (field, value) => {
      const project = await makeProject(server)
      const before = await makeFullCase(project)
      const { status, body } = await update(project, before.id, { [field]: value })
      expect(status).toBe(200)
      const after = await read(project, before.id)
      const changed = field === 'automation_keys' ? { automation_key: value[0] ?? null } : {}
      expect(after).toEqual({
        ...before,
        ...changed,
        [field]: value,
        updated_at: after.updated_at,
        version: before.version + 1,
      })
      expect(after.updated_at > before.updated_at).toBe(true)
      const { id, title, priority, updated_at, version } = after
      expect(body.data).toEqual({ id, title, priority, updated_at, version, ...changed, [field]: value })
    },
  )

  it(
    'changes nothing and returns only id, title, priority, updated_at and version when no field is sent',
    { tags: ['spec:test-cases/update-answers-id-title-priority-updated_at-and'] },
    async () => {
      const project = await makeProject(server)
      const before = await makeFullCase(project)
      const { id, title, priority, updated_at, version } = before
      const { body } = await update(project, before.id, { unknown: 1 })
      expect(body.data).toEqual({ id, title, priority, updated_at, version })
      expect(await read(project, id)).toEqual(before)
    },
  )

  it(
    'replaces all steps, and numbers the new ones',
    {
      tags: [
        'spec:test-cases/steps-numbered-from-1-in-the-order-sent',
        'spec:test-cases/update-steps-replace-all-steps',
      ],
    },
    async () => {
      const project = await makeProject(server)
      const { id } = await makeFullCase(project)
      const { body } = await update(project, id, { steps: [{ position: 4, action: 'x' }, { action: 'y' }] })
      expect(body.data.steps.map(({ position, action }) => [position, action])).toEqual([
        [1, 'x'],
        [2, 'y'],
      ])
      expect(await read(project, id)).toMatchObject({ steps: body.data.steps })
    },
  )

  it(
    'moves a test case between folders and out of them, and adjusts the folders’ counts',
    { tags: ['spec:test-cases/update-folder_id'] },
    async () => {
      const project = await makeProject(server)
      const [a, b] = [await makeFolder(server, project), await makeFolder(server, project)]
      const { id } = await makeTestCase(server, project, { folder_id: a.id })
      const counts = async () => {
        const { body } = await server.request<{ data: { test_case_count: number }[] }>(
          'GET',
          `/v1/projects/${project.id}/folders`,
          { token: project.admin.token },
        )
        return body.data.map((folder) => folder.test_case_count)
      }
      expect((await update(project, id, { folder_id: b.id })).body.data.folder_id).toBe(b.id)
      expect(await counts()).toEqual([0, 1])
      await update(project, id, { folder_id: b.id })
      expect(await counts()).toEqual([0, 1])
      expect((await update(project, id, { folder_id: null })).body.data.folder_id).toBeNull()
      expect(await counts()).toEqual([0, 0])
      await update(project, id, { folder_id: a.id })
      expect(await counts()).toEqual([1, 0])
    },
  )

  it('returns 400 for an unknown folder, and changes nothing', async () => {
    const project = await makeProject(server)
    const folder = await makeFolder(server, project)
    const foreignFolder = await makeFolder(server, await makeProject(server))
    const { id } = await makeTestCase(server, project, { folder_id: folder.id })
    const { token } = project.admin
    for (const folder_id of ['nonsense', '01a1fc2b-5f29-7584-9e03-d27674921b66', foreignFolder.id]) {
      const options = { token, body: { folder_id, title: 'New' } }
      const problem = await server.expectProblem(400, method, getPath(project, id), options)
      expect(problem.errors).toEqual([{ path: '/folder_id', message: expect.any(String) }])
    }
    expect(await read(project, id)).toMatchObject({ title: 'A test case', folder_id: folder.id })
    const { body } = await server.request('GET', `/v1/projects/${project.id}/folders`, { token })
    expect(body['data']).toMatchObject([{ test_case_count: 1 }])
  })

  it('returns 409 for the automation key of another test case, and accepts its own', async () => {
    const project = await makeProject(server)
    const { id } = await makeFullCase(project)
    const { id: other } = await makeTestCase(server, project, { automation_key: 'other' })
    const options = { token: project.admin.token, body: { automation_key: 'pays' } }
    const problem = await server.expectProblem(409, method, getPath(project, other), options)
    expect(problem).toMatchObject({ code: 'automation_key_taken', errors: [{ path: '/automation_key' }] })
    expect((await update(project, id, { automation_key: 'pays' })).status).toBe(200)
  })

  it.each([
    [{ title: ' ' }, '/title'],
    [{ title: null }, '/title'],
    [{ priority: 'urgent' }, '/priority'],
    [{ type: '' }, '/type'],
    [{ steps: null }, '/steps'],
    [{ steps: [{ expected: 'x' }] }, '/steps/0/action'],
    [{ tags: ['x'.repeat(65)] }, '/tags/0'],
    [{ precondition: 'x'.repeat(65_537) }, '/precondition'],
    [[], ''],
  ])('returns 400 with the field for %j, and changes nothing', async (body, path) => {
    const project = await makeProject(server)
    const before = await makeFullCase(project)
    const problem = await server.expectProblem(400, method, getPath(project, before.id), {
      token: project.admin.token,
      body,
    })
    expect(problem.errors?.map((error) => error.path)).toEqual([path])
    expect(await read(project, before.id)).toEqual(before)
  })

  it('returns 400 with an unknown folder and other invalid fields together', async () => {
    const project = await makeProject(server)
    const { id } = await makeTestCase(server, project)
    const options = { token: project.admin.token, body: { title: ' ', folder_id: 'nonsense' } }
    const problem = await server.expectProblem(400, method, getPath(project, id), options)
    expect(problem.errors?.map(({ path }) => path)).toEqual(['/title', '/folder_id'])
  })

  it('returns 404 for an unknown test case', async () => {
    const project = await makeProject(server)
    const folder = await makeFolder(server, project)
    for (const id of ['WEB-1', 'nonsense']) {
      const options = { token: project.admin.token, body: { title: 'x', folder_id: folder.id } }
      await server.expectProblem(404, method, getPath(project, id), options)
    }
  })

  it('returns 403 to viewers and CI tokens before validating the body', async () => {
    const project = await makeProject(server)
    const { token: viewer } = await makeMember(server, project.id, 'viewer')
    for (const token of [viewer, await makeCiToken(server, project)]) {
      await server.expectProblem(403, method, getPath(project, 'WEB-1'), { token, body: { title: 5 } })
    }
  })
})

describe('DELETE /v1/projects/:project_id/test-cases/:test_case_id', () => {
  const remove = (project: MadeProject, id: string, token = project.admin.token) =>
    server.request('DELETE', getPath(project, id), { token })

  it(
    'deletes the test case, and returns a message',
    {
      tags: [
        'spec:conventions/success-codes-not-stated-decided-201-for-what',
        'spec:test-cases/delete-answers-a-message',
      ],
    },
    async () => {
      const project = await makeProject(server)
      const { id } = await makeTestCase(server, project)
      const response = await remove(project, id)
      expect(response.status).toBe(200)
      expect(response.body).toEqual({ message: expect.stringContaining(id) })
      await server.expectProblem(404, 'GET', getPath(project, id), { token: project.admin.token })
      await server.expectProblem(404, 'DELETE', getPath(project, id), { token: project.admin.token })
    },
  )

  it(
    'keeps the results of the test case with their title and status, without its id',
    { tags: ['spec:test-cases/delete-results-are-kept-their-reference-is'] },
    async () => {
      const project = await makeProject(server)
      const { token } = project.admin
      const { id } = await makeTestCase(server, project, { title: 'Old title' })
      const runs = [await makeRun(server, project), await makeRun(server, project)]
      for (const run of runs) {
        await server.request('PUT', `/v1/runs/${run.id}/results/${id}`, {
          token,
          body: { status: 'passed', note: 'n' },
        })
      }
      await server.request('PATCH', getPath(project, id), { token, body: { title: 'New title' } })
      await remove(project, id)
      for (const run of runs) {
        const results = await getRunResults(server, run.id, token)
        expect([...results.values()]).toMatchObject([
          { test_case_id: null, test_case_title: 'Old title', status: 'passed', note: 'n' },
        ])
        const { body } = await server.request('GET', `/v1/runs/${run.id}`, { token })
        expect(body['data']).toMatchObject({ result_count: 1, stats: { passed: 1 } })
      }
    },
  )

  it('returns 403 to viewers and CI tokens', async () => {
    const project = await makeProject(server)
    const { id } = await makeTestCase(server, project)
    const { token: viewer } = await makeMember(server, project.id, 'viewer')
    for (const token of [viewer, await makeCiToken(server, project)]) {
      await server.expectProblem(403, 'DELETE', getPath(project, id), { token })
    }
    expect((await remove(project, id, (await makeMember(server, project.id, 'member')).token)).status).toBe(200)
  })
})
