import type { Mention } from '@caseward/contract/mentions'
import { makeCommentScenario } from '@caseward/test-support/comment-scenario'
import { startMailServerForTest } from '@caseward/test-support/mail-server'
import { getMailPart } from '@caseward/test-support/mails'
import { startServerForTest } from '@caseward/test-support/test-server'
import { makeMember, makeUser } from '@caseward/test-support/users'
import { sql } from 'kysely'
import { describe, expect, it } from 'vitest'

async function makeScenario() {
  const { url, received } = await startMailServerForTest()
  const server = await startServerForTest({ smtpUrl: url, publicUrl: 'http://tests.example.com' })
  const scenario = await makeCommentScenario(server)
  return {
    ...scenario,
    server,
    received,
    mention: ({ id }: { id: string }, name = 'Somebody') => `@[${name}](user:${id})`,
    async listMentions(token: string, query = '') {
      const { body } = await server.request<{
        data: Mention[]
        meta: { next_after: string | null; unread_count: number }
      }>('GET', `/v1/me/mentions${query}`, { token })
      return body
    },
    read: (token: string, body: object) => server.request('POST', '/v1/me/mentions/read', { token, body }),
    /** The seconds until each email that waits is sent. */
    async getWaitingSeconds(): Promise<number[]> {
      const { rows } = await sql<{ seconds: number }>`
        select round(extract(epoch from run_at - now()))::int as seconds from graphile_worker.jobs
        where key like 'mail:mention:%' order by run_at`.execute(server.db)
      return rows.map(({ seconds }) => seconds)
    },
  }
}

/** One email waits for about so long. */
function expectAbout(waiting: readonly number[], seconds: number): void {
  expect(waiting).toHaveLength(1)
  expect(waiting[0]).toBeGreaterThan(seconds - 30)
  expect(waiting[0]).toBeLessThanOrEqual(seconds)
}

describe('mentions', () => {
  it('tell members of a comment, where it is, and end with the membership', async () => {
    const { server, comment, edit, mention, listMentions, read, post, ...scenario } = await makeScenario()
    const { places, viewer, admin, project, run, caseIds, token, member } = scenario
    const outsider = await makeUser(server)

    const created = await comment(places.result, `${mention(viewer, 'Vi')} and ${mention(member)} look\nat this`)
    const onCase = await comment(places.testCase, `${mention(viewer)}, ${mention(viewer)}`)
    const { data, meta } = await listMentions(viewer.token)
    expect(data).toMatchObject([
      { comment_id: onCase.id, test_case_id: caseIds[0], run_id: null, result_id: null, read_at: null },
      {
        comment_id: created.id,
        project_name: 'Web shop',
        test_case_id: caseIds[0],
        run_id: run.id,
        result_id: expect.any(String) as unknown,
        text: '@Vi and @Somebody look',
        author_name: expect.stringMatching(/^Person/) as unknown,
      },
    ])
    expect(data[1]?.title).toBe(data[0]?.title)
    expect(meta).toEqual({ next_after: null, unread_count: 2 })
    // Authors need no reminder of what they have written.
    expect((await listMentions(member.token)).data).toEqual([])
    const page = await listMentions(viewer.token, '?per_page=1')
    expect((await listMentions(viewer.token, `?per_page=1&after=${page.meta.next_after}`)).data).toEqual([data[1]])

    expect((await read(viewer.token, { ids: [data[0]?.id, 'x'] })).body).toEqual({ data: { read: 1 } })
    expect((await listMentions(viewer.token, '?unread=true')).data).toEqual([data[1]])
    expect((await read(viewer.token, { all: true })).body).toEqual({ data: { read: 1 } })
    expect((await read(viewer.token, {})).status).toBe(400)

    const names = mention(outsider, 'Eve')
    const { status, body } = await post(places.run, names)
    const error = { path: '/body', message: 'mentions Eve, who is not a member of this project' }
    expect([status, body]).toMatchObject([400, { errors: [error] }])
    const many = await Promise.all(Array.from({ length: 21 }, () => makeMember(server, project.id, 'viewer')))
    expect(
      (
        await post(
          places.run,
          many
            .slice(0, 20)
            .map((user) => mention(user))
            .join(' '),
        )
      ).status,
    ).toBe(201)
    expect((await post(places.run, many.map((user) => mention(user)).join(' '))).body).toMatchObject({
      errors: [{ message: 'mentions 21 users. Mention up to 20' }],
    })

    await server.request('DELETE', `/v1/projects/${project.id}/members/${viewer.id}`, { token })
    expect((await listMentions(viewer.token)).data).toEqual([])
    // The text may go on to mention who has left.
    expect((await edit(created, `${created.body} ${mention(admin)}`)).status).toBe(200)
    expect((await edit(created, `${created.body} ${mention(outsider)}`)).status).toBe(400)
    expect((await listMentions(admin.token)).data).toMatchObject([{ comment_id: created.id }])
  })

  it('send one email after a minute for all that is new, again after five minutes, and none for what is read', async () => {
    const { server, received, comment, edit, mention, read, getWaitingSeconds, ...scenario } = await makeScenario()
    const { places, viewer, admin } = scenario
    const first = await comment(places.testCase, `${mention(viewer, 'Vi')} <b>first</b>`)
    const second = await comment(places.run, 'second')
    await edit(second, `second ${mention(viewer)}`)
    await edit(second, `second, again ${mention(viewer)}`)
    expectAbout(await getWaitingSeconds(), 60)

    await sql`update graphile_worker._private_jobs set run_at = now()`.execute(server.db)
    await server.startWorker()
    await expect.poll(() => received.length).toBe(1)
    expect(received[0]?.to).toEqual([viewer.email])
    const text = getMailPart(received[0]?.raw ?? '', 'text/plain').replaceAll('\r', '')
    expect(text).toContain('2 comments mention you')
    expect(text).toContain('@Vi <b>first</b>')
    expect(text).toContain('on "Nightly" in "Web shop": second, again @Somebody')
    expect(text).toContain('http://tests.example.com/work?tab=mentions')

    await sql`update users set mention_mail_at = now() where id = ${viewer.id}`.execute(server.db)
    await edit(first, `${first.body}!`)
    expect(await getWaitingSeconds()).toEqual([])
    await comment(places.result, mention(viewer))
    expectAbout(await getWaitingSeconds(), 300)
    await read(viewer.token, { all: true })
    // Who has switched the emails off gets none, but still finds the mention.
    await server.request('PATCH', '/v1/me', { token: admin.token, body: { mention_emails: false } })
    await comment(places.result, mention(admin))
    await sql`update graphile_worker._private_jobs set run_at = now()`.execute(server.db)
    await expect.poll(getWaitingSeconds).toEqual([])
    expect(received).toHaveLength(1)
    expect((await scenario.post(places.result, `${mention(admin)} again`)).status).toBe(201)
    expect(await getWaitingSeconds()).toEqual([])
  })
})
