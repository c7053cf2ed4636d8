import { describe, expect, it } from 'vitest'

import { makeCiToken, makeFolder, makeProject, makeTestCase } from '@caseward/test-support/factories'
import { useSharedServer } from '@caseward/test-support/test-server'
import { makeMember } from '@caseward/test-support/users'

const server = useSharedServer()

type MadeProject = Awaited<ReturnType<typeof makeProject>>
const getPath = (project: MadeProject) => `/v1/projects/${project.id}/test-cases/bulk`
const bulk = (project: MadeProject, test_cases: unknown) =>
  server.request('POST', getPath(project), { token: project.admin.token, body: { test_cases } })

async function refusedPaths(project: MadeProject, status: number, test_cases: unknown): Promise<string[]> {
  const options = { token: project.admin.token, body: { test_cases } }
  const problem = await server.expectProblem(status, 'POST', getPath(project), options)
  return problem.errors?.map(({ path }) => path) ?? []
}

async function countCases(project: MadeProject): Promise<number> {
  const rows = await server.db.selectFrom('test_cases').select('number').where('project_id', '=', project.id).execute()
  return rows.length
}

describe('POST /v1/projects/:project_id/test-cases/bulk', () => {
  it(
    'creates the test cases in order, and returns their number, ids and titles',
    {
      tags: [
        'spec:conventions/success-codes-not-stated-decided-201-for-what',
        'spec:test-cases/bulk-answers-created-and-id-and-title-of-each',
      ],
    },
    async () => {
      const project = await makeProject(server)
      const { status, body } = await bulk(project, [{ title: ' b ' }, { title: 'a', priority: 'low' }])
      expect(status).toBe(201)
      expect(body).toEqual({
        data: {
          created: 2,
          test_cases: [
            { id: 'WEB-1', title: 'b' },
            { id: 'WEB-2', title: 'a' },
          ],
        },
      })
    },
  )

  it(
    'stores each item as POST of one test case does',
    {
      tags: [
        'spec:test-cases/priority-medium-on-create-by-default',
        'spec:test-cases/bulk-items-are-shaped-like-the-body-of-create',
      ],
    },
    async () => {
      const project = await makeProject(server)
      const folder = await makeFolder(server, project)
      const item = {
        title: 'x',
        folder_id: folder.id,
        priority: 'critical',
        type: 'api',
        precondition: 'p',
        steps: [{ position: 1, action: 'a', expected: 'e' }],
        expected_result: 'r',
        tags: ['t', 'NULL', 'a,"b"'],
        automation_key: 'k',
      }
      await bulk(project, [{ title: 'plain' }, item])
      const { token } = project.admin
      const { body } = await server.request('GET', `/v1/projects/${project.id}/test-cases/WEB-2`, { token })
      expect(body['data']).toMatchObject(item)
      const { body: plain } = await server.request('GET', `/v1/projects/${project.id}/test-cases/WEB-1`, { token })
      expect(plain['data']).toMatchObject({
        folder_id: null,
        priority: 'medium',
        type: 'functional',
        steps: [],
        tags: [],
      })
    },
  )

  it(
    'accepts 100 items',
    { tags: ['spec:test-cases/bulk-up-to-100', 'spec:limits/100-test-cases-in-one-bulk-creation'] },
    async () => {
      const project = await makeProject(server)
      const { body } = await bulk(
        project,
        Array.from({ length: 100 }, () => ({ title: 'x' })),
      )
      expect(body['data']).toMatchObject({ created: 100 })
    },
  )

  it(
    'returns 400 for 101 items, and creates nothing',
    { tags: ['spec:test-cases/bulk-up-to-100', 'spec:limits/100-test-cases-in-one-bulk-creation'] },
    async () => {
      const project = await makeProject(server)
      expect(
        await refusedPaths(
          project,
          400,
          Array.from({ length: 101 }, () => ({ title: 'x' })),
        ),
      ).toEqual(['/test_cases'])
      expect(await countCases(project)).toBe(0)
    },
  )

  it('returns 400 with the length of the list and every invalid item', async () => {
    const project = await makeProject(server)
    const items = Array.from({ length: 150 }, (_, index) => (index === 149 ? {} : { title: 'x' }))
    expect(await refusedPaths(project, 400, items)).toEqual(['/test_cases', '/test_cases/149/title'])
  })

  it('creates nothing for an empty list', async () => {
    const project = await makeProject(server)
    expect(await bulk(project, [])).toMatchObject({ status: 201, body: { data: { created: 0, test_cases: [] } } })
  })

  it(
    'returns 400 with every invalid field of every item, and creates nothing',
    {
      tags: [
        'spec:test-cases/bulk-items-are-shaped-like-the-body-of-create',
        'spec:test-cases/bulk-with-invalid-items-decided-all-or-nothing',
      ],
    },
    async () => {
      const project = await makeProject(server)
      const items = [
        { title: 'fine' },
        {},
        { title: ' ', priority: 'urgent' },
        { title: 'x', steps: [{}] },
        null,
        'text',
      ]
      expect(await refusedPaths(project, 400, items)).toEqual([
        '/test_cases/1/title',
        '/test_cases/2/title',
        '/test_cases/2/priority',
        '/test_cases/3/steps/0/action',
        '/test_cases/4',
        '/test_cases/5',
      ])
      expect(await countCases(project)).toBe(0)
    },
  )

  it('returns 400 with every field of 100 items with four invalid fields each', async () => {
    const project = await makeProject(server)
    const paths = await refusedPaths(
      project,
      400,
      Array.from({ length: 100 }, () => ({ priority: 1, type: 2, tags: 3 })),
    )
    expect(paths).toHaveLength(400)
    expect(paths).toContain('/test_cases/99/title')
  })

  it(
    'returns 400 with every unknown or malformed folder id, and creates nothing',
    { tags: ['spec:test-cases/bulk-with-invalid-items-decided-all-or-nothing'] },
    async () => {
      const project = await makeProject(server)
      const { id: own } = await makeFolder(server, project)
      const { id: foreign } = await makeFolder(server, await makeProject(server))
      const folders = [own, 'nonsense', null, '01a1fc2b-5f29-7584-9e03-d27674921b66', foreign]
      const paths = await refusedPaths(
        project,
        400,
        folders.map((folder_id) => ({ title: 'x', folder_id })),
      )
      expect(paths).toEqual([1, 3, 4].map((index) => `/test_cases/${index}/folder_id`))
      expect(await countCases(project)).toBe(0)
    },
  )

  it(
    'returns 400 with unknown folders and other invalid fields together, in the order of the items',
    { tags: ['spec:test-cases/bulk-with-invalid-items-decided-all-or-nothing'] },
    async () => {
      const project = await makeProject(server)
      const { id: own } = await makeFolder(server, project)
      const { id: foreign } = await makeFolder(server, await makeProject(server))
      const paths = await refusedPaths(project, 400, [
        { title: 'fine', folder_id: foreign },
        {},
        { title: 'fine', folder_id: 'nonsense' },
        { title: ' ', folder_id: own },
        { priority: 'urgent', folder_id: foreign },
        { title: 'fine', folder_id: 5 },
        { title: 'fine', folder_id: 'x'.repeat(256) },
        null,
        { title: 'fine', folder_id: null },
        { title: 'fine', folder_id: '01a1fc2b-5f29-7584-9e03-d27674921b66' },
      ])
      expect(paths).toEqual([
        '/test_cases/0/folder_id',
        '/test_cases/1/title',
        '/test_cases/2/folder_id',
        '/test_cases/3/title',
        '/test_cases/4/title',
        '/test_cases/4/priority',
        '/test_cases/4/folder_id',
        '/test_cases/5/folder_id',
        '/test_cases/6/folder_id',
        '/test_cases/7',
        '/test_cases/9/folder_id',
      ])
      expect(await countCases(project)).toBe(0)
    },
  )

  it('returns 409 with every automation key used in the project or twice in the list, and creates nothing', async () => {
    const project = await makeProject(server)
    await makeTestCase(server, project, { automation_key: 'old' })
    const keys = ['new', 'old', null, 'new', null]
    const paths = await refusedPaths(
      project,
      409,
      keys.map((automation_key) => ({ title: 'x', automation_key })),
    )
    expect(paths).toEqual(['/test_cases/1/automation_key', '/test_cases/3/automation_key'])
    expect(await countCases(project)).toBe(1)
  })

  it('does not use up test case numbers when it is rejected', async () => {
    const project = await makeProject(server)
    await refusedPaths(project, 400, [{ title: 'x' }, { title: 'y', folder_id: 'nonsense' }])
    expect((await makeTestCase(server, project)).id).toBe('WEB-1')
  })

  it.each([[undefined], [null], ['x'], [{}]])(
    'returns 400 when test_cases is %j',
    { tags: ['spec:test-cases/bulk-test_cases-is-an-array'] },
    async (test_cases) => {
      expect(await refusedPaths(await makeProject(server), 400, test_cases)).toEqual(['/test_cases'])
    },
  )

  it('returns 403 to viewers and CI tokens before validating the body', async () => {
    const project = await makeProject(server)
    const { token: viewer } = await makeMember(server, project.id, 'viewer')
    for (const token of [viewer, await makeCiToken(server, project)]) {
      await server.expectProblem(403, 'POST', getPath(project), { token, body: { test_cases: 'x' } })
    }
  })
})
