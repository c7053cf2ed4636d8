import { randomBytes, randomUUID } from 'node:crypto'
import { once } from 'node:events'
import { rm } from 'node:fs/promises'
import { type IncomingMessage, request as sendRequest } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

import type { Attachment } from '@caseward/contract/attachment-schemas'
import { FILE_PART_BYTES, MAX_FILE_BYTES } from '@caseward/contract/endpoint'
import { expectCorrectCounters } from '@caseward/test-support/counters'
import { declare, digest, sendContent } from '@caseward/test-support/declared-files'
import { makeUploadScenario } from '@caseward/test-support/upload-scenario'
import { cloneDatabase } from '@caseward/test-support/database'
import { startTestServer, type TestServer } from '@caseward/test-support/test-server'
import { makeInstanceAdmin } from '@caseward/test-support/users'
import { sql } from 'kysely'
import { beforeAll, describe, expect, it } from 'vitest'

import { readConfig } from '../../config.ts'
import { zip } from '../files/sample-files.test.helper.ts'
import { createSweepJob } from '../files/sweep-files.ts'

const filesDir = join(tmpdir(), `caseward-files-${randomUUID()}`)
/** Two servers with one database and one directory. */
let server: TestServer
let other: TestServer
let scenario: Awaited<ReturnType<typeof makeUploadScenario>>
beforeAll(async () => {
  const database = await cloneDatabase()
  const settings = { fileLimitMb: 40, filesDir }
  server = await startTestServer(settings, database)
  other = await startTestServer(settings, database)
  scenario = await makeUploadScenario(server, 1)
  return async () => {
    await server.close()
    await other.close()
    await database.drop()
  }
})

/** Declares contents at a result, and returns where they are sent. */
async function declareContents(...contents: object[]) {
  await scenario.upload({ results: [{ test_case_id: 'WEB-1', status: 'failed', attachments: contents }] })
}
const getPath = (content: Buffer | string) => `/v1/runs/${scenario.run.id}/files/${digest(content)}`
const put = (content: Buffer | string, { path = getPath(content), body = content, headers = {}, on = server } = {}) =>
  sendContent(on, path, body, { token: scenario.ci, headers })
const list = (table: string) => sql`select * from ${sql.table(table)}`.execute(server.db).then(({ rows }) => rows)
const range = (start: number, byteCount: number, total: number) => ({
  'content-range': `bytes ${start}-${start + byteCount - 1}/${total}`,
})
const getReceived = async (content: Buffer) =>
  (await server.request('HEAD', getPath(content), { token: scenario.ci })).headers.get('upload-received')

