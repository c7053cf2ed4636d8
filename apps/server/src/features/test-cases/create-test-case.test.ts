import type { TestCase, TestCaseListItem } from '@caseward/contract/test-case-schemas'
import { describe, expect, it } from 'vitest'

import { makeCiToken, makeFolder, makeProject, makeTestCase } from '@caseward/test-support/factories'
import { useSharedServer } from '@caseward/test-support/test-server'
import { makeMember, makeUser } from '@caseward/test-support/users'

const server = useSharedServer()

type MadeProject = Awaited<ReturnType<typeof makeProject>>

/** The words of the specification, and of ours where it is silent. */
const PRIORITIES = ['critical', 'high', 'medium', 'low']
const TYPES = [
  'functional',
  'smoke',
  'regression',
  'integration',
  'end_to_end',
  'acceptance',
  'performance',
  'security',
  'usability',
  'accessibility',
  'compatibility',
  'exploratory',
  'unit',
  'api',
  'other',
]

const getPath = (project: MadeProject) => `/v1/projects/${project.id}/test-cases`
const create = (project: MadeProject, body: unknown) =>
  server.request<{ data: TestCaseListItem }>('POST', getPath(project), { token: project.admin.token, body })

/** Creates a test case and reads it. */
async function createAndRead(project: MadeProject, sent: unknown): Promise<TestCase> {
  const { id } = (await create(project, sent)).body.data
  const { token } = project.admin
  return (await server.request<{ data: TestCase }>('GET', `${getPath(project)}/${id}`, { token })).body.data
}

