import { setTimeout as sleep } from 'node:timers/promises'

import { FILE_KINDS } from '@caseward/contract/attachment-schemas'
import type { Evaluation } from '@caseward/contract/evaluation'
import type { Milestone } from '@caseward/contract/milestones'
import type { Project } from '@caseward/contract/projects'
import type { Quarantine } from '@caseward/contract/quarantines'
import type { Run } from '@caseward/contract/run-schemas'
import { expectCorrectCounters } from '@caseward/test-support/counters'
import { startServerForTest, useTestServer } from '@caseward/test-support/test-server'
import { makeUser } from '@caseward/test-support/users'
import { type RawBuilder, sql } from 'kysely'
import { beforeAll, describe, expect, it, onTestFinished } from 'vitest'

import { demoCases } from './content/demo-cases.ts'

const server = useTestServer()

async function makeDemo() {
  const { id, token } = await makeUser(server)
  const created = await server.request<{ data: Project }>('POST', '/v1/projects/demo', { token })
  expect(created.status).toBe(201)
  const project = created.body.data
  return {
    project,
    token,
    userId: id,
    get: async <T>(path: string) =>
      (await server.request<{ data: T }>('GET', `/v1/projects/${project.id}${path}`, { token })).body.data,
  }
}

describe('the test cases of the demo', () => {
  it('are 300, with different titles, in folders, and with complete steps', () => {
    expect(demoCases.length).toBe(300)
    expect(new Set(demoCases.map(({ title, path }) => [...path, title].join(' > '))).size).toBe(300)
    for (const { title, path, steps } of demoCases) {
      expect([title, path.length > 0, steps.length > 0]).toEqual([title, true, true])
      for (const text of steps.flat()) expect(text).not.toMatch(/undefined|^$/)
    }
  })
})

