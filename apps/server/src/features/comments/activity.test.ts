import type { TimelineEntry } from '@caseward/contract/activity'
import { makeCommentScenario } from '@caseward/test-support/comment-scenario'
import { makeRun } from '@caseward/test-support/factories'
import { useSharedServer } from '@caseward/test-support/test-server'
import { sql } from 'kysely'
import { describe, expect, it } from 'vitest'

const server = useSharedServer()

interface Page {
  data: TimelineEntry[]
  meta: { next_after: string | null }
}

async function makeActiveScenario() {
  const scenario = await makeCommentScenario(server)
  const { places, token, member } = scenario
  const readPage = async (place: string, query = '') =>
    (await server.request<Page>('GET', `${place}/activity${query}`, { token: member.token })).body
  return {
    ...scenario,
    send: (method: 'POST' | 'PUT' | 'PATCH', path: string, body: object) =>
      server.request<{ data: { id: string } }>(method, path, { token, body }),
    readPage,
    /** Reads all pages, with this many entries on each. */
    async readAll(place: string, perPage: number): Promise<TimelineEntry[]> {
      const entries: TimelineEntry[] = []
      let after = ''
      do {
        const { data, meta } = await readPage(place, `?per_page=${perPage}${after}`)
        entries.push(...data)
        after = meta.next_after === null ? '' : `&after=${encodeURIComponent(meta.next_after)}`
      } while (after !== '')
      return entries
    },
    places,
  }
}
const kinds = (entries: readonly TimelineEntry[]) => entries.map(({ kind }) => kind)

describe('GET …/activity', () => {
  it('lists what happened to a test case: its creation and last change, comments, attachments, links and runs', async () => {
    const { places, comment, attach, send, readAll, readPage, project, run, member, admin } = await makeActiveScenario()
    await comment(places.testCase, 'It\nfails')
    const picture = await attach(places.testCase)
    await comment(places.testCase, 'Look', { attachments: [(await attach(places.testCase)).id] })
    await send('POST', `${places.testCase}/links`, { url: 'https://acme.test/issues/12' })
    await send('PATCH', places.testCase, { title: 'A new title' })
    const newer = await makeRun(server, project, { name: 'Newer' })
    const { data } = await readPage(places.testCase)
    expect(data.map(({ kind, actor, detail }) => [kind, actor, detail.text])).toEqual([
      ['run', admin.id, 'Newer'],
      ['updated', admin.id, null],
      ['link', admin.id, 'acme.test 12'],
      ['comment', member.id, 'Look'],
      ['attachment', member.id, 'shot.png'],
      ['comment', member.id, 'It'],
      ['run', admin.id, 'Nightly'],
      ['created', admin.id, null],
    ])
    expect(data[0]?.detail).toMatchObject({ id: newer.id, status: 'not_tested' })
    expect(data[4]?.detail.id).toBe(picture.id)
    expect(data[6]?.detail.id).toBe(run.id)
    expect(data.map(({ at }) => at)).toEqual(
      data
        .map(({ at }) => at)
        .toSorted()
        .toReversed(),
    )
    for (const perPage of [1, 3]) expect(await readAll(places.testCase, perPage)).toEqual(data)
  })

  it('lists statuses and notes of a result with who set them, and a deleted comment without its text', async () => {
    const { places, comment, remove, send, readAll, admin } = await makeActiveScenario()
    await send('PUT', places.result, { status: 'failed', note: 'Error 500\nstack' })
    await remove(await comment(places.result, 'secret'))
    await send('PUT', places.result, { status: 'passed', note: null })
    const entries = await readAll(places.result, 2)
    expect(kinds(entries)).toEqual(['result', 'comment', 'result'])
    expect(entries.map(({ detail: { text, status } }) => [text, status])).toEqual([
      [null, 'passed'],
      [null, null],
      ['Error 500', 'failed'],
    ])
    expect(entries[0]?.actor).toBe(admin.id)
  })

  it('lists the creation, completion, comments, attachments and reruns of a run, and not those of its results', async () => {
    const { places, comment, attach, send, readAll } = await makeActiveScenario()
    await comment(places.run, 'Ready')
    await comment(places.result, 'Not here')
    await attach(places.run)
    await send('PUT', places.result, { status: 'failed' })
    await send('PATCH', places.run, { status: 'completed' })
    await send('POST', `${places.run}/reruns`, {})
    const entries = await readAll(places.run, 2)
    expect(kinds(entries)).toEqual(['rerun', 'completed', 'attachment', 'comment', 'created'])
    expect(entries[0]?.detail.text).toBe('Nightly, rerun 1')
  })

  it('returns every comment once when many have the same time, and reads no more of them than a page has', async () => {
    const { places, project, member, run, list, readAll, readPage } = await makeActiveScenario()
    await sql`
      insert into comments (project_id, id, run_id, body, created_by, created_at)
      select ${project.id}, uuid_v7_in_batch(now() - n / 3 * interval '1 second', n), ${run.id}, 'text ' || n,
        ${member.id}, now()
      from generate_series(1, 1000) n`.execute(server.db)
    const entries = await readAll(places.run, 50)
    expect(new Set(entries.map(({ detail }) => detail.id)).size).toBe(1001)
    const { data, meta } = await readPage(places.run, '?per_page=50')
    expect([data.length, typeof meta.next_after]).toEqual([50, 'string'])
    expect((await server.request('GET', `${places.run}/activity?per_page=51`, { token: member.token })).status).toBe(
      400,
    )
    const comments = new Set<string>()
    for (let after = ''; ;) {
      const page = await list(places.run, `?per_page=100${after}`)
      expect(page.length).toBe(Math.min(100, 1000 - comments.size))
      for (const { id } of page) comments.add(id)
      if (page.length < 100) break
      after = `&after=${page.at(-1)?.id}`
    }
    expect(comments.size).toBe(1000)
  })
})
