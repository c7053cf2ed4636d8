import { sql } from 'kysely'
import { describe, expect, it } from 'vitest'

import { makeRun, makeTestCases } from '@caseward/test-support/factories'
import { startMailServerForTest } from '@caseward/test-support/mail-server'
import { getMailPart } from '@caseward/test-support/mails'
import { makeTeam } from '@caseward/test-support/team'
import { startServerForTest } from '@caseward/test-support/test-server'

async function makeServerWithRun() {
  const { url, received } = await startMailServerForTest()
  const server = await startServerForTest({ smtpUrl: url, publicUrl: 'http://tests.example.com' })
  const team = await makeTeam(server)
  const caseIds = await makeTestCases(server, team.project, 3)
  const run = await makeRun(server, team.project, { name: 'Regression "2.4"' })
  return {
    ...team,
    server,
    received,
    caseIds,
    run,
    async assign(ids: string[], userIds: string[], token = team.token): Promise<void> {
      const body = { result_ids: ids, user_ids: userIds }
      const { status } = await server.request('POST', `/v1/runs/${run.id}/results/assign`, { token, body })
      expect(status).toBe(200)
    },
    /** The seconds until each email that waits is sent. */
    async getWaitingSeconds(): Promise<number[]> {
      const { rows } = await sql<{ seconds: number }>`
        select extract(epoch from run_at - now())::float8 as seconds from graphile_worker.jobs order by run_at
      `.execute(server.db)
      return rows.map(({ seconds }) => seconds)
    },
  }
}

describe('the email about assigned test cases', () => {
  it('is sent to the assignee after a minute, once for all that is assigned meanwhile', async () => {
    const { server, received, assign, getWaitingSeconds, caseIds, admin, member, token, run } =
      await makeServerWithRun()
    await assign(caseIds.slice(0, 1), [member.id])
    await assign(caseIds.slice(1), [member.id, admin.id])
    const [seconds = 0, ...others] = await getWaitingSeconds()
    expect(others).toEqual([])
    expect(seconds).toBeGreaterThan(50)
    expect(seconds).toBeLessThanOrEqual(60)

    await server.request('PUT', `/v1/runs/${run.id}/results/${caseIds[0]}`, { token, body: { status: 'passed' } })
    await sql`update graphile_worker._private_jobs set run_at = now()`.execute(server.db)
    await server.startWorker()
    await expect.poll(() => received.length).toBe(1)
    expect(received[0]?.to).toEqual([member.email])
    const text = getMailPart(received[0]?.raw ?? '', 'text/plain')
    expect(received[0]?.raw).toMatch(/^Subject: 1 test case to test\r$/m)
    expect(text).toContain(`"Regression '2.4'" in "Web shop": 1 test case.`)
    expect(text).toContain('http://tests.example.com/work')
  })

  it('is not sent again within an hour', async () => {
    const { server, assign, getWaitingSeconds, caseIds, member } = await makeServerWithRun()
    await assign(caseIds.slice(0, 1), [member.id])
    await sql`delete from graphile_worker._private_jobs`.execute(server.db)
    await sql`update users set assignment_mail_at = now() - interval '10 minutes' where id = ${member.id}`.execute(
      server.db,
    )
    await assign(caseIds.slice(1, 2), [member.id])
    const [seconds = 0] = await getWaitingSeconds()
    expect(seconds).toBeGreaterThan(49 * 60)
    expect(seconds).toBeLessThanOrEqual(50 * 60)
    await assign(caseIds.slice(2), [member.id])
    expect(await getWaitingSeconds()).toHaveLength(1)
  })

  it('is not sent to those who assign to themselves, and not when nothing is left to test', async () => {
    const { server, received, assign, getWaitingSeconds, caseIds, member, token } = await makeServerWithRun()
    await assign(caseIds, [member.id], member.token)
    expect(await getWaitingSeconds()).toEqual([])
    await assign(caseIds, [], token)
    await assign(caseIds, [member.id], token)
    await assign(caseIds, [], token)
    await sql`update graphile_worker._private_jobs set run_at = now()`.execute(server.db)
    await server.startWorker()
    await expect.poll(getWaitingSeconds).toEqual([])
    expect(received).toEqual([])
  })
})
