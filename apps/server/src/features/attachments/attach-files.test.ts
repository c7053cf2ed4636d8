import { createHash } from 'node:crypto'

import type { Attachment } from '@caseward/contract/attachment-schemas'
import type { PlacedAttachment } from '@caseward/contract/attachments'
import { MAX_FILE_BYTES } from '@caseward/contract/endpoint'
import { expectCorrectCounters } from '@caseward/test-support/counters'
import { makeCiToken, makeProject, makeRun, makeTestCase } from '@caseward/test-support/factories'
import { getErrorPaths } from '@caseward/test-support/send-request'
import { useSharedServer } from '@caseward/test-support/test-server'
import { sql } from 'kysely'
import { beforeAll, describe, expect, it } from 'vitest'

import { makePng } from '../files/sample-files.test.helper.ts'

const server = useSharedServer()

const steps = ['Pay', 'Wait'].map((action, index) => ({ position: index + 1, action, expected: '' }))

async function makeScenario() {
  const project = await makeProject(server)
  const { id: caseId } = await makeTestCase(server, project, { steps })
  const { id: runId } = await makeRun(server, project)
  const run = `/v1/runs/${runId}`
  const testCase = `/v1/projects/${project.id}/test-cases/${caseId}`
  return { project, token: project.admin.token, runId, caseId, run, result: `${run}/results/${caseId}`, testCase }
}
let scenario: Awaited<ReturnType<typeof makeScenario>>
beforeAll(async () => {
  scenario = await makeScenario()
})

interface AttachOptions {
  token?: string
  headers?: Record<string, string>
}
const send = (place: string, body: unknown, query: string, { token = scenario.token, headers }: AttachOptions = {}) =>
  server.request<{ data: Attachment }>('POST', `${place}/attachments${query}`, {
    token,
    body,
    ...(headers && { headers }),
  })

async function attach(place: string, body: unknown, query = '?name=a.txt', options: AttachOptions = {}) {
  const response = await send(place, body, query, options)
  if (response.status !== 201) throw new Error(`${response.status} ${JSON.stringify(response.body)}`)
  return response.body.data
}

const list = async (place: string, query = '') =>
  (
    await server.request<{ data: Attachment[]; meta: { next_after: string | null } }>(
      'GET',
      `${place}/attachments${query}`,
      { token: scenario.token },
    )
  ).body