describe('POST /v1/projects/:project_id/test-cases', () => {
  it(
    'requires only a title, applies defaults, and returns the fields of a list item',
    {
      tags: [
        'spec:conventions/optional-fields-may-be-left-out',
        'spec:conventions/success-codes-not-stated-decided-201-for-what',
        'spec:test-cases/folder_id-optional',
        'spec:test-cases/priority-medium-on-create-by-default',
        'spec:test-cases/precondition-string',
        'spec:test-cases/tags-in-the-single-read-only',
        'spec:test-cases/created_by-in-the-single-read-only',
        'spec:test-cases/created_at-timestamp',
        'spec:test-cases/updated_at-timestamp',
        'spec:test-cases/create-everything-else-is-optional',
        'spec:test-cases/create-answers-the-case-with-numbered-steps-and',
      ],
    },
    async () => {
      const project = await makeProject(server)
      const { status, body } = await create(project, { title: '  Pays  ' })
      expect(status).toBe(201)
      expect(body.data).toEqual({
        id: 'WEB-1',
        title: 'Pays',
        folder_id: null,
        priority: 'medium',
        type: 'functional',
        precondition: '',
        steps: [],
        expected_result: '',
        created_at: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/),
        updated_at: body.data.created_at,
      })
      const { token } = project.admin
      const read = await server.request<{ data: TestCase }>('GET', `${getPath(project)}/WEB-1`, { token })
      const hidden = { tags: [], automation_key: null, created_by: project.admin.id }
      expect(read.body.data).toMatchObject({ ...body.data, ...hidden })
    },
  )

  it.each(['AB', 'SHOPS'])(
    'numbers test cases from 1 with the project prefix %s',
    { tags: ['spec:projects/test-case-ids-are-prefix-number'] },
    async (prefix) => {
      const project = await makeProject(server, { prefix })
      expect((await create(project, { title: 'x' })).body.data.id).toBe(`${prefix}-1`)
      expect((await create(project, { title: 'x' })).body.data.id).toBe(`${prefix}-2`)
    },
  )

  it.each(PRIORITIES)(
    'accepts the priority %s',
    { tags: ['spec:test-cases/priority-critical-high-medium-low'] },
    async (priority) => {
      const project = await makeProject(server)
      expect((await create(project, { title: 'x', priority })).body.data.priority).toBe(priority)
      expect(await createAndRead(project, { title: 'x', priority })).toMatchObject({ priority })
    },
  )

  it.each(TYPES)(
    'accepts the type %s',
    { tags: ['spec:test-cases/type-functional-smoke-regression-the-others'] },
    async (type) => {
      const project = await makeProject(server)
      expect((await create(project, { title: 'x', type })).body.data.type).toBe(type)
      expect(await createAndRead(project, { title: 'x', type })).toMatchObject({ type })
    },
  )

  it(
    'numbers steps from 1 in the order sent, and ignores the positions sent',
    {
      tags: [
        'spec:test-cases/steps-numbered-from-1-in-the-order-sent',
        'spec:test-cases/create-steps-are-action-and-expected',
        'spec:test-cases/create-answers-the-case-with-numbered-steps-and',
      ],
    },
    async () => {
      const project = await makeProject(server)
      const steps = [{ position: 9, action: 'b', expected: 'x' }, { action: 'a' }]
      const { body } = await create(project, { title: 'x', steps })
      expect(body.data.steps).toEqual([
        { position: 1, action: 'b', expected: 'x' },
        { position: 2, action: 'a', expected: '' },
      ])
    },
  )

  it('trims tags and stores each once, in the order sent', async () => {
    const project = await makeProject(server)
    const { tags } = await createAndRead(project, { title: 'x', tags: [' b', 'a', 'b ', 'A'] })
    expect(tags).toEqual(['b', 'a', 'A'])
  })

  it('stores text unchanged: inner white space, line ends, quotes, emoji, any script', async () => {
    const project = await makeProject(server)
    const text = ' \t“quoted” \\ \r\n\n{"a":1}, null, 👩‍🚀, \u202Ertl, \u0001 \u0007'
    const testCase = await createAndRead(project, {
      title: 'NULL',
      precondition: text,
      tags: ['NULL', 'a,b', '{c}', '"'],
      steps: [{ action: text, expected: text }],
    })
    expect(testCase).toMatchObject({
      title: 'NULL',
      precondition: text,
      tags: ['NULL', 'a,b', '{c}', '"'],
      steps: [{ position: 1, action: text, expected: text }],
    })
  })

  it('ignores unknown fields and read-only fields', async () => {
    const project = await makeProject(server)
    const body = { title: 'x', id: 'WEB-77', created_by: 'me', created_at: 'then', color: { deep: [1] } }
    const testCase = await createAndRead(project, body)
    expect(testCase).toMatchObject({ id: 'WEB-1', created_by: project.admin.id })
    expect(testCase).not.toHaveProperty('color')
  })

  it('takes every length that is allowed', { tags: ['spec:limits/lengths-of-text-decided'] }, async () => {
    const project = await makeProject(server)
    const long = '😀'.repeat(16_384) // 16,384 characters; the limit counts characters, not bytes
    const response = await create(project, {
      title: '😀'.repeat(255),
      precondition: 'x'.repeat(65_536),
      expected_result: long,
      steps: Array.from({ length: 500 }, () => ({ action: 'a' })),
      tags: Array.from({ length: 50 }, (_, index) => `${index}`.padStart(64, 't')),
      automation_key: '🐞'.repeat(2000),
    })
    expect(response.status).toBe(201)
    expect(response.body.data.title).toBe('😀'.repeat(255))
    expect(response.body.data).toMatchObject({ expected_result: long })
    expect(response.body.data.steps).toHaveLength(500)
  })

  it('accepts an automation key that is used in another project', async () => {
    for (const project of [await makeProject(server), await makeProject(server)]) {
      expect((await create(project, { title: 'x', automation_key: 'login.works' })).status).toBe(201)
    }
  })

  it('never reuses a number, including the highest one after its deletion', async () => {
    const project = await makeProject(server)
    const { id } = await makeTestCase(server, project)
    await server.request('DELETE', `${getPath(project)}/${id}`, { token: project.admin.token })
    expect((await makeTestCase(server, project)).id).toBe('WEB-2')
  })

  it('gives test cases that are created at the same time different numbers', async () => {
    const project = await makeProject(server)
    const testCases = await Promise.all(Array.from({ length: 30 }, () => makeTestCase(server, project)))
    expect(new Set(testCases.map(({ id }) => id)).size).toBe(30)
  })

  it('adds to the counts of its project and folder', async () => {
    const project = await makeProject(server)
    const folder = await makeFolder(server, project)
    await makeTestCase(server, project, { folder_id: folder.id })
    const { token } = project.admin
    const { body } = await server.request('GET', `/v1/projects/${project.id}`, { token })
    expect(body['data']).toMatchObject({ test_case_count: 1 })
    const { body: folders } = await server.request('GET', `/v1/projects/${project.id}/folders`, { token })
    expect(folders['data']).toMatchObject([{ test_case_count: 1 }])
  })

  it(
    'returns 403 to viewers, CI tokens, read-only tokens and users who are not members',
    { tags: ['spec:authentication/permission-create-and-edit-test-cases'] },
    async () => {
      const project = await makeProject(server)
      const { token: member } = await makeMember(server, project.id, 'member')
      expect((await server.request('POST', getPath(project), { token: member, body: { title: 'x' } })).status).toBe(201)
      const reader = await makeUser(server, { access: 'read' })
      await server.db
        .insertInto('memberships')
        .values({ project_id: project.id, user_id: reader.id, role: 'admin' })
        .execute()
      const tokens = [
        (await makeMember(server, project.id, 'viewer')).token,
        await makeCiToken(server, project),
        reader.token,
        (await makeUser(server)).token,
      ]
      for (const token of tokens) await server.expectProblem(403, 'POST', getPath(project), { token, body: {} })
    },
  )
})
