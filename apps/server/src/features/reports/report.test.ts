import type { Report, ReportSubscription } from '@caseward/contract/report'
import { makeEvaluationScenario } from '@caseward/test-support/evaluation-scenario'
import { startMailServerForTest } from '@caseward/test-support/mail-server'
import { getMailPart } from '@caseward/test-support/mails'
import { startServerForTest } from '@caseward/test-support/test-server'
import { sql } from 'kysely'
import { expect, describe, it } from 'vitest'

import { createLocalClock } from '../../platform/http/time-zones.ts'
import { findDueDay, type ReportSchedule } from './due-report.ts'
import { sendDueReports } from './report-job.ts'

const QUARTER_MS = 15 * 60_000
const DAY_MS = 86_400_000

describe('findDueDay', () => {
  /** The times at which a report would be sent, asked every quarter of an hour. */
  const listSent = (schedule: ReportSchedule, zone: string, from: string, days: number) => {
    const clock = createLocalClock(zone)
    const begin = Date.parse(from)
    let last = findDueDay(schedule, clock, new Date(begin - QUARTER_MS))
    const sent: string[] = []
    for (let at = begin; at < begin + days * DAY_MS; at += QUARTER_MS) {
      const due = findDueDay(schedule, clock, new Date(at))
      if (due <= last) continue
      last = due
      sent.push(new Date(at).toISOString().slice(0, 16))
    }
    return sent
  }

  it('is once a week over both clock changes, at the local hour', () => {
    const weekly = { weekday: 7, hour: 8 }
    expect(listSent(weekly, 'Europe/Berlin', '2026-03-16T00:00Z', 28)).toEqual([
      '2026-03-22T07:00',
      '2026-03-29T06:00',
      '2026-04-05T06:00',
      '2026-04-12T06:00',
    ])
    expect(listSent(weekly, 'Europe/Berlin', '2026-10-12T00:00Z', 21)).toEqual([
      '2026-10-18T06:00',
      '2026-10-25T07:00',
      '2026-11-01T07:00',
    ])
    expect(listSent({ weekday: 1, hour: 9 }, 'Asia/Kolkata', '2026-10-12T00:00Z', 7)).toEqual(['2026-10-12T03:30'])
  })

  it('takes the next hour for one that is skipped, and one that comes twice once', () => {
    const daily = { weekday: null, hour: 2 }
    expect(listSent(daily, 'Europe/Berlin', '2026-03-28T12:00Z', 2)).toEqual(['2026-03-29T01:00', '2026-03-30T00:00'])
    expect(listSent(daily, 'Europe/Berlin', '2026-10-24T12:00Z', 2)).toEqual(['2026-10-25T00:00', '2026-10-26T01:00'])
    expect(listSent({ weekday: 7, hour: 2 }, 'Europe/Berlin', '2026-03-23T00:00Z', 10)).toEqual(['2026-03-29T01:00'])
  })
})

async function start() {
  const { url, received } = await startMailServerForTest()
  const server = await startServerForTest({ smtpUrl: url, publicUrl: 'http://tests.example.com' })
  const scenario = await makeEvaluationScenario(server)
  const { project, token, get } = scenario
  const path = `/v1/projects/${project.id}/report-subscription`
  const countJobs = async () =>
    (await sql`select from graphile_worker.jobs where task_identifier = 'send_mail'`.execute(server.db)).rows.length
  return {
    ...scenario,
    server,
    path,
    subscribe: async (body: object) => await server.request<{ data: ReportSubscription }>('PUT', path, { token, body }),
    getReport: async () =>
      (await get<{ data: Report }>(`/v1/projects/${project.id}/report?time_zone=Europe/Berlin`)).data,
    /** Sends what is due so many days later, asked by two servers, and returns it. */
    sendAfter: async (days: number) => {
      const { signal } = new AbortController()
      const now = new Date(Date.now() + days * DAY_MS)
      await Promise.all([sendDueReports(server.db, now, signal), sendDueReports(server.db, now, signal)])
      const before = received.length
      const worker = await server.startWorker()
      await expect.poll(countJobs, { timeout: 20_000 }).toBe(0)
      await worker.stop()
      return received
        .slice(before)
        .map(({ to, raw }) => ({ to, text: getMailPart(raw, 'text/plain'), html: getMailPart(raw, 'text/html') }))
        .filter(({ text }) => text.includes(' report of '))
    },
  }
}

