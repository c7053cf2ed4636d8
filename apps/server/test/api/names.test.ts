import { describe, expect, it } from 'vitest'

import { makeFolder, makeMilestone, makeProject, makeRun, makeTestCase } from '@caseward/test-support/factories'
import { useSharedServer } from '@caseward/test-support/test-server'

const server = useSharedServer()

/** Requests with a name or title that a user chooses, and the path of the field. */
const requests: [string, string, (project: Awaited<ReturnType<typeof makeProject>>) => Promise<string> | string][] = [
  ['POST', 'name', () => '/v1/projects'],
  ['PATCH', 'name', ({ id }) => `/v1/projects/${id}`],
  ['POST', 'name', ({ id }) => `/v1/projects/${id}/folders`],
  ['PATCH', 'name', async (project) => `/v1/projects/${project.id}/folders/${(await makeFolder(server, project)).id}`],
  ['POST', 'title', ({ id }) => `/v1/projects/${id}/test-cases`],
  [
    'PATCH',
    'title',
    async (project) => `/v1/projects/${project.id}/test-cases/${(await makeTestCase(server, project)).id}`,
  ],
  ['POST', 'name', ({ id }) => `/v1/projects/${id}/milestones`],
  [
    'PATCH',
    'name',
    async (project) => `/v1/projects/${project.id}/milestones/${(await makeMilestone(server, project)).id}`,
  ],
  ['POST', 'name', ({ id }) => `/v1/projects/${id}/tokens`],
  ['POST', 'name', () => '/v1/tokens'],
  ['PATCH', 'name', () => '/v1/me'],
]

const invisibleNames = {
  'a control character': 'Web\u001bshop',
  'a line break': 'Web\nshop',
  'a zero-width space': 'Web\u200bshop',
  'a joiner between Latin letters': 'Web\u200dshop',
  'an override of the direction': 'Web\u202epohs',
  'an isolate': 'Web\u2067shop',
}

describe('a name or title that a user chooses', () => {
  it.each(requests)('is refused with invisible characters: %s with %s (%#)', async (method, field, getPath) => {
    const project = await makeProject(server)
    const path = await getPath(project)
    for (const [reason, name] of Object.entries(invisibleNames)) {
      const body = { prefix: 'WEB', [field]: name }
      const { errors } = await server.expectProblem(400, method, path, { token: project.admin.token, body })
      const message = expect.stringContaining('invisible characters') as unknown
      expect({ reason, errors }).toEqual({ reason, errors: [{ path: `/${field}`, message }] })
    }
  })

  it.each(['Zoë’s shop 👩‍💻', 'می‌خواهم', 'בדיקה ‎(API)‎', '🏴󠁧󠁢󠁳󠁣󠁴󠁿 build'])('is stored as it is: %s', async (name) => {
    expect((await makeProject(server, { name })).name).toBe(name)
  })
})

describe('a name or title that comes from a program', () => {
  const unclean = ' Nightly\u200b \u202e\u001b(main)\n '

  it('is cleaned when it is the name of a new run', async () => {
    expect((await makeRun(server, await makeProject(server), { name: unclean })).name).toBe('Nightly (main)')
  })

  it('is cleaned when it is the new name of a run', async () => {
    const project = await makeProject(server)
    const { id } = await makeRun(server, project)
    const body = { name: unclean }
    const renamed = await server.request('PATCH', `/v1/runs/${id}`, { token: project.admin.token, body })
    expect(renamed).toMatchObject({ status: 200, body: { data: { name: 'Nightly (main)' } } })
  })

  it('is cleaned when it is the title of a test case in a bulk request', async () => {
    const { id, admin } = await makeProject(server)
    const body = { test_cases: [{ title: 'Pays by\u00ad card' }, { title: '\u200b' }, { title: 'A\tB' }] }
    const path = `/v1/projects/${id}/test-cases/bulk`
    const { errors } = await server.expectProblem(400, 'POST', path, { token: admin.token, body })
    expect(errors).toEqual([{ path: '/test_cases/1/title', message: 'must not be empty' }])
    body.test_cases.splice(1, 1)
    const created = await server.request('POST', path, { token: admin.token, body })
    expect(created).toMatchObject({
      status: 201,
      body: { data: { test_cases: [{ title: 'Pays by card' }, { title: 'A B' }] } },
    })
  })

  it('is too long, and not cleaned, when it has 300,000 characters', async () => {
    const { id, admin } = await makeProject(server)
    const body = { name: '\u200b'.repeat(300_000) }
    const { errors } = await server.expectProblem(400, 'POST', `/v1/projects/${id}/runs`, { ...admin, body })
    expect(errors).toMatchObject([{ path: '/name', message: 'must be at most 255 characters long' }])
  })
})

describe('an email address', () => {
  it.each([
    ['a zero-width space', 'mi\u200bra@example.test'],
    ['a joiner', 'mi\u200dra@example.test'],
    ['a joiner, although it is Persian', '\u0645\u06cc\u200c\u062e@example.test'],
    ['a direction mark', 'mira@example.test\u200e'],
    ['an override of the direction', 'mira@\u202etset.elpmaxe'],
    ['a variation selector', 'mira\ufe0f@example.test'],
    ['a soft hyphen', 'mira@exam\u00adple.test'],
    ['a C1 control character', 'mira\u0085x@example.test'],
  ])('is refused with %s', async (_, email) => {
    const { id, admin } = await makeProject(server)
    const body = { email, role: 'viewer' }
    const { errors } = await server.expectProblem(400, 'POST', `/v1/projects/${id}/members/invite`, { ...admin, body })
    expect(errors).toMatchObject([{ path: '/email' }])
  })

  it('is accepted with letters beyond ASCII', async () => {
    const { id, admin } = await makeProject(server)
    const body = { email: 'zo\u00eb@m\u00fcller.example', role: 'viewer' }
    const { status } = await server.request('POST', `/v1/projects/${id}/members/invite`, { ...admin, body })
    expect(status).toBe(201)
  })
})
