import { beforeAll, describe, expect, it } from 'vitest'

import { makeCiToken, makeFolder, makeInvitation, makeProject, makeTestCase } from '@caseward/test-support/factories'
import { useSharedServer } from '@caseward/test-support/test-server'
import { makeMember } from '@caseward/test-support/users'

interface RecordedResponse {
  request: string
  type: string | null
  body: unknown
}
const server = useSharedServer()
/** The response of every endpoint of the specification, in a project with resources of every kind. */
const responses: RecordedResponse[] = []

beforeAll(async () => {
  const project = await makeProject(server)
  const { token } = project.admin
  const send = async (method: string, path: string, body?: object, sender = token) => {
    const response = await server.request(method, path, { token: sender, ...(body === undefined ? {} : { body }) })
    expect([path, response.status]).toEqual([path, response.status < 300 ? response.status : 'a success'])
    if (response.status !== 204) {
      responses.push({ request: `${method} ${path}`, type: response.headers.get('content-type'), body: response.body })
    }
    return response.body as { id: string; data: { id: string } }
  }
  const path = `/v1/projects/${project.id}`
  const folder = await makeFolder(server, project)
  const testCase = await makeTestCase(server, project, { folder_id: folder.id })
  const milestone = await send('POST', `${path}/milestones`, { name: 'Release', start_date: '2026-11-01' })
  await send('POST', `${path}/milestones`, { name: 'Beta', parent_id: milestone.id, due_date: '2026-11-02' })
  await send('PATCH', `${path}/milestones/${milestone.id}`, { description: 'All' })
  await send('POST', `${path}/test-cases`, { title: 'Pays', steps: [{ action: 'Pay' }] })
  await send('PATCH', `${path}/test-cases/${testCase.id}`, { folder_id: folder.id, title: 'Looks' })
  await send('POST', `${path}/test-cases/bulk`, { test_cases: [{ title: 'Waits' }] })
  const run = await send('POST', `${path}/runs`, { name: 'Nightly', milestone_id: milestone.id })
  const results = [{ test_case_id: 'WEB-2', status: 'failed' }]
  await send('PUT', `/v1/runs/${run.data.id}/results/WEB-1`, { status: 'passed', note: 'n', elapsed: 3 })
  await send('POST', `/v1/runs/${run.data.id}/results/bulk`, { results })
  await send('POST', '/v1/results', { run_id: run.data.id, results }, await makeCiToken(server, project))
  await send('POST', `${path}/members/invite`, { email: 'mira@example.test', role: 'viewer' })
  await makeInvitation(server, project)
  const member = await makeMember(server, project.id, 'viewer')
  await send('PATCH', `${path}/members/${member.id}`, { role: 'member' })
  await send('PATCH', path, { description: 'Sells' })
  await send('POST', '/v1/projects', { name: 'Other', prefix: 'APP' })
  for (const list of ['milestones', 'members', 'test-cases', 'invitations', 'folders', 'runs']) {
    await send('GET', `${path}/${list}`)
  }
  for (const resource of [
    '',
    `/milestones/${milestone.id}`,
    `/milestones/${milestone.id}/readiness`,
    `/test-cases/${testCase.id}`,
  ])
    await send('GET', path + resource)
  for (const url of ['/v1/projects', `/v1/runs/${run.data.id}/results`, `/v1/runs/${run.data.id}`])
    await send('GET', url)
  await send('DELETE', `${path}/test-cases/WEB-3`)
})

/** Finds all fields with matching names, at any depth of any response. */
function findFields(name: RegExp): { request: string; field: string; value: unknown }[] {
  const walk = (value: unknown): [string, unknown][] =>
    typeof value === 'object' && value !== null
      ? Object.entries(value).flatMap((entry) => [entry, ...walk(entry[1])])
      : []
  return responses.flatMap(({ request, body }) =>
    walk(body)
      .filter(([field]) => name.test(field))
      .map(([field, value]) => ({ request, field, value })),
  )
}
const listNames = (fields: { field: string }[]) => [...new Set(fields.map(({ field }) => field))].toSorted()

describe('every API response', () => {
  it(
    'has string ids, or null for a missing reference',
    { tags: ['spec:conventions/identifiers-are-strings', 'spec:milestones/id-string'] },
    () => {
      const ids = findFields(/^id$|_id$|_by$/)
      expect(listNames(ids)).toEqual([
        'created_by',
        'folder_id',
        'id',
        'invited_by',
        'milestone_id',
        'owner_id',
        'parent_id',
        'project_id',
        'test_case_id',
        'tested_by',
      ])
      const isValid = (field: string, value: unknown) =>
        (typeof value === 'string' && value !== '') || (value === null && field !== 'id')
      expect(ids.filter(({ field, value }) => !isValid(field, value))).toEqual([])
    },
  )

  it(
    'has timestamps in ISO 8601 and UTC, or null',
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
      const times = findFields(/_at$|_date$/)
      expect(listNames(times)).toEqual([
        'archived_at',
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
        'archived_at',
        'completed_at',
        'due_date',
        'start_date',
        'tested_at',
      ])
    },
  )

  it(
    'has integers for counts and seconds',
    { tags: ['spec:projects/test_case_count-integer', 'spec:projects/run_count-integer'] },
    () => {
      const counts = findFields(/_count$|^(?:elapsed|total|page|per_page|position|updated|created)$/)
        // The position of a test case is a text.
        .filter(
          ({ field, request, value }) =>
            !(field === 'position' && request.includes('/test-cases') && typeof value === 'string'),
        )
      expect(counts.length).toBeGreaterThan(20)
      expect(counts.filter(({ value }) => value !== null && !Number.isInteger(value))).toEqual([])
    },
  )

  it('has a JSON body and a JSON content type', { tags: ['spec:conventions/bodies-of-answers-are-json'] }, () => {
    const types = responses.map(({ request, type }) => ({ request, isJson: /^application\/json\b/.test(type ?? '') }))
    expect(types.length).toBeGreaterThan(25)
    expect(types.filter(({ isJson }) => !isJson)).toEqual([])
    expect(responses.filter(({ body }) => typeof body !== 'object')).toEqual([])
  })
})