describe('PUT /v1/runs/:run_id/files/:sha256', () => {
  it.each([
    ['another content than the digest says', { body: 'damaged!' }, 422, 'digest_mismatch'],
    ['another length than was declared', { body: 'short' }, 422, 'length_mismatch'],
    ['another length than the part has', { headers: range(0, 5, 8) }, 422, 'length_mismatch'],
    ['another size of the whole than was declared', { headers: range(0, 8, 9) }, 422, 'length_mismatch'],
    ['a Content-Range that is none', { headers: { 'content-range': 'bytes 0-7' } }, 400, 'invalid_request'],
    ['a part behind what was received', { body: 'ed', headers: range(6, 2, 8) }, 409, 'wrong_offset'],
  ])('refuses %s, and keeps nothing', async (_, request, status, code) => {
    await declareContents(declare('a', 'declared'))
    const before = await list('files')
    expect(await put('declared', request)).toMatchObject({ status, body: { code } })
    expect(await list('files')).toEqual(before)
  })

  it('returns 404 for a digest that nobody declared, and for a text that is none', async () => {
    expect(await put('undeclared')).toMatchObject({ status: 404, body: { code: 'not_declared' } })
    const path = `/v1/runs/${scenario.run.id}/files/nonsense`
    expect(await put('undeclared', { path })).toMatchObject({ status: 404, body: { code: 'not_declared' } })
    expect(await server.request('HEAD', getPath('undeclared'), { token: scenario.ci })).toMatchObject({ status: 404 })
  })

  it('returns 404 before the body of a content that nobody declared', async () => {
    const headers = { authorization: `Bearer ${scenario.ci}`, 'content-length': '1000', 'content-type': 'image/png' }
    const request = sendRequest(server.url + getPath('undeclared'), { method: 'PUT', headers })
    request.on('error', () => {})
    request.flushHeaders()
    const [{ statusCode }] = (await once(request, 'response')) as [IncomingMessage]
    request.destroy()
    expect(statusCode).toBe(404)
  })

  it('requires the length, and takes an empty content', async () => {
    await declareContents(declare('empty.log', ''), declare('a', 'chunked'))
    const { ci: token } = scenario
    const chunked = await fetch(server.url + getPath('chunked'), {
      method: 'PUT',
      headers: { authorization: `Bearer ${token}` },
      body: new Blob(['chunked']).stream(),
      duplex: 'half',
    })
    expect([chunked.status, await chunked.json()]).toMatchObject([400, { errors: [{ path: '/content-length' }] }])
    expect(await put('')).toMatchObject({ status: 201 })
  })

  it('refuses a body over 32 MB with use_parts, and one over the limit of the server with file_too_large', async () => {
    const large = Buffer.alloc(MAX_FILE_BYTES + 1)
    const huge = { ...declare('b', 'huge'), byte_count: 39 * 1024 * 1024 }
    await declareContents(declare('a', large), huge)
    expect(await put(large)).toMatchObject({ status: 413, body: { code: 'use_parts' } })
    await sql`update run_attachments set byte_count = ${41 * 1024 * 1024} where name = 'b'`.execute(server.db)
    const part = { path: getPath('huge'), headers: range(0, 4, 41 * 1024 * 1024) }
    expect(await put('huge', part)).toMatchObject({ status: 413, body: { code: 'file_too_large' } })
  })

  it('refuses what exceeds the quota of the project, and the receipt says so of what is declared', async () => {
    await declareContents(declare('a', 'quota'))
    const { token } = await makeInstanceAdmin(server)
    const setQuota = (max_file_bytes_per_project: number | null) =>
      server.request('PATCH', '/v1/admin/settings', { token, body: { max_file_bytes_per_project } })
    await setQuota(4)
    expect(await put('quota')).toMatchObject({ status: 422, body: { code: 'file_quota_reached' } })
    const item = { test_case_id: 'WEB-1', status: 'failed', attachments: [declare('b', 'longer')] }
    expect((await scenario.upload({ results: [item] })).body).toMatchObject({
      attachments: { missing: [], refused: [{ name: 'b', code: 'file_quota_reached' }] },
    })
    await setQuota(null)
  })

  it('stores a content once when it arrives many times at the same time', async () => {
    const content = randomBytes(200_000)
    await declareContents(declare('a', content), declare('b', content))
    const responses = await Promise.all(Array.from({ length: 6 }, () => put(content)))
    expect(responses.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([200, 200, 200, 200, 200, 201])
    await expectCorrectCounters(server, scenario.project.id)
  })
})

describe('a declared content in parts', () => {
  it('goes on with another server, refuses parts at other offsets, and is complete with the last one', async () => {
    const content = randomBytes(2 * FILE_PART_BYTES + 1000)
    await declareContents(declare('trace.zip', content))
    const sendPart = (start: number, on = server) => {
      const body = content.subarray(start, start + FILE_PART_BYTES)
      return put(content, { body, headers: range(start, body.length, content.length), on })
    }
    expect(await sendPart(0)).toMatchObject({
      status: 202,
      body: { data: { received: FILE_PART_BYTES, byte_count: content.length } },
    })
    expect(await sendPart(0, other)).toMatchObject({
      status: 409,
      body: { code: 'wrong_offset', received: FILE_PART_BYTES },
    })
    expect(await getReceived(content)).toBe(String(FILE_PART_BYTES))
    // The same part twice at the same time: one of them counts.
    const twice = await Promise.all([sendPart(FILE_PART_BYTES, other), sendPart(FILE_PART_BYTES)])
    expect(twice.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([202, 409])
    expect(await sendPart(2 * FILE_PART_BYTES, other)).toMatchObject({ status: 201 })
    expect(await getReceived(content)).toBe(String(content.length))
    expect(await list('file_uploads')).toEqual([])
    const { rows } = await sql<{ id: string }>`
      select id from files where digest = ${Buffer.from(digest(content), 'hex')}`.execute(server.db)
    const path = `/v1/projects/${scenario.project.id}/files/${rows[0]?.id}/content`
    const stored = await fetch(server.url + path, { headers: { authorization: `Bearer ${scenario.ci}` } })
    expect(digest(Buffer.from(await stored.arrayBuffer()))).toBe(digest(content))
    await expectCorrectCounters(server, scenario.project.id)
  })

  it('takes parts of any size, and keeps nothing of a content with another digest', async () => {
    await declareContents(declare('a', '0123456789'))
    const send = (text: string, start: number) =>
      put('0123456789', { body: text, headers: range(start, text.length, 10) })
    expect(await send('012', 0)).toMatchObject({ status: 202 })
    expect(await send('3456789', 3)).toMatchObject({ status: 201 })
    await declareContents(declare('a', 'abcdefghij'))
    const sendWrong = (text: string, start: number) =>
      put('abcdefghij', { body: text, headers: range(start, text.length, 10) })
    await sendWrong('abc', 0)
    expect(await sendWrong('DEFGHIJ', 3)).toMatchObject({ status: 422, body: { code: 'digest_mismatch' } })
    expect(await getReceived(Buffer.from('abcdefghij'))).toBe('0')
    expect([await list('file_uploads'), await list('file_writes')]).toEqual([[], []])
  })
})

describe('a file in parts', () => {
  const begin = async (body: object) => {
    const path = `/v1/projects/${scenario.project.id}/file-uploads`
    const response = await server.request<{ data: { id: string; part_size: number } }>('POST', path, {
      token: scenario.ci,
      body,
    })
    return { status: response.status, path: `${path}/${response.body.data?.id}` }
  }
  const send = (path: string, text: Buffer, headers: Record<string, string>) => put('', { path, body: text, headers })

  it('becomes a file that is attached by its id, and that a sweep deletes if it is not', async () => {
    const content = Buffer.concat([zip, randomBytes(20)])
    const { path } = await begin({ byte_count: content.length, name: 'my-trace.zip' })
    const first = await send(path, content.subarray(0, 30), range(0, 30, content.length))
    expect(first).toMatchObject({ status: 202, body: { data: { received: 30, file_id: null } } })
    const { headers } = await server.request('HEAD', path, { token: scenario.ci })
    expect(headers.get('upload-received')).toBe('30')
    const rest = range(30, content.length - 30, content.length)
    const last = await send(path, content.subarray(30), rest)
    expect(last).toMatchObject({ status: 201, body: { data: { received: content.length } } })
    // The response was lost.
    expect(await send(path, content.subarray(30), rest)).toMatchObject({ status: 200, body: last.body })
    const { file_id } = (last.body as { data: { file_id: string } }).data
    const place = `/v1/runs/${scenario.run.id}/attachments`
    const body = { file_id, name: 'my-trace.zip' }
    expect(await server.request('POST', place, { token: scenario.ci, body })).toMatchObject({
      status: 201,
      body: { data: { kind: 'trace', sha256: digest(content), state: 'complete' } },
    })
    expect(await server.request('DELETE', path, { token: scenario.ci })).toMatchObject({ status: 204 })
    await expectCorrectCounters(server, scenario.project.id)
  })

  it('is refused over the limit, without a Content-Range and in another project, and canceled with what was received', async () => {
    expect(await begin({ byte_count: 41 * 1024 * 1024 })).toMatchObject({ status: 413 })
    const { path } = await begin({ byte_count: 4 })
    expect(await send(path, Buffer.from('part'), {})).toMatchObject({ status: 400 })
    expect(await send(path, Buffer.from('par'), range(0, 3, 5))).toMatchObject({ status: 409 })
    await send(path, Buffer.from('par'), range(0, 3, 4))
    expect(await server.request('DELETE', path, { token: scenario.ci })).toMatchObject({ status: 204 })
    expect(await server.request('HEAD', path, { token: scenario.ci })).toMatchObject({ status: 404 })
    expect([await list('file_uploads'), await list('file_writes')]).toEqual([[], []])
  })

  it('and all others are measured', async () => {
    const { body } = await server.request<string>('GET', '/metrics')
    const read = (name: string) => Number(new RegExp(`^caseward_file_store_${name} (\\d+)$`, 'm').exec(body)?.[1])
    const { rows } = await sql<{ files: number; bytes: number }>`
      select count(*)::int as files, sum(byte_count)::float8 as bytes from files`.execute(server.db)
    expect({ files: read('files'), bytes: read('bytes') }).toEqual(rows[0])
    expect([read('up'), read('waiting'), read('delete_queue')]).toEqual([1, expect.any(Number), 0])
  })

  it('is lost when the store no longer has it, and its attachments say so', async () => {
    await declareContents(declare('gone', 'gone'))
    await put('gone')
    await rm(join(filesDir, scenario.project.id), { recursive: true })
    const place = `/v1/runs/${scenario.run.id}/results/WEB-1/attachments`
    const read = async () =>
      (await server.request<{ data: Attachment[] }>('GET', place, { token: scenario.ci })).body.data[0]
    const url = (await read())?.url ?? ''
    expect(await server.request('GET', url, { token: scenario.ci })).toMatchObject({ status: 503 })
    expect(await read()).toMatchObject({ state: 'lost', file_id: null, url: null, sha256: digest('gone') })
  })

  it('ends after 24 hours', async () => {
    const { path } = await begin({ byte_count: 4 })
    await send(path, Buffer.from('par'), range(0, 3, 4))
    await sql`update file_uploads set created_at = now() - interval '25 hours'`.execute(server.db)
    expect(await send(path, Buffer.from('t'), range(3, 1, 4))).toMatchObject({ status: 404 })
    const settings = { ...readConfig({}), filesDir }
    await createSweepJob(settings, { warn: () => {} }).run(server.db, new AbortController().signal)
    expect([await list('file_uploads'), await list('file_writes')]).toEqual([[], []])
  })
})
