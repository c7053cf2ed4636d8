import { startMailServerForTest } from '@caseward/test-support/mail-server'
import { getMailPart } from '@caseward/test-support/mails'
import { inDays, makeQuarantineScenario } from '@caseward/test-support/quarantine-scenario'
import { startServerForTest } from '@caseward/test-support/test-server'
import { sql } from 'kysely'
import { describe, expect, it } from 'vitest'

import { quarantineAutomatically } from './quarantine-automatically.ts'

async function start(testCount = 1) {
  const { url, received } = await startMailServerForTest()
  const server = await startServerForTest({ smtpUrl: url, publicUrl: 'http://tests.example.com' })
  const scenario = await makeQuarantineScenario(server, testCount)
  const { rows } = await sql<{
    email: string
  }>`select email from users where id = ${scenario.project.admin.id}`.execute(server.db)
  const countJobs = async () =>
    (await sql`select from graphile_worker.jobs where task_identifier = 'send_mail'`.execute(server.db)).rows.length
  return {
    ...scenario,
    server,
    adminEmail: rows[0]?.email ?? '',
    /** Runs the job, sends what it has enqueued, and returns it. */
    runAndSend: async () => {
      await scenario.runJob()
      const before = received.length
      const worker = await server.startWorker()
      await expect.poll(countJobs).toBe(0)
      await worker.stop()
      return (
        received
          .slice(before)
          .map(({ to, raw }) => ({
            to,
            text: getMailPart(raw, 'text/plain'),
          }))
          // The heading is the subject, which is encoded.
          .map((mail) => ({ ...mail, subject: mail.text.trimStart().split(/\r?\n/)[0] ?? '' }))
          // Not those about tokens and members.
          .filter(({ subject }) => subject.includes('quarantine'))
      )
    },
    setBroken: async (testId: string) => {
      await sql`
        insert into unstable_tests (project_id, test_id, stability, since, flake_commits, commits, score)
        values (${scenario.project.id}, ${testId}, 'broken', now(), 0, 3, 0)`.execute(server.db)
    },
  }
}

describe('the job that ends quarantines', () => {
  it('reminds the owner 3 days before the end and at the end, once each, and ends the entry', async () => {
    const { testIds, member, add, list, passDays, runAndSend, listAudit } = await start()
    await add({ test_id: testIds[0] })
    await passDays(10)
    expect(await runAndSend()).toEqual([])
    await passDays(2)
    const [reminder, ...others] = await runAndSend()
    expect(others).toEqual([])
    expect(reminder).toMatchObject({
      to: [member.email],
      subject: expect.stringContaining('1 quarantine ends soon in'),
    })
    expect(reminder?.text).toContain('"test 0", until')
    expect(reminder?.text).toContain('Times out. SHOP-41')
    expect(await runAndSend()).toEqual([])
    await passDays(2)
    const [end] = await runAndSend()
    expect(end).toMatchObject({ to: [member.email], subject: expect.stringContaining('1 quarantine has ended in') })
    expect(await runAndSend()).toEqual([])
    const [entry] = (await list()).data
    expect(entry).toMatchObject({ is_active: false, ended_by: null, ended_at: entry?.expires_at })
    expect(await listAudit('quarantine.end')).toMatchObject([
      { actor: { kind: 'system' }, detail: { test_id: testIds[0] } },
    ])
  })

  it('reminds again when the end was moved, and never of an end that was chosen that near', async () => {
    const { testIds, add, change, end, passDays, runAndSend } = await start(2)
    const [entry] = await add({ test_id: testIds[0] })
    await add({ test_id: testIds[1], expires_at: inDays(2) })
    expect(await runAndSend()).toEqual([])
    await passDays(12)
    expect((await runAndSend())[0]?.subject).toContain('1 quarantine has ended, 1 quarantine ends soon')
    await change(entry?.id ?? '', { expires_at: inDays(2) })
    expect(await runAndSend()).toEqual([])
    await change(entry?.id ?? '', { expires_at: inDays(14) })
    await passDays(12)
    expect((await runAndSend())[0]?.subject).toContain('1 quarantine ends soon')
    await end(entry?.id ?? '')
    await passDays(3)
    expect(await runAndSend()).toEqual([])
  })

  it('tells the admins when the owner has left the project, was disabled or was deleted', async () => {
    const { server, project, adminEmail, token, testIds, viewer, member, add, passDays, runAndSend } = await start(3)
    await add({ test_ids: testIds.slice(0, 2), owner_id: viewer.id })
    await add({ test_id: testIds[2] })
    await server.request('DELETE', `/v1/projects/${project.id}/members/${viewer.id}`, { token })
    await sql`update users set disabled_at = now() where id = ${member.id}`.execute(server.db)
    await passDays(12)
    const mails = await runAndSend()
    expect(mails).toMatchObject([{ to: [adminEmail], subject: expect.stringContaining('3 quarantines end soon') }])
    expect(mails[0]?.text).toContain('the owner of these quarantines is no member any more')
    await sql`update quarantines set owner_id = null`.execute(server.db)
    await passDays(2)
    expect(await runAndSend()).toMatchObject([{ to: [adminEmail] }])
  })

  it('tells the owner once that a quarantined test is broken', async () => {
    const { testIds, member, add, setBroken, runAndSend } = await start()
    await add({ test_id: testIds[0] })
    await setBroken(testIds[0] ?? '')
    expect(await runAndSend()).toMatchObject([
      { to: [member.email], subject: expect.stringContaining('1 quarantined test fails in every run') },
    ])
    expect(await runAndSend()).toEqual([])
  })

  it('ends the quarantine of a test that was deleted', async () => {
    const { server, project, testIds, add, list, runAndSend } = await start()
    await add({ test_id: testIds[0] })
    await sql`delete from tests where project_id = ${project.id}`.execute(server.db)
    expect(await runAndSend()).toEqual([])
    expect((await list()).data).toMatchObject([{ is_active: false, end_reason: 'Its test was deleted.' }])
  })
})