describe('POST /v1/projects/demo', () => {
  let demo: Awaited<ReturnType<typeof makeDemo>>
  beforeAll(async () => {
    demo = await makeDemo()
  })

  it('creates test cases, milestones and runs of six weeks, with correct counters', async () => {
    const { project, token, get } = demo
    expect(project).toMatchObject({ name: 'Web shop (demo)', test_case_count: 300, run_count: 22, member_count: 1 })
    await expectCorrectCounters(server, project.id)
    const runs = await get<Run[]>('/runs?per_page=100')
    const ages = runs.map(({ created_at }) => Math.round((Date.now() - Date.parse(created_at)) / 86_400_000))
    expect(ages).toEqual(ages.toSorted((a, b) => a - b))
    expect([ages.at(0), ages.at(-1)]).toEqual([0, 41])
    expect(runs.filter(({ status }) => status === 'in_progress').map(({ name }) => name)).toEqual([
      'Accessibility 2.4',
      'Regression 2.4',
    ])
    const work = await server.request<{ data: { name: string }[] }>('GET', '/v1/me/work', { token })
    expect(work.body.data.map(({ name }) => name)).toEqual(['Accessibility 2.4', 'Regression 2.4'])
    const { body: milestones } = await server.request<{ milestones: Milestone[] }>(
      'GET',
      `/v1/projects/${project.id}/milestones`,
      { token },
    )
    expect(JSON.stringify(milestones)).toContain('Release 2.4')
    expect((await get<{ key: string }[]>('/fields')).map(({ key }) => key)).toEqual(['severity', 'risk', 'browsers'])
    const sharedSteps = await get<{ title: string; version: number; use_count: number }[]>('/shared-steps')
    expect(sharedSteps).toMatchObject([{ title: 'Sign in', version: 2, use_count: 6 }])
    const { body: risky } = await server.request<{ meta: { total: number } }>(
      'GET',
      `/v1/projects/${project.id}/test-cases?field.severity=blocker&field.risk.min=8`,
      { token },
    )
    expect(risky.meta.total).toBeGreaterThan(5)
  })

  it('has failing, flaky, skipped and unmatched tests, and results by hand with notes', async () => {
    const { get, project } = demo
    const [nightly] = await get<Run[]>('/runs?per_page=1')
    expect(nightly?.name).toBe('Nightly #842')
    expect(nightly?.test_stats).toMatchObject({ failed: 3, unmatched: 3 })
    expect(nightly?.test_stats.flaky).toBeGreaterThan(0)
    expect(nightly?.test_stats.skipped).toBeGreaterThan(0)
    const listTests = (stability: string) => get<object[]>(`/tests?stability=${stability}&fields=stability`)
    const counts = await Promise.all(
      ['flaky', 'suspect', 'broken'].map(async (state) => (await listTests(state)).length),
    )
    expect(counts).toEqual([8, 2, 1])
    const { rows: now } = await sql`
      select from unstable_tests where project_id = ${project.id} and stability = 'flaky' and since > now() - interval '1 hour'`.execute(
      server.db,
    )
    expect(now).toHaveLength(0)
    expect((await get<object[]>('/failure-groups')).length).toBeGreaterThan(3)
    const notes = await server.db
      .selectFrom('test_results')
      .select('note')
      .where('project_id', '=', project.id)
      .where('status', '=', 'failed')
      .where('note', 'like', 'Step %')
      .execute()
    expect(notes.length).toBeGreaterThan(20)
    const { rows: evidence } = await sql<{ links: number; steps: number; reruns: number }>`
      select (select count(*)::int from links where project_id = ${project.id}) as links,
        (select count(*)::int from step_results where project_id = ${project.id}) as steps,
        (select count(*)::int from runs where project_id = ${project.id} and rerun_of is not null) as reruns`.execute(
      server.db,
    )
    expect(evidence[0]?.links).toBeGreaterThan(10)
    expect(evidence[0]).toMatchObject({ steps: notes.length, reruns: 1 })
  })

  it('has an outage, a regression, a pull request that breaks tests, and a quarantine that ends tomorrow', async () => {
    const { get, token } = demo
    const runs = new Map((await get<Run[]>('/runs?per_page=100')).map((run) => [run.name, run]))
    const read = async <T>(name: string, path: string) =>
      (await server.request<{ data: T }>('GET', `/v1/runs/${runs.get(name)?.id}/${path}`, { token })).body.data
    const outage = await read<Evaluation>('Nightly #838', 'evaluation')
    expect(outage.uploads.map(({ is_excluded: isExcluded }) => isExcluded)).toEqual([true, false])
    expect(outage.counts).toMatchObject({ new: 0, environment: 0 })
    const nightly = await read<Evaluation>('Nightly #842', 'evaluation')
    expect(nightly.counts).toMatchObject({ new: 1, already_red: 1, quarantined: 1 })
    const breaking = await read<Evaluation>('Pull request 517', 'evaluation')
    expect(breaking).toMatchObject({ blocking_count: 2, counts: { new: 2, already_red: 1 }, base: { is_exact: true } })
    expect(await read<Evaluation>('Pull request 512', 'evaluation')).toMatchObject({ blocking_count: 0 })
    const quarantines = await get<Quarantine[]>('/quarantines')
    const ends = quarantines.filter(({ is_active: isActive }) => isActive).map(({ expires_at: end }) => Date.parse(end))
    expect(ends.map((end) => Math.round((end - Date.now()) / 86_400_000)).toSorted((a, b) => a - b)).toEqual([1, 10])
    expect(quarantines).toHaveLength(3)
    const [slower] = await get<object[]>('/slow-tests?kind=slower')
    expect(slower).toMatchObject({ test: { name: 'WEB-82 A payment by invoice is refused' } })
  })

  it('has files, comments with a mention, and a shared report that a comment leads to', async () => {
    const { project, token, userId } = demo
    const select = async <T>(query: RawBuilder<T>) => (await query.execute(server.db)).rows
    const listNames = () =>
      select(sql<{ name: string; kind: number }>`
        select a.name, f.kind from run_attachments a join files f on f.project_id = a.project_id and f.id = a.file_id
        where a.project_id = ${project.id} order by a.id`)
    // They follow the transaction of the demo.
    await expect.poll(listNames, { timeout: 20_000 }).toEqual([
      { name: 'checkout-expected.png', kind: FILE_KINDS.indexOf('image') },
      { name: 'checkout-actual.png', kind: FILE_KINDS.indexOf('image') },
      { name: 'payment.webm', kind: FILE_KINDS.indexOf('video') },
      { name: 'server.log', kind: FILE_KINDS.indexOf('text') },
    ])
    const comments = await select(sql<{ body: string; result_id: string | null }>`
      select body, result_id from comments where project_id = ${project.id} order by id`)
    expect(comments.map(({ result_id: resultId }) => resultId === null)).toEqual([false, false, true, true])
    expect(comments[1]?.body).toContain(`](user:${userId})`)
    const [, path = ''] = /\((\/shared\/[^)]+)\)/.exec(comments[3]?.body ?? '') ?? []
    const report = await fetch(server.url + path)
    expect([report.status, await report.text()]).toEqual([200, expect.stringContaining('Regression 2.4 for Greenleaf')])
    await expectCorrectCounters(server, project.id)
    const shares = await server.request<{ data: object[] }>('GET', `/v1/projects/${project.id}/shares`, { token })
    expect(shares.body.data).toHaveLength(1)
  })

  it('leaves nothing of a demo that fails', async () => {
    const { id: userId, token } = await makeUser(server)
    const findProjects = () =>
      server.db
        .selectFrom('memberships')
        .innerJoin('projects', 'projects.id', 'memberships.project_id')
        .select('projects.id')
        .where('user_id', '=', userId)
        .execute()
    await sql`
      create function fail_nightly() returns trigger language plpgsql as $$
      begin
        if new.run_key = 'nightly-842' then raise exception 'no more runs'; end if;
        return new;
      end $$`.execute(server.db)
    await sql`create trigger fail_nightly before insert on runs for each row execute function fail_nightly()`.execute(
      server.db,
    )
    onTestFinished(async () => void (await sql`drop function fail_nightly cascade`.execute(server.db)))
    await server.expectProblem(500, 'POST', '/v1/projects/demo', { token })
    expect(await findProjects()).toEqual([])
  })

  it('creates one demo when the user asks 12 times at once, and shows none before it is complete', async () => {
    // Fewer connections would let the server create one demo of a user after the other.
    const largeServer = await startServerForTest({ databasePoolSize: 10 })
    const { id: userId, token } = await makeUser(largeServer)
    const counts = new Set<number>()
    const done = new AbortController()
    const watch = async () => {
      while (!done.signal.aborted) {
        const { body } = await largeServer.request<{ data: Project[] }>('GET', '/v1/projects', { token })
        for (const { test_case_count: count } of body.data) counts.add(count)
        await sleep(20)
      }
    }
    const watching = watch()
    const send = () => largeServer.request<{ code?: string }>('POST', '/v1/projects/demo', { token })
    const responses = await Promise.all(Array.from({ length: 12 }, send))
    done.abort()
    await watching
    const created = responses.filter(({ status }) => status === 201)
    const refused = responses.filter(({ status }) => status === 409)
    expect([created.length, refused.length]).toEqual([1, 11])
    for (const { body } of refused) expect(body.code).toMatch(/^demo_(?:in_progress|exists)$/)
    const memberships = largeServer.db.selectFrom('memberships').select('project_id').where('user_id', '=', userId)
    expect(await memberships.execute()).toHaveLength(1)
    expect([...counts].filter((count) => count !== 300)).toEqual([])
  })

  it('returns 409 for a user who has a demo already', async () => {
    const { token } = demo
    const problem = await server.expectProblem(409, 'POST', '/v1/projects/demo', { token })
    expect(problem.code).toBe('demo_exists')
  })
})
