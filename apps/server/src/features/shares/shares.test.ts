import type { Share } from '@caseward/contract/shares'
import { sql } from 'kysely'
import { beforeAll, describe, expect, it } from 'vitest'

import { makeMilestone } from '@caseward/test-support/factories'
import { useSharedServer } from '@caseward/test-support/test-server'
import { makeMember } from '@caseward/test-support/users'
import { makeReportedRun, share } from '@caseward/test-support/share-scenario'

const server = useSharedServer()
const DAY_MS = 86_400_000

let made: Awaited<ReturnType<typeof makeReportedRun>>
let sharesPath = ''
beforeAll(async () => {
  made = await makeReportedRun(server)
  sharesPath = `/v1/runs/${made.run.id}/shares`
})

const list = async (path = sharesPath, token = made.token) =>
  (
    await server.request<{ data: Share[]; meta: { can_create: boolean; refusal: string | null } }>('GET', path, {
      token,
    })
  ).body
const setShares = async (shares: string) =>
  await server.request('PATCH', `/v1/projects/${made.project.id}/run-settings`, { token: made.token, body: { shares } })
const readAudit = async (action: string) => {
  const path = `/v1/projects/${made.project.id}/audit-log?action=${action}`
  return (await server.request<{ data: unknown[] }>('GET', path, { token: made.token })).body.data
}

describe('POST …/shares', () => {
  it('returns the address of a report once, stores only its digest, and records who shared it', async () => {
    const created = await share(server, made.token, `/v1/runs/${made.run.id}`, ['links', 'notes', 'links'])
    expect(created).toMatchObject({
      name: 'For Acme',
      subject: { kind: 'run', id: made.run.id, name: made.run.name },
      include: ['notes', 'links'],
      state: 'open',
      created_by: made.project.admin.id,
      view_count: 0,
      review_reason: null,
      url: expect.stringMatching(
        new RegExp(`^${server.url.replace('127.0.0.1', 'localhost')}/shared/cws_[0-9A-Za-z]{49}$`),
      ),
    })
    expect(Date.parse(created.expires_at) - Date.now()).toBeCloseTo(30 * DAY_MS, -5)
    const { url, path, ...shown } = created
    expect(url).toContain(path)
    expect((await list()).data).toEqual([shown])
    const { rows } = await sql<{ text: string }>`select shares::text as text from shares`.execute(server.db)
    expect(rows[0]?.text).not.toContain(url.slice(-20))
    expect(await readAudit('share.create')).toMatchObject([
      { subject: { kind: 'share', id: created.id, name: 'For Acme' }, detail: { run_id: made.run.id } },
    ])
  })

  it.each([
    [{ name: 'x' }, '/include'],
    [{ name: 'x', include: ['secrets'] }, '/include/0'],
    [{ name: ' ', include: [] }, '/name'],
    [{ name: 'x', include: [], expires_at: '2001-01-01' }, '/expires_at'],
    [{ name: 'x', include: [], expires_at: new Date(Date.now() + 367 * DAY_MS).toISOString() }, '/expires_at'],
  ])('returns 400 with the field for the body %j', async (body, path) => {
    const problem = await server.expectProblem(400, 'POST', sharesPath, { token: made.token, body })
    expect(problem.errors?.map((error) => error.path)).toEqual([path])
  })

  it('returns 404 for an unknown milestone', async () => {
    const path = `/v1/projects/${made.project.id}/milestones/${made.run.id}/shares`
    await server.expectProblem(404, 'POST', path, { token: made.token, body: { name: 'x', include: [] } })
  })

  it('returns 403 shares_disabled as the setting of the project says, which the list explains', async () => {
    const member = await makeMember(server, made.project.id, 'member')
    const body = { name: 'x', include: [] }
    await setShares('admins')
    const forMember = await server.expectProblem(403, 'POST', sharesPath, { token: member.token, body })
    expect(forMember.code).toBe('shares_disabled')
    expect((await list(sharesPath, member.token)).meta).toEqual({ can_create: false, refusal: forMember.detail })
    expect((await list()).meta).toEqual({ can_create: true, refusal: null })
    await setShares('off')
    const forAdmin = await server.expectProblem(403, 'POST', sharesPath, { token: made.token, body })
    expect(forAdmin.code).toBe('shares_disabled')
    await setShares('members')
    await share(server, member.token, `/v1/runs/${made.run.id}`)
  })

  it('returns 422 too_many_shares when 100 reports of the project can be opened, and keeps 100 that have ended', async () => {
    const fill = async (end: string, count: number) =>
      await sql`
        insert into shares (id, project_id, run_id, name, secret_digest, include, expires_at)
        select gen_random_uuid(), ${made.project.id}, ${made.run.id}, 'x', sha256(gen_random_uuid()::text::bytea), '{}',
          now() + ${end}::interval
        from generate_series(1, ${count}::int)`.execute(server.db)
    await fill('-1 day', 110)
    await fill('1 day', 100)
    const options = { token: made.token, body: { name: 'x', include: [] } }
    const problem = await server.expectProblem(422, 'POST', sharesPath, options)
    expect(problem.code).toBe('too_many_shares')
    await sql`delete from shares where expires_at > now() and name = 'x'`.execute(server.db)
    await share(server, made.token, `/v1/runs/${made.run.id}`)
    const ended = (await list()).data.filter(({ state }) => state === 'expired')
    expect(ended).toHaveLength(100)
    await sql`delete from shares where name = 'x'`.execute(server.db)
  })
})

describe('DELETE /v1/projects/:project_id/shares/:share_id', () => {
  it('revokes a report, records it, and does nothing the second time', async () => {
    const { id } = await share(server, made.token, `/v1/runs/${made.run.id}`)
    const path = `/v1/projects/${made.project.id}/shares/${id}`
    for (const attempt of [1, 2]) {
      expect([attempt, (await server.request('DELETE', path, { token: made.token })).status]).toEqual([attempt, 204])
    }
    const revoked = (await list()).data.find((one) => one.id === id)
    expect(revoked).toMatchObject({ state: 'revoked', revoked_at: expect.any(String) })
    expect(await readAudit('share.revoke')).toHaveLength(1)
  })
})

describe('GET …/shares', () => {
  it('lists the reports of a milestone, and all of the project, and marks those whose creator has left', async () => {
    const { id: milestoneId } = await makeMilestone(server, made.project)
    const subjectPath = `/v1/projects/${made.project.id}/milestones/${milestoneId}`
    const member = await makeMember(server, made.project.id, 'member')
    const { id } = await share(server, member.token, subjectPath)
    expect((await list(`${subjectPath}/shares`)).data).toMatchObject([{ id, review_reason: null }])
    await server.request('DELETE', `/v1/projects/${made.project.id}/members/${member.id}`, { token: made.token })
    const all = (await list(`/v1/projects/${made.project.id}/shares`)).data
    expect(all.find((one) => one.id === id)).toMatchObject({
      subject: { kind: 'milestone', id: milestoneId },
      state: 'open',
      review_reason: 'creator_left',
    })
    await server.request('DELETE', subjectPath, { token: made.token })
    expect((await list(`/v1/projects/${made.project.id}/shares`)).data.some((one) => one.id === id)).toBe(false)
  })
})
