import type { Comment } from '@caseward/contract/comment-schemas'
import { makeCommentScenario } from '@caseward/test-support/comment-scenario'
import { expectCorrectCounters } from '@caseward/test-support/counters'
import { openEventStream } from '@caseward/test-support/event-stream'
import { makeTestCases } from '@caseward/test-support/factories'
import { useSharedServer } from '@caseward/test-support/test-server'
import { sql } from 'kysely'
import { beforeAll, describe, expect, it } from 'vitest'

const server = useSharedServer()
let scenario: Awaited<ReturnType<typeof makeCommentScenario>>
beforeAll(async () => {
  scenario = await makeCommentScenario(server)
})

const getRow = async ({ run, token }: typeof scenario) =>
  (
    await server.request<{ data: { comment_count: number }[] }>('GET', `/v1/runs/${run.id}/results?fields=row`, {
      token,
    })
  ).body.data[0]
const count = async (table: 'comments' | 'comment_versions' | 'mentions' | 'run_attachments', projectId: string) => {
  const { rows } = await sql<{ count: number }>`
    select count(*)::int as count from ${sql.table(table)} where project_id = ${projectId}`.execute(server.db)
  return rows[0]?.count
}

describe('POST …/comments', () => {
  it('adds comments to a test case, a run and a result, which are counted and listed with the newest first', async () => {
    const { places, comment, list, project, member } = scenario
    for (const place of Object.values(places)) {
      const first = await comment(place, '  It **fails**.\n')
      const second = await comment(place, 'It works now.')
      expect(first).toMatchObject({ body: 'It **fails**.', created_by: member.id, edited_at: null, attachments: [] })
      expect((await list(place)).map(({ id }) => id)).toEqual([second.id, first.id])
      expect((await list(place, `?per_page=1&after=${second.id}`)).map(({ id }) => id)).toEqual([first.id])
    }
    expect(await getRow(scenario)).toMatchObject({ comment_count: 2 })
    const { token } = member
    expect((await server.request('GET', places.run, { token })).body['data']).toMatchObject({ comment_count: 2 })
    expect((await server.request('GET', places.result, { token })).body['data']).toMatchObject({ comment_count: 2 })
    await expectCorrectCounters(server, project.id)
  })

  it('accepts a comment on a completed run', async () => {
    const { comment, places, run, token } = await makeCommentScenario(server)
    await server.request('PATCH', `/v1/runs/${run.id}`, { token, body: { status: 'completed' } })
    expect((await comment(places.run, 'We released it.')).body).toBe('We released it.')
    expect((await comment(places.result, 'It was the proxy.')).body).toBe('It was the proxy.')
  })

  it('returns 400 for an empty text, one of more than 65,536 characters, and the attachment of another place', async () => {
    const { post, attach, places } = scenario
    expect((await post(places.run, '  \n')).status).toBe(400)
    expect((await post(places.run, 'x'.repeat(65_537))).status).toBe(400)
    expect((await post(places.run, 'x'.repeat(65_536))).status).toBe(201)
    const elsewhere = await attach(places.testCase)
    const ofOther = await attach(places.run, scenario.token)
    const { status, body } = await post(places.run, 'See', { attachments: [elsewhere.id, ofOther.id, 'x'] })
    expect([status, body]).toMatchObject([
      400,
      { errors: [0, 1, 2].map((index) => ({ path: `/attachment_ids/${index}` })) },
    ])
  })

  it('sends an event with what it is on to the streams of the run and the project, also for a change', async () => {
    const { comment, edit, places, project, run, token, caseIds } = scenario
    const ofRun = await openEventStream(server.url, `/v1/runs/${run.id}/events`, { token })
    const ofProject = await openEventStream(server.url, `/v1/projects/${project.id}/events`, { token })
    await Promise.all([ofRun.next('sync'), ofProject.next('sync')])
    const onCase = await comment(places.testCase, 'Here')
    expect((await ofProject.next('comments')).data).toEqual({
      run_id: null,
      result_ids: [],
      test_case_ids: [caseIds[0]],
      more: false,
    })
    await edit(onCase, 'There')
    expect((await ofProject.next('comments')).data).toMatchObject({ test_case_ids: [caseIds[0]] })
    await comment(places.result, 'Here')
    const { data } = await ofRun.next<{ result_ids: string[] }>('comments')
    expect(data).toMatchObject({ run_id: run.id, result_ids: [expect.any(String)] })
    const row = { id: data.result_ids[0], comment_count: expect.any(Number) as number }
    // Either event may be the first.
    const getChanged = () => ofRun.events.findLast(({ name }) => name === 'results')?.data
    await expect.poll(getChanged).toMatchObject({ results: [row] })
    await comment(places.run, 'Here')
    expect((await ofRun.next('comments')).data).toMatchObject({ run_id: run.id, result_ids: [] })
  })
})

