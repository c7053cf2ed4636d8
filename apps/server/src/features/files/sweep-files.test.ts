import { mkdtemp, readdir, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

import { expectCorrectCounters } from '@caseward/test-support/counters'
import { makeProject, makeRun, makeTestCase } from '@caseward/test-support/factories'
import { startServerForTest, useTestServer } from '@caseward/test-support/test-server'
import { sql } from 'kysely'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'

import { readConfig } from '../../config.ts'
import { toFileName } from '../../platform/files/file-store.ts'
import { openFileStore } from '../../platform/files/open-file-store.ts'
import { createSweepJob } from './sweep-files.ts'
import type { CompleteAttachment } from './sample-files.test.helper.ts'

/** How often requests and sweeps race; FILE_RACES has another number. */
const RACES = Number(process.env['FILE_RACES'] ?? 12)

let filesDir: string
beforeAll(async () => {
  filesDir = await mkdtemp(join(tmpdir(), 'caseward-sweep-'))
})
afterAll(() => rm(filesDir, { recursive: true }))
const server = useTestServer(() => ({ filesDir }))

const settings = (fileDeleteDays = 7) => ({ ...readConfig({}), filesDir, fileDeleteDays })
const warnings: unknown[] = []
const log = { warn: (...args: unknown[]) => void warnings.push(args) }
const sweep = (db = server.db, config = settings()) => createSweepJob(config, log).run(db, new AbortController().signal)
const listNames = async () => await (await openFileStore(settings())).list('')
/** Moves the time at which names were queued into the past. */
const passDays = (days: number) =>
  sql`update file_deletions set deleted_at = deleted_at - make_interval(days => ${days})`.execute(server.db)

let project: Awaited<ReturnType<typeof makeProject>>
beforeEach(async () => {
  project = await makeProject(server)
})

async function attach(place: string, text: string): Promise<CompleteAttachment> {
  const { status, body } = await server.request<{ data: CompleteAttachment }>('POST', `${place}/attachments?name=a`, {
    token: project.admin.token,
    body: Buffer.from(text),
  })
  if (status !== 201) throw new Error(JSON.stringify(body))
  return body.data
}
const remove = async (path: string) => {
  const { status } = await server.request('DELETE', path, { token: project.admin.token })
  expect(status).toBeLessThan(300)
}
const removeAttachment = ({ id }: CompleteAttachment) => remove(`/v1/projects/${project.id}/attachments/${id}`)

describe('the sweep of files', () => {
  it('removes a content seven days after its last attachment was deleted, and never one that is attached', async () => {
    const run = `/v1/runs/${(await makeRun(server, project)).id}`
    const first = await attach(run, 'twice attached')
    const second = await attach(run, 'twice attached')
    const kept = await attach(run, 'kept')
    const name = toFileName(project.id, first.file_id)
    await removeAttachment(first)
    await sweep()
    await passDays(8)
    await sweep()
    expect(await listNames()).toContain(name)
    await removeAttachment(second)
    await sweep()
    await expectCorrectCounters(server, project.id)
    await server.expectProblem(404, 'GET', second.url, { token: project.admin.token })
    await passDays(6)
    await sweep()
    expect(await listNames()).toContain(name)
    await passDays(1)
    await sweep()
    expect(await listNames()).toEqual([toFileName(project.id, kept.file_id)])
    expect((await sql`select from file_deletions`.execute(server.db)).rows).toEqual([])
  })

  it('leaves nothing of a comment, a run, a test case and a project that were deleted', async () => {
    const { token } = project.admin
    const commented = `/v1/projects/${project.id}/test-cases/${(await makeTestCase(server, project)).id}`
    const picture = await attach(commented, 'of a comment')
    const { body: comment } = await server.request<{ data: { id: string } }>('POST', `${commented}/comments`, {
      token,
      body: { body: `![shot](attachment:${picture.id})`, attachment_ids: [picture.id] },
    })
    await remove(`/v1/projects/${project.id}/comments/${comment.data.id}`)
    await sweep(server.db, settings(0))
    expect((await listNames()).filter((name) => name.startsWith(project.id))).toEqual([])

    const testCase = `/v1/projects/${project.id}/test-cases/${(await makeTestCase(server, project)).id}`
    const run = `/v1/runs/${(await makeRun(server, project)).id}`
    await attach(run, 'of a run')
    await attach(testCase, 'of a test case')
    await remove(run)
    await remove(testCase)
    await sweep(server.db, settings(0))
    expect((await listNames()).filter((name) => name.startsWith(project.id))).toEqual([])
    await attach(`/v1/runs/${(await makeRun(server, project)).id}`, 'of a project')
    await remove(`/v1/projects/${project.id}`)
    await sweep(server.db, settings(0))
    expect((await readdir(filesDir)).includes(project.id)).toBe(false)
  })

  it('removes contents whose files were not stored for a day, and no content that is being received', async () => {
    const store = await openFileStore(settings())
    const ids = ['019aa5c0-2222-7b5d-9a6f-3a1f9d4a6b13', '019aa5c0-2222-7b5d-9a6f-3a1f9d4a6b14']
    const [old = '', recent = ''] = ids.map((id) => toFileName(project.id, id))
    await attach(`/v1/runs/${(await makeRun(server, project)).id}`, 'binds the store')
    async function* text() {
      yield Buffer.from('left by a server that was killed')
    }
    for (const name of [old, recent]) await store.write(name, text(), 100)
    await sql`
      insert into file_writes (name, location, started_at)
      values (${old}, 0, now() - interval '25 hours'), (${recent}, 0, now() - interval '23 hours')`.execute(server.db)
    await sweep()
    const names = await listNames()
    expect([names.includes(old), names.includes(recent)]).toEqual([false, true])
    const { rows } = await sql`select name from file_writes`.execute(server.db)
    expect(rows).toEqual([{ name: recent }])
    await sql`delete from file_writes`.execute(server.db)
  })

  it('never loses a file when requests attach and delete one content while it runs', async () => {
    const run = `/v1/runs/${(await makeRun(server, project)).id}`
    const kept: CompleteAttachment[] = []
    for (let round = 0; round < RACES; round += 1) {
      const attached = await attach(run, 'contended')
      const [again] = await Promise.all([attach(run, 'contended'), removeAttachment(attached), sweep(), sweep()])
      const response = await server.request('GET', again.url, { token: project.admin.token })
      expect([response.status, response.body]).toEqual([200, 'contended'])
      if (round % 2 === 0) await Promise.all([removeAttachment(again), sweep()])
      else kept.push(again)
    }
    await sweep(server.db, settings(0))
    for (const { url } of kept) {
      expect((await server.request('GET', url, { token: project.admin.token })).body).toBe('contended')
    }
    await expectCorrectCounters(server, project.id)
  })

  it('keeps the queue while the store is unavailable, and says so', async () => {
    const other = await startServerForTest({ filesDir: '/dev/null/files' })
    await sql`
      insert into file_deletions (name, location, deleted_at)
      values (${toFileName(project.id, project.id)}, 0, '2026-01-01')`.execute(other.db)
    await sweep(other.db, { ...settings(), filesDir: '/dev/null/files' })
    expect((await sql`select from file_deletions`.execute(other.db)).rows).toHaveLength(1)
    expect(JSON.stringify(warnings)).toContain('stay in the file store')
    const owner = await makeProject(other)
    const { id } = await makeRun(other, owner)
    const problem = await other.expectProblem(503, 'POST', `/v1/runs/${id}/attachments?name=a`, {
      token: owner.admin.token,
      body: Buffer.from('a'),
    })
    expect(problem.code).toBe('file_store_unavailable')
    expect((await other.request('GET', '/readyz')).status).toBe(200)
  })

  it('refuses files with 507 while space is short, and everything else works', async () => {
    const full = await startServerForTest({ filesMinFreeMb: 1_000_000_000 })
    const owner = await makeProject(full)
    const { id } = await makeTestCase(full, owner)
    const { id: runId } = await makeRun(full, owner)
    const { token } = owner.admin
    const problem = await full.expectProblem(507, 'POST', `/v1/runs/${runId}/attachments?name=a`, {
      token,
      body: Buffer.from('a'),
    })
    expect(problem.code).toBe('file_store_full')
    const body = { status: 'passed' }
    expect((await full.request('PUT', `/v1/runs/${runId}/results/${id}`, { token, body })).status).toBe(200)
  })
})
