import { useSharedServer } from '@caseward/test-support/test-server'
import { makeUser } from '@caseward/test-support/users'
import { sql } from 'kysely'
import { beforeAll, describe, expect, it } from 'vitest'

import { DAY_MS, inDays, makeQuarantineScenario } from '@caseward/test-support/quarantine-scenario'

const server = useSharedServer()
type Scenario = Awaited<ReturnType<typeof makeQuarantineScenario>>

describe('POST /v1/projects/:project_id/quarantines', () => {
  it('quarantines a test for 14 days, owned by the caller, and records it', async () => {
    const { testIds, member, add, listAudit } = await makeQuarantineScenario(server, 1)
    const [entry] = await add({
      test_id: testIds[0],
      link: 'https://acme.test/SHOP-41',
      branches: ['main', 'release/*'],
    })
    expect(entry).toMatchObject({
      test_id: testIds[0],
      test: { suite: 'src/cart.test.ts', name: 'test 0', test_case_ids: [], stability: 'stable' },
      reason: 'Times out. SHOP-41',
      owner_id: member.id,
      owner_name: expect.stringMatching(/^Person/),
      link: 'https://acme.test/SHOP-41',
      branches: ['main', 'release/*'],
      is_automatic: false,
      is_active: true,
      created_by: member.id,
      ended_at: null,
    })
    expect(Date.parse(entry?.expires_at ?? '') - Date.now()).toBeCloseTo(14 * DAY_MS, -5)
    expect(await listAudit('quarantine.add')).toMatchObject([
      {
        actor: { kind: 'user' },
        subject: { kind: 'quarantine', id: entry?.id, name: 'test 0' },
        detail: { test_id: testIds[0], reason: 'Times out. SHOP-41', owner_id: member.id },
      },
    ])
  })

  it('quarantines several tests at once, each with an entry of its own', async () => {
    const { testIds, add, list, listAudit, viewer } = await makeQuarantineScenario(server, 3)
    const entries = await add({ test_ids: [...testIds, testIds[0]], owner_id: viewer.id })
    expect(entries.map(({ test_id: id, owner_id: owner }) => [id, owner])).toEqual(testIds.map((id) => [id, viewer.id]))
    expect((await list()).data.map(({ id }) => id)).toEqual(entries.map(({ id }) => id).toReversed())
    expect(await listAudit('quarantine.add')).toHaveLength(3)
  })

  it('returns 409 for a test that is quarantined already, and stores nothing', async () => {
    const { path, testIds, member, add, list } = await makeQuarantineScenario(server, 2)
    await add({ test_id: testIds[1] })
    const body = { test_ids: testIds, reason: 'Again' }
    const problem = await server.expectProblem(409, 'POST', path, { token: member.token, body })
    expect(problem).toMatchObject({ code: 'already_quarantined', errors: [{ path: '/test_ids/1' }] })
    expect((await list()).data).toHaveLength(1)
  })

  it('accepts a test whose quarantine is over or was ended', async () => {
    const { testIds, add, end, passDays, list } = await makeQuarantineScenario(server, 1)
    const [first] = await add({ test_id: testIds[0], expires_at: inDays(1) })
    await passDays(1)
    const [second] = await add({ test_id: testIds[0] })
    await end(second?.id ?? '')
    await add({ test_id: testIds[0] })
    const entries = (await list()).data
    expect(entries.map(({ is_active: isActive }) => isActive)).toEqual([true, false, false])
    expect(entries[2]).toMatchObject({ id: first?.id, ended_by: null, end_reason: null })
    expect(entries[2]?.ended_at).toBe(entries[2]?.expires_at)
  })

  it('lets one of ten parallel requests quarantine a test', async () => {
    const { path, testIds, member } = await makeQuarantineScenario(server, 1)
    const body = { test_id: testIds[0], reason: 'Slow' }
    const requests = Array.from({ length: 10 }, () => server.request('POST', path, { token: member.token, body }))
    const statuses = (await Promise.all(requests)).map(({ status }) => status)
    expect(statuses.toSorted((a, b) => a - b)).toEqual([201, ...Array.from({ length: 9 }, () => 409)])
  })

  let scenario: Scenario
  beforeAll(async () => {
    scenario = await makeQuarantineScenario(server, 1)
  })
  it.each<[string, string, (made: Scenario) => object, string?]>([
    ['no test', '/test_id', () => ({})],
    ['one test and several', '/test_id', ({ testIds }) => ({ test_id: testIds[0], test_ids: testIds })],
    ['an unknown test', '/test_id', () => ({ test_id: '019aa5b4-6a10-7b3e-8c21-5d9f3e7a1b40' })],
    ['a text that is no id', '/test_ids/1', ({ testIds }) => ({ test_ids: [testIds[0], 'x'] })],
    ['101 tests', '/test_ids', () => ({ test_ids: Array.from({ length: 101 }, (_, n) => String(n)) })],
    ['no reason', '/reason', ({ testIds }) => ({ test_id: testIds[0], reason: ' ' })],
    ['a reason of 2,001 characters', '/reason', ({ testIds }) => ({ test_id: testIds[0], reason: 'x'.repeat(2001) })],
    ['an owner that is no member', '/owner_id', ({ testIds }) => ({ test_id: testIds[0], owner_id: 'nobody' })],
    [
      'a link that is no address',
      '/link',
      ({ testIds }) => ({ test_id: testIds[0], link: 'javascript:alert(1)' }),
      'invalid_link',
    ],
    ['11 branches', '/branches', ({ testIds }) => ({ test_id: testIds[0], branches: Array(11).fill('main') })],
    ['an end in the past', '/expires_at', ({ testIds }) => ({ test_id: testIds[0], expires_at: inDays(-1) })],
    [
      'an end in 31 days',
      '/expires_at',
      ({ testIds }) => ({ test_id: testIds[0], expires_at: inDays(31) }),
      'expires_too_late',
    ],
  ])('returns 400 for %s', async (_what, field, makeBody, code = 'invalid_request') => {
    const body = { reason: 'Slow', ...makeBody(scenario) }
    const problem = await server.expectProblem(400, 'POST', scenario.path, { token: scenario.member.token, body })
    expect([problem.code, problem.errors?.[0]?.path]).toEqual([code, field])
    expect((await scenario.list()).data).toEqual([])
  })

  it('returns 400 for an owner that is a user and no member', async () => {
    const { testIds, path, member } = scenario
    const owner = await makeUser(server)
    const body = { test_id: testIds[0], reason: 'Slow', owner_id: owner.id }
    const problem = await server.expectProblem(400, 'POST', path, { token: member.token, body })
    expect(problem.errors?.[0]?.path).toBe('/owner_id')
  })
})

