import { afterAll, beforeAll, describe, expect, it } from 'vitest'

import { makeCiToken, makeFolder, makeInvitation, makeProject, makeTestCase } from '@caseward/test-support/factories'
import { startTestServer, type TestServer } from '@caseward/test-support/test-server'
import { makeMember } from '@caseward/test-support/users'

interface Told {
  request: string
  type: string | null
  body: unknown
}
let server: TestServer
/** What every endpoint of the specification answered, in a project that has some of everything. */
const told: Told[] = []

beforeAll(async () => {
  server = await startTestServer()
  const project = await makeProject(server)
  const { token } = project.admin
  const ask = async (method: string, path: string, body?: object, as = token) => {
    const answer = await server.request(method, path, { token: as, ...(body === undefined ? {} : { body }) })
    expect([path, answer.status]).toEqual([path, answer.status < 300 ? answer.status : 'a success'])
    if (answer.status !== 204) {
      told.push({ request: `${method} ${path}`, type: answer.headers.get('content-type'), body: answer.body })
    }
    return answer.body as { id: string; data: { id: string } }
  }
  const path = `/v1/projects/${project.id}`
  const folder = await makeFolder(server, project)
  const filed = await makeTestCase(server, project, { folder_id: folder.id })
  const milestone = await ask('POST', `${path}/milestones`, { name: 'Release', start_date: '2026-11-01' })
  await ask('POST', `${path}/milestones`, { name: 'Beta', parent_id: milestone.id, due_date: '2026-11-02' })
  await ask('PATCH', `${path}/milestones/${milestone.id}`, { description: 'All' })
  await ask('POST', `${path}/test-cases`, { title: 'Pays', steps: [{ action: 'Pay' }] })
  await ask('PATCH', `${path}/test-cases/${filed.id}`, { folder_id: folder.id, title: 'Looks' })
  await ask('POST', `${path}/test-cases/bulk`, { test_cases: [{ title: 'Waits' }] })
  const run = await ask('POST', `${path}/runs`, { name: 'Nightly', milestone_id: milestone.id })
  const results = [{ test_case_id: 'WEB-2', status: 'failed' }]
  await ask('PUT', `/v1/runs/${run.data.id}/results/WEB-1`, { status: 'passed', note: 'n', elapsed: 3 })
  await ask('POST', `/v1/runs/${run.data.id}/results/bulk`, { results })
  await ask('POST', '/v1/results', { run_id: run.data.id, results }, await makeCiToken(server, project))
  await ask('POST', `${path}/members/invite`, { email: 'mira@example.test', role: 'viewer' })
  await makeInvitation(server, project)
  const member = await makeMember(server, project.id, 'viewer')
  await ask('PATCH', `${path}/members/${member.id}`, { role: 'member' })
  await ask('PATCH', path, { description: 'Sells' })
  await ask('POST', '/v1/projects', { name: 'Other', prefix: 'APP' })
  for (const list of ['milestones', 'members', 'test-cases', 'invitations', 'folders', 'runs']) {
    await ask('GET', `${path}/${list}`)
  }
  for (const one of ['', `/milestones/${milestone.id}`, `/test-cases/${filed.id}`]) await ask('GET', path + one)
  for (const one of ['/v1/projects', `/v1/runs/${run.data.id}/results`, `/v1/runs/${run.data.id}`])
    await ask('GET', one)
  await ask('DELETE', `${path}/test-cases/WEB-3`)
})
afterAll(() => server.close())

/** Every field whose name is like this, wherever it stands: in which answer, its name and value. */
function fieldsNamed(name: RegExp): { request: string; field: string; value: unknown }[] {
  const walk = (value: unknown): [string, unknown][] =>
    typeof value === 'object' && value !== null
      ? Object.entries(value).flatMap((entry) => [entry, ...walk(entry[1])])
      : []
  return told.flatMap(({ request, body }) =>
    walk(body)
      .filter(([field]) => name.test(field))
      .map(([field, value]) => ({ request, field, value })),
  )
}
const listNames = (fields: { field: string }[]) => [...new Set(fields.map(({ field }) => field))].toSorted()

describe('in every answer', () => {
  it(
    'each identifier is a string, or null where it refers to nothing',
    { tags: ['spec:conventions/identifiers-are-strings', 'spec:milestones/id-string'] },
    () => {
      const ids = fieldsNamed(/^id$|_id$|_by$/)
      expect(listNames(ids)).toEqual([
        'created_by',
        'folder_id',
        'id',
        'invited_by',
        'milestone_id',
        'parent_id',
        'test_case_id',
        'tested_by',
      ])
      const fits = (field: string, value: unknown) =>
        (typeof value === 'string' && value !== '') || (value === null && field !== 'id')
      expect(ids.filter(({ field, value }) => !fits(field, value))).toEqual([])
    },
  )

  it(
    'each timestamp is ISO 8601 in UTC, or null where there is none',
    {
      tags: [
        'spec:conventions/timestamps-are-iso-8601-in-utc',
        'spec:projects/created_at-timestamp',
        'spec:projects/updated_at-timestamp',
        'spec:milestones/due_date-timestamp',
        'spec:milestones/created_at-timestamp',
        'spec:members/joined_at-timestamp',
        'spec:invitations/expires_at-timestamp',
        'spec:invitations/created_at-timestamp',
        'spec:test-cases/created_at-timestamp',
        'spec:test-cases/updated_at-timestamp',
        'spec:results/tested_at-timestamp-nullable',
      ],
    },
    () => {
      const times = fieldsNamed(/_at$|_date$/)
      expect(listNames(times)).toEqual([
        'completed_at',
        'created_at',
        'due_date',
        'expires_at',
        'joined_at',
        'start_date',
        'tested_at',
        'updated_at',
      ])
      const iso = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/
      expect(times.filter(({ value }) => value !== null && !(typeof value === 'string' && iso.test(value)))).toEqual([])
      expect(listNames(times.filter(({ value }) => value === null))).toEqual([
        'completed_at',
        'due_date',
        'start_date',
        'tested_at',
      ])
    },
  )

  it(
    'each count and number of seconds is a whole number',
    { tags: ['spec:projects/test_case_count-integer', 'spec:projects/run_count-integer'] },
    () => {
      const counts = fieldsNamed(/_count$|^(?:elapsed|total|page|per_page|position|updated|created)$/)
      expect(counts.length).toBeGreaterThan(20)
      expect(counts.filter(({ value }) => value !== null && !Number.isInteger(value))).toEqual([])
    },
  )

  it('the body is JSON, and says so', { tags: ['spec:conventions/bodies-of-answers-are-json'] }, () => {
    const types = told.map(({ request, type }) => ({ request, isJson: /^application\/json\b/.test(type ?? '') }))
    expect(types.length).toBeGreaterThan(25)
    expect(types.filter(({ isJson }) => !isJson)).toEqual([])
    expect(told.filter(({ body }) => typeof body !== 'object')).toEqual([])
  })
})