describe('quarantineAutomatically', () => {
  const toFlaky = (ids: readonly string[]) => ids.map((id) => ({ id, since: new Date(), flakeCommits: 2, commits: 9 }))

  it('adds nothing unless the project wants it', async () => {
    const { server, project, testIds, list } = await start()
    expect(await quarantineAutomatically(server.db, project.id, toFlaky(testIds))).toEqual([])
    expect((await list()).data).toEqual([])
  })

  it('quarantines tests up to the limit, and tells the admins once', async () => {
    const { server, project, adminEmail, testIds, member, list, end, listAudit, passDays, runAndSend, add } =
      await start(9)
    await sql`
      update projects set auto_quarantine = true, auto_quarantine_owner_id = ${member.id} where id = ${project.id}
    `.execute(server.db)
    const run = (from: number, to: number) =>
      quarantineAutomatically(server.db, project.id, toFlaky(testIds.slice(from, to)))
    await add({ test_id: testIds[0] })
    // The first is quarantined by hand, which does not count.
    expect(await run(0, 3)).toEqual(testIds.slice(1, 3))
    expect((await list(`test_id=${testIds[1]}`)).data).toMatchObject([
      {
        owner_id: member.id,
        created_by: null,
        is_automatic: true,
        branches: [],
        reason: 'Became flaky: it passed and failed on 2 of 9 commits.',
      },
    ])
    expect(await listAudit('quarantine.add')).toMatchObject([
      { actor: { kind: 'system' } },
      { actor: { kind: 'system' } },
      { actor: { kind: 'user' } },
    ])
    expect(await run(1, 7)).toEqual(testIds.slice(3, 6))
    const limitMails = await runAndSend()
    expect(limitMails).toMatchObject([
      { to: [adminEmail], subject: expect.stringContaining('No more tests are quarantined automatically') },
    ])
    expect(await run(6, 8)).toEqual([])
    expect(await runAndSend()).toEqual([])
    // Below the limit again, it is told again.
    const [entry] = (await list(`test_id=${testIds[1]}`)).data
    await end(entry?.id ?? '')
    expect(await runAndSend()).toEqual([])
    expect(await run(6, 8)).toEqual(testIds.slice(6, 7))
    expect(await runAndSend()).toHaveLength(1)
    await passDays(14)
    await runAndSend()
    expect(await run(7, 9)).toEqual(testIds.slice(7, 9))
  })

  it('takes 1 % of the tests that were executed in the last 7 days as the limit of a large project', async () => {
    const { server, project, testIds, uploadTests, listTests } = await start(8)
    await sql`update projects set auto_quarantine = true where id = ${project.id}`.execute(server.db)
    const names = Array.from({ length: 720 }, (_, index) => ({
      name: `other ${index}`,
      suite: 'b.test.ts',
      attempts: [{ status: 'passed' }],
    }))
    await uploadTests(names)
    expect((await listTests()).meta.total).toBe(728)
    await sql`
      update tests set last_seen_on = (now() at time zone 'utc')::date - case when name = 'other 0' then 8 else 7 end
      where project_id = ${project.id} and name like 'other%'`.execute(server.db)
    expect(await quarantineAutomatically(server.db, project.id, toFlaky(testIds))).toEqual(testIds.slice(0, 7))
  })
})