describe('POST …/attachments', () => {
  it.each([
    ['a run', () => scenario.run, ''],
    ['a result by the id of its test case', () => scenario.result, ''],
    ['a step of a result', () => scenario.result, '&step=2'],
    ['a test case', () => scenario.testCase, ''],
    ['a step of a test case', () => scenario.testCase, '&step=1'],
  ])('attaches bytes to %s, and its url returns them', async (_, getPlace, query) => {
    const content = makePng(640, 480, `${getPlace()}${query}`)
    const attachment = await attach(getPlace(), content, `?name=%20my%20shot.png${query}`)
    expect(attachment).toMatchObject({
      name: 'my shot.png',
      kind: 'image',
      media_type: 'image/png',
      byte_count: content.length,
      sha256: createHash('sha256').update(content).digest('hex'),
      width: 640,
      height: 480,
      step: query === '' ? null : Number(query.at(-1)),
      created_by: scenario.project.admin.id,
    })
    const response = await fetch(server.url + attachment.url, {
      headers: { authorization: `Bearer ${scenario.token}` },
    })
    expect(Buffer.from(await response.arrayBuffer())).toEqual(content)
    expect((await list(getPlace())).data).toContainEqual(attachment)
    const { project, token, caseId, runId } = scenario
    const path = `/v1/projects/${project.id}/attachments/${attachment.id}`
    const { data } = (await server.request<{ data: PlacedAttachment }>('GET', path, { token })).body
    const isOfCase = getPlace() === scenario.testCase
    expect(data).toMatchObject({
      ...attachment,
      test_case_id: isOfCase ? caseId : null,
      run_id: isOfCase ? null : runId,
    })
    expect(data.result_id !== null).toBe(getPlace() === scenario.result)
  })

  it('stores a content once in a project however often it is attached, and once in each project', async () => {
    const content = Buffer.from(`the same ${Math.random()}`)
    const first = await attach(scenario.run, content, '?name=first.txt')
    const second = await attach(scenario.testCase, content, '?name=second.html')
    expect(second).toMatchObject({ file_id: first.file_id, name: 'second.html', kind: 'text' })
    expect(second.id).not.toBe(first.id)
    const other = await makeScenario()
    const third = await attach(other.run, content, '?name=third', { token: other.token })
    expect(third.sha256).toBe(first.sha256)
    expect(third.file_id).not.toBe(first.file_id)
    await expectCorrectCounters(server, scenario.project.id)
    const { rows } = await sql`select name from file_writes`.execute(server.db)
    expect(rows).toEqual([])
  })

  it('attaches a stored file by its id, without sending it again', async () => {
    const { file_id: fileId, sha256 } = await attach(scenario.run, Buffer.from('log'), '?name=log.txt')
    const attached = await attach(scenario.result, { file_id: fileId, name: 'again.txt' }, '')
    expect(attached).toMatchObject({ file_id: fileId, sha256, name: 'again.txt' })
    const other = await makeScenario()
    const body = { file_id: fileId, name: 'stolen' }
    expect((await send(other.run, body, '', { token: other.token })).status).toBe(404)
    expect((await send(scenario.run, { file_id: 'x', name: 'a' }, '')).status).toBe(404)
  })

  it('accepts an empty file, and any content type but JSON and multipart', async () => {
    const empty = await attach(scenario.run, Buffer.alloc(0), '?name=empty', {
      headers: { 'content-type': 'application/x-www-form-urlencoded' },
    })
    expect(empty).toMatchObject({ byte_count: 0, kind: 'text' })
    const { kind } = await attach(scenario.run, '{"a":1}', '?name=a.json', {
      headers: { 'content-type': 'text/plain' },
    })
    expect(kind).toBe('text')
    const form = { token: scenario.token, body: '--x', headers: { 'content-type': 'multipart/form-data; boundary=x' } }
    const problem = await server.expectProblem(415, 'POST', `${scenario.run}/attachments?name=a`, form)
    expect([problem.code, problem.detail]).toEqual(['unsupported_file_body', expect.stringContaining('--data-binary')])
  })

  it.each([
    ['without a name', '', Buffer.from('a'), '/name'],
    ['with a name of white space', '?name=%20', Buffer.from('a'), '/name'],
    ['with a name of 256 characters', `?name=${'x'.repeat(256)}`, Buffer.from('a'), '/name'],
    ['with a name of 300 emoji', `?name=${encodeURIComponent('😀'.repeat(300))}`, Buffer.from('a'), '/name'],
    ['with step 0', '?name=a&step=0', Buffer.from('a'), '/step'],
    ['with JSON without a file', '', { name: 'a' }, '/file_id'],
    ['with JSON without a name', '', { file_id: 'x' }, '/name'],
  ])('returns 400 %s', async (_, query, body, path) => {
    const problem = await server.expectProblem(400, 'POST', `${scenario.result}/attachments${query}`, {
      token: scenario.token,
      body,
    })
    expect(getErrorPaths(problem)).toEqual([path])
  })

  it('removes characters from names that hide what they are', async () => {
    const { name } = await attach(scenario.run, Buffer.from('a'), `?name=${encodeURIComponent('a\0\r\n\u202egpj.exe')}`)
    expect(name).toBe('a gpj.exe')
  })

  it('returns 422 for a step that the test case does not have', async () => {
    const expectUnknown = async (place: string) =>
      expect(
        await server.expectProblem(422, 'POST', `${place}/attachments?name=a&step=3`, {
          token: scenario.token,
          body: Buffer.from('a'),
        }),
      ).toMatchObject({ code: 'unknown_step', detail: 'The test case has no step 3: it has 2 steps.' })
    await expectUnknown(scenario.result)
    await expectUnknown(scenario.testCase)
  })

  it('returns 404 for an unknown result and test case', async () => {
    for (const place of [`${scenario.run}/results/WEB-99`, `/v1/projects/${scenario.project.id}/test-cases/WEB-99`]) {
      expect((await send(place, Buffer.from('a'), '?name=a')).status).toBe(404)
    }
  })

  it('returns 413 for a file above the limit, whether the length is declared or not, and keeps nothing', async () => {
    const path = `${server.url}${scenario.run}/attachments?name=large`
    const authorization = `Bearer ${scenario.token}`
    async function* generate() {
      for (let sent = 0; sent <= MAX_FILE_BYTES; sent += 1_048_576) yield Buffer.alloc(1_048_576)
    }
    const chunked = await fetch(path, {
      method: 'POST',
      headers: { authorization },
      body: ReadableStream.from(generate()),
      duplex: 'half',
    })
    expect([chunked.status, await chunked.json()]).toEqual([413, expect.objectContaining({ code: 'use_parts' })])
    const declared = await send(scenario.run, Buffer.alloc(MAX_FILE_BYTES + 1), '?name=large')
    expect(declared.status).toBe(413)
    expect(await list(scenario.run)).not.toMatchObject({ data: expect.arrayContaining([{ name: 'large' }]) as unknown })
    expect((await sql`select from file_writes`.execute(server.db)).rows).toEqual([])
  })

  it('returns 422 when the place has as many attachments as it can have', async () => {
    const { project, token, run, result, testCase } = await makeScenario()
    await sql`update test_cases set attachment_count = 50 where project_id = ${project.id}`.execute(server.db)
    await sql`update test_results set attachment_count = 100 where project_id = ${project.id}`.execute(server.db)
    const codes = []
    for (const place of [testCase, result]) {
      codes.push((await send(place, Buffer.from('a'), '?name=a', { token })).body)
    }
    await sql`update runs set attachment_count = 100000 where project_id = ${project.id}`.execute(server.db)
    codes.push((await send(run, Buffer.from('a'), '?name=a', { token })).body)
    expect(codes).toMatchObject(Array.from({ length: 3 }, () => ({ status: 422, code: 'too_many_attachments' })))
  })

  it('attaches once for an Idempotency-Key, and compares the bytes of a repeat', async () => {
    const { token, run, project } = await makeScenario()
    const headers = { 'idempotency-key': 'upload 1' }
    const first = await send(run, Buffer.from('once'), '?name=a', { token, headers })
    const second = await send(run, Buffer.from('once'), '?name=a', { token, headers })
    expect([first.status, second.status, second.headers.get('idempotent-replayed')]).toEqual([201, 201, 'true'])
    expect(second.body).toEqual(first.body)
    const changed = await send(run, Buffer.from('other'), '?name=a', { token, headers })
    expect([changed.status, changed.body]).toMatchObject([422, { code: 'idempotency_key_reused' }])
    await expectCorrectCounters(server, project.id)
    const runs = await sql`select attachment_count from runs where project_id = ${project.id}`.execute(server.db)
    const files = await sql`select count(*)::int from files where project_id = ${project.id}`.execute(server.db)
    expect([runs.rows, files.rows]).toEqual([[{ attachment_count: 1 }], [{ count: 1 }]])
  })

  it('stores every file once when many requests attach the same contents at the same time', async () => {
    const { project, token, result, testCase } = await makeScenario()
    const places = Array.from({ length: 24 }, (_, index) => [index % 2 === 0 ? result : testCase, index % 3] as const)
    const responses = await Promise.all(
      places.map(([place, text]) => send(place, Buffer.from(`same ${text}`), '?name=a', { token })),
    )
    expect(new Set(responses.map(({ status }) => status))).toEqual(new Set([201]))
    expect(new Set(responses.map(({ body }) => body.data.file_id)).size).toBe(3)
    await expectCorrectCounters(server, project.id)
  })

  it('records no user for a CI token', async () => {
    const token = await makeCiToken(server, scenario.project)
    expect(await attach(scenario.run, Buffer.from('ci'), '?name=ci.txt', { token })).toMatchObject({ created_by: null })
  })
})

describe('GET …/attachments', () => {
  it('returns pages in the order in which files were attached', async () => {
    const { run, result, token } = await makeScenario()
    for (const name of ['a', 'b', 'c']) await attach(run, Buffer.from(name), `?name=${name}`, { token })
    await attach(result, Buffer.from('of the result'), '?name=d', { token })
    const get = async (query: string) =>
      (await server.request<Awaited<ReturnType<typeof list>>>('GET', `${run}/attachments${query}`, { token })).body
    const page = await get('?per_page=2')
    expect(page.data.map(({ name }) => name)).toEqual(['a', 'b'])
    const rest = await get(`?per_page=2&after=${page.meta.next_after}`)
    expect([rest.data.map(({ name }) => name), rest.meta.next_after]).toEqual([['c'], null])
  })
})