describe('PATCH …/comments/:comment_id', () => {
  it('changes the text, and keeps the last 20 earlier ones', async () => {
    const { comment, edit, getPath, places, member } = scenario
    const created = await comment(places.run, 'text 0')
    for (let number = 1; number <= 22; number += 1) await edit(created, `text ${number}`)
    expect((await edit(created, 'text 22')).body.data).toMatchObject({ body: 'text 22' })
    const { body } = await server.request<{ data: { body: string }[] }>('GET', `${getPath(created)}/versions`, {
      token: member.token,
    })
    const texts = body.data.map((version) => version.body)
    expect(texts).toEqual(Array.from({ length: 20 }, (_, index) => `text ${21 - index}`))
  })

  it('returns 403 not_yours to everyone but the author, also to an admin', async () => {
    const { comment, edit, places, token } = scenario
    const ofMember = await comment(places.run, 'mine')
    expect((await edit(ofMember, 'yours', token)).body).toMatchObject({ status: 403, code: 'not_yours' })
  })
})

describe('DELETE …/comments/:comment_id', () => {
  it('deletes the text, its earlier texts, attachments and mentions, and leaves who deleted it', async () => {
    const fresh = await makeCommentScenario(server)
    const { comment, edit, remove, list, attach, places, project, viewer, member } = fresh
    const picture = await attach(places.result)
    const other = await attach(places.result)
    const body = `@[V](user:${viewer.id}) ![a](attachment:${picture.id}) ![b](attachment:${other.id})`
    const created = await comment(places.result, body, { attachments: [picture.id] })
    expect(created.attachments.map(({ id }) => id)).toEqual([picture.id, other.id])
    await edit(created, `${body}!`)
    expect((await remove(created)).status).toBe(204)
    expect(await list(places.result)).toMatchObject([
      { id: created.id, body: null, deleted_by: member.id, attachments: [] },
    ])
    expect(await getRow(fresh)).toMatchObject({ comment_count: 0 })
    expect(await count('comment_versions', project.id)).toBe(0)
    expect(await count('mentions', project.id)).toBe(0)
    expect(await count('run_attachments', project.id)).toBe(1)
    await expectCorrectCounters(server, project.id)
    expect((await remove(created)).status).toBe(404)
    expect((await edit(created, 'again')).status).toBe(404)
  })

  it('is for the author and admins: that of someone else is recorded, without its text', async () => {
    const { comment, remove, places, project, token } = await makeCommentScenario(server)
    const ofAdmin = await comment(places.testCase, 'by the admin', { token })
    expect((await remove(ofAdmin)).body).toMatchObject({ status: 403, code: 'not_yours' })
    expect((await remove(ofAdmin, token)).status).toBe(204)
    const ofMember = await comment(places.testCase, 'secret')
    expect((await remove(ofMember, token)).status).toBe(204)
    const path = `/v1/projects/${project.id}/audit-log?action=comment.delete`
    const { body } = await server.request<{ data: object[] }>('GET', path, { token })
    expect(body.data).toMatchObject([
      {
        subject: { kind: 'comment', id: ofMember.id, name: expect.stringMatching(/^Person /) as unknown },
        detail: { test_case_id: 'WEB-1' },
      },
    ])
    expect(JSON.stringify(body)).not.toContain('secret')
  })

  it('leaves right counts when people write and delete at the same place at the same time', async () => {
    const { comment, remove, attach, places, project, list } = await makeCommentScenario(server)
    const write = async (): Promise<Comment> => {
      const { id } = await attach(places.result)
      return await comment(places.result, 'x', { attachments: [id] })
    }
    const written = await Promise.all(Array.from({ length: 6 }, write))
    await Promise.all([...written.slice(0, 3).map((row) => remove(row)), write(), write()])
    expect((await list(places.result)).filter(({ body }) => body !== null)).toHaveLength(5)
    await expectCorrectCounters(server, project.id)
  })
})

describe('comments of what is deleted', () => {
  it('are deleted with the result, the run, the test case and the project, as are their mentions', async () => {
    const { comment, places, project, token, viewer, run, caseIds } = await makeCommentScenario(server)
    const mention = `@[V](user:${viewer.id}) look`
    await makeTestCases(server, project, 1)
    for (const place of Object.values(places)) await comment(place, mention)
    await comment(`/v1/runs/${run.id}/results/${caseIds[1]}`, mention)

    await server.request('DELETE', `/v1/runs/${run.id}/test-cases`, { token, body: { test_case_ids: [caseIds[1]] } })
    await expectCorrectCounters(server, project.id)
    await server.request('DELETE', places.testCase, { token })
    await expectCorrectCounters(server, project.id)
    expect(await count('comments', project.id)).toBe(2)
    expect(await count('mentions', project.id)).toBe(2)
    await server.request('DELETE', places.run, { token })
    expect([await count('comments', project.id), await count('mentions', project.id)]).toEqual([0, 0])
    await expectCorrectCounters(server, project.id)

    await comment(`/v1/projects/${project.id}/test-cases/${caseIds[1]}`, mention)
    await server.request('DELETE', `/v1/projects/${project.id}`, { token })
    expect([await count('comments', project.id), await count('mentions', project.id)]).toEqual([0, 0])
  })
})