describe('the report by email', () => {
  it('comes once a week, as text and HTML, says what the API says, and is silent with the project', async () => {
    const {
      build,
      evaluate,
      subscribe,
      sendAfter,
      getReport,
      findTestId,
      quarantine,
      project,
      server,
      path,
      token,
      get,
    } = await start()
    const [clock, today] = [createLocalClock('Europe/Berlin'), new Date()]
    const weekday = ((new Date(clock.formatDay(today)).getUTCDay() + 6) % 7) + 1
    const green = await build({ a: 'passed', b: 'passed' })
    await evaluate(green.id)
    const red = await build({
      a: { statuses: ['failed'], message: 'TypeError: <the cart> is empty' },
      b: ['failed', 'passed'],
    })
    await evaluate(red.id)
    await quarantine(await findTestId('b'), [], 3)
    await sql`
      insert into unstable_tests (project_id, test_id, stability, since, flake_commits, commits, score)
      values (${project.id}, ${await findTestId('b')}, 'flaky', now(), 2, 3, 9)
      on conflict (project_id, test_id) do update set stability = 'flaky'`.execute(server.db)
    const byHand = await server.request<{ data: { id: string } }>('POST', `/v1/projects/${project.id}/test-cases`, {
      token,
      body: { title: 'Pays', priority: 'medium' },
    })
    await server.request('POST', `/v1/projects/${project.id}/runs`, {
      token,
      body: { name: 'Release 4', test_case_ids: [byHand.body.data.id] },
    })
    const report = await getReport()
    expect(report).toMatchObject({
      branch: 'main',
      run_count: 5,
      green: [{ series: '', state: 'red' }],
      new_causes: { total: 2 },
      flaky: { total: 1, added_count: 1, ended_count: 0, added: [{ name: 'b' }] },
      ending: [{ test_name: 'b', owner_name: null }],
      by_hand: [{ name: 'Release 4', passed: 0, failed: 0, not_tested: 1 }],
      gone_count: 0,
    })
    expect(report.green[0]?.cells).toHaveLength(30)
    expect(report.green[0]?.cells.at(-1)).toBe('red')

    // The hour of today has begun, and counts as sent; it comes a week later.
    const hour = 0
    const sent = await subscribe({ every: 'week', weekday, hour, time_zone: 'Europe/Berlin' })
    expect(sent.body.data).toEqual({ every: 'week', weekday, hour, time_zone: 'Europe/Berlin' })
    expect(await get(path)).toEqual({ data: sent.body.data, meta: { has_mail_server: true } })
    expect(await sendAfter(0)).toEqual([])
    expect(await sendAfter(5)).toEqual([])
    const [mail, ...others] = await sendAfter(7)
    expect(others).toEqual([])
    expect(mail?.text).toMatch(/Weekly report of "[^"]+": main is red/)
    for (const text of [
      'Is main green?',
      '2 new causes:',
      'TypeError: <the cart> is empty (1 test)',
      'Flaky tests: 1 now, 1 new, 0 not any more.',
      '1 run by hand:',
      '"Release 4": 0 passed, 0 failed or blocked, 1 to do',
      `Open the report: http://tests.example.com/projects/${project.id}/insight/report`,
    ])
      expect(mail?.text.replaceAll(/\s+/g, ' ')).toContain(text)
    expect(mail?.html).toContain('TypeError: &lt;the cart&gt; is empty')
    expect(mail?.html).not.toContain('<img')
    expect(await sendAfter(7)).toEqual([])

    // Nothing ran: one sentence, and then none until something runs.
    await sql`update runs set created_at = created_at - interval '7 days' where project_id = ${project.id}`.execute(
      server.db,
    )
    expect((await sendAfter(14))[0]?.text).toContain('No run was created in this time.')
    expect(await sendAfter(21)).toEqual([])
    await sql`update runs set created_at = now() + interval '27 days' where id = ${green.id}`.execute(server.db)
    expect(await sendAfter(28)).toHaveLength(1)

    await server.request('DELETE', path, { token })
    expect(await get(path)).toEqual({ data: null, meta: { has_mail_server: true } })
    expect(await sendAfter(35)).toEqual([])
  }, 120_000)

  it('refuses what it cannot follow, and ends with the membership', async () => {
    const { subscribe, server, path, token, project } = await start()
    const refuse = async (body: object) =>
      (await server.expectProblem(400, 'PUT', path, { token, body })).errors?.map((error) => error.path)
    const valid = { every: 'week', weekday: 1, hour: 8, time_zone: 'UTC' }
    expect(await refuse({ ...valid, time_zone: 'Mars' })).toEqual(['/time_zone'])
    expect(await refuse({ ...valid, weekday: null })).toEqual(['/weekday'])
    expect(await refuse({ ...valid, every: 'day' })).toEqual(['/weekday'])
    expect(await refuse({ ...valid, hour: 24 })).toEqual(['/hour'])
    await subscribe(valid)
    await subscribe({ every: 'day', hour: 7, time_zone: 'Asia/Kolkata' })
    const count = async () => (await sql`select from report_subscriptions`.execute(server.db)).rows.length
    expect(await count()).toBe(1)
    await sql`delete from memberships where project_id = ${project.id}`.execute(server.db)
    expect(await count()).toBe(0)
  })
})