describe('PATCH /v1/projects/:project_id/quarantines/:id', () => {
  it('changes only what is in the request, and records what changed', async () => {
    const { testIds, viewer, add, change, listAudit } = await makeQuarantineScenario(server, 1)
    const [entry] = await add({ test_id: testIds[0], link: 'https://acme.test/1', branches: ['main'] })
    const id = entry?.id ?? ''
    expect(await change(id, { owner_id: viewer.id, link: null })).toMatchObject({
      owner_id: viewer.id,
      link: null,
      branches: ['main'],
      expires_at: entry?.expires_at,
    })
    await change(id, {})
    expect(await listAudit('quarantine.change')).toMatchObject([
      {
        subject: { id, name: 'test 0' },
        detail: { owner_id: { to: viewer.id }, link: { from: 'https://acme.test/1', to: null } },
      },
    ])
  })

  it('extends a quarantine by up to 30 days at a time and 90 in all', async () => {
    const { path, testIds, member, add, change, passDays } = await makeQuarantineScenario(server, 1)
    const [entry] = await add({ test_id: testIds[0], expires_at: inDays(30) })
    const url = `${path}/${entry?.id}`
    for (const _ of [1, 2]) {
      await passDays(29)
      expect(await change(entry?.id ?? '', { expires_at: inDays(30) })).toMatchObject({ is_active: true })
    }
    await passDays(3)
    for (const [days, message] of [
      [31, 'must be at most 30 days from now'],
      [30, 'must be at most 90 days after the quarantine began'],
    ] as const) {
      const body = { expires_at: inDays(days) }
      const problem = await server.expectProblem(400, 'PATCH', url, { token: member.token, body })
      expect(problem).toMatchObject({ code: 'expires_too_late', detail: expect.stringContaining(message) })
    }
    expect(await change(entry?.id ?? '', { expires_at: inDays(28.9) })).toMatchObject({ is_active: true })
  })

  it.each([
    ['was ended', async ({ end }: Scenario, id: string) => void (await end(id))],
    ['is over, before the job has ended it', async ({ passDays }: Scenario) => await passDays(15)],
  ])('returns 409 for one that %s', async (_what, finish) => {
    const made = await makeQuarantineScenario(server, 1)
    const [entry] = await made.add({ test_id: made.testIds[0] })
    await finish(made, entry?.id ?? '')
    const options = { token: made.member.token, body: { reason: 'More' } }
    const problem = await server.expectProblem(409, 'PATCH', `${made.path}/${entry?.id}`, options)
    expect(problem.code).toBe('quarantine_ended')
  })
})

describe('DELETE /v1/projects/:project_id/quarantines/:id', () => {
  it('ends a quarantine with a reason, once', async () => {
    const { testIds, member, add, end, listAudit } = await makeQuarantineScenario(server, 1)
    const [entry] = await add({ test_id: testIds[0] })
    const ended = await end(entry?.id ?? '', { end_reason: 'Fixed' })
    expect(ended).toMatchObject({ is_active: false, ended_by: member.id, end_reason: 'Fixed' })
    expect(await end(entry?.id ?? '', { end_reason: 'Again' })).toEqual(ended)
    expect(await listAudit('quarantine.end')).toMatchObject([{ actor: { kind: 'user' }, detail: { reason: 'Fixed' } }])
  })

  it('returns 404 for an unknown quarantine, and for one of another project', async () => {
    const { path, member } = await makeQuarantineScenario(server, 1)
    const other = await makeQuarantineScenario(server, 1)
    const [entry] = await other.add({ test_id: other.testIds[0] })
    for (const id of ['x', entry?.id])
      await server.expectProblem(404, 'DELETE', `${path}/${id}`, { token: member.token, body: {} })
    expect((await other.list('active=true')).data).toHaveLength(1)
  })
})

describe('GET /v1/projects/:project_id/quarantines', () => {
  it('filters by state, owner, test and end, and reads pages without gaps', async () => {
    const { testIds, viewer, member, add, end, list, passDays } = await makeQuarantineScenario(server, 4)
    const [first] = await add({ test_id: testIds[0], expires_at: inDays(2) })
    await passDays(1)
    const [second] = await add({ test_id: testIds[1], owner_id: viewer.id, expires_at: inDays(10) })
    const [third] = await add({ test_id: testIds[2], expires_at: inDays(2) })
    await end(third?.id ?? '')
    const [fourth] = await add({ test_id: testIds[3], expires_at: inDays(0.5) })
    const ids = async (query: string) => (await list(query)).data.map(({ id }) => id)
    expect(await ids('active=true')).toEqual([fourth?.id, second?.id, first?.id])
    expect(await ids('active=false')).toEqual([third?.id])
    expect(await ids(`owner_id=${viewer.id}`)).toEqual([second?.id])
    expect(await ids(`owner_id=${member.id}&active=true`)).toEqual([fourth?.id, first?.id])
    expect(await ids(`test_id=${testIds[2]}`)).toEqual([third?.id])
    expect(await ids('owner_id=x')).toEqual([])
    expect(await ids('ending_within_days=3')).toEqual([fourth?.id, first?.id])
    const page = await list('per_page=3')
    const rest = await list(`per_page=3&after=${page.meta.next_after}`)
    expect([...page.data, ...rest.data].map(({ id }) => id)).toEqual([fourth?.id, third?.id, second?.id, first?.id])
    expect(rest.meta.next_after).toBeNull()
  })

  it('lists a quarantine of a test that was deleted, without the test', async () => {
    const { project, testIds, add, list } = await makeQuarantineScenario(server, 1)
    await add({ test_id: testIds[0] })
    await sql`delete from tests where project_id = ${project.id}`.execute(server.db)
    expect((await list()).data).toMatchObject([{ test_id: testIds[0], test: null, reason: 'Times out. SHOP-41' }])
  })
})
