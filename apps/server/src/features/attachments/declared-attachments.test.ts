import type { Attachment } from '@caseward/contract/attachment-schemas'
import type { AttachmentsEvent } from '@caseward/contract/events'
import { declare, digest, makeDeclaringRun } from '@caseward/test-support/declared-files'
import { openEventStream } from '@caseward/test-support/event-stream'
import { useTestServer } from '@caseward/test-support/test-server'
import { makeTest, makeTestsScenario } from '@caseward/test-support/tests-scenario'
import { waitUntil } from '@caseward/test-support/wait-until'
import { sql } from 'kysely'
import { beforeAll, describe, expect, it } from 'vitest'

import { giveUpWaitingJob } from './give-up-waiting.ts'
import { zip } from '../files/sample-files.test.helper.ts'

const server = useTestServer({ fileLimitMb: 40 })

let scenario: Awaited<ReturnType<typeof makeTestsScenario>>
beforeAll(async () => {
  scenario = await makeTestsScenario(server, 3)
})

const makeRun = () => makeDeclaringRun(server, scenario)

const withFiles = (name: string, attachments: object[], fields: object = {}) => ({
  ...makeTest(name),
  attempts: [{ status: 'failed', message: 'wrong', attachments }],
  ...fields,
})

describe('attachments that an upload of tests declares', () => {
  it('are listed as missing once for each content, and complete together when it arrives', async () => {
    const run = await makeRun()
    const attachments = [declare('shot.png', 'video'), declare('other.png', 'video'), declare('log.txt', 'a log')]
    const receipt = await run.uploadTests([
      withFiles('first', attachments),
      withFiles('second', [attachments[0] ?? {}]),
    ])
    expect(receipt).toEqual({
      declared: 4,
      complete: 0,
      missing: [
        { sha256: digest('video'), byte_count: 5 },
        { sha256: digest('a log'), byte_count: 5 },
      ],
      refused: [],
    })
    expect(await scenario.getRun(run.id)).toMatchObject({ attachment_count: 4, waiting_file_count: 4 })
    const missing = await server.request('GET', `/v1/runs/${run.id}/files/missing?per_page=1`, { token: scenario.ci })
    const { next_after: next } = (missing.body as { meta: { next_after: string } }).meta
    const rest = await server.request('GET', `/v1/runs/${run.id}/files/missing?after=${next}`, { token: scenario.ci })
    const [smaller, larger] = [digest('video'), digest('a log')].toSorted()
    expect([missing.body, rest.body]).toMatchObject([{ data: [{ sha256: smaller }] }, { data: [{ sha256: larger }] }])
    expect(await run.put('video')).toMatchObject({ status: 201, body: { data: { received: 5, byte_count: 5 } } })
    expect(await run.put('video')).toMatchObject({ status: 200 })
    expect(await scenario.getRun(run.id)).toMatchObject({ attachment_count: 4, waiting_file_count: 1 })
    const { data } = await scenario.listRunTests('', run.id)
    expect(data.map(({ name, attachment_count: count }) => [name, count])).toEqual([
      ['first', 3],
      ['second', 1],
    ])
    const first = await scenario.getRunTest(data[0]?.id ?? '', run.id)
    expect(first.attachments.map(({ name, state, attempt, source }) => [name, state, attempt, source])).toEqual([
      ['shot.png', 'complete', 1, 1],
      ['other.png', 'complete', 1, 1],
      ['log.txt', 'waiting', 1, 1],
    ])
    expect(first.attachments[2]).toMatchObject({ sha256: digest('a log'), byte_count: 5, file_id: null, url: null })
    await run.check()
  })

  it('belong to the result of the test case that the test names, and are complete if the project has the content', async () => {
    const run = await makeRun()
    const test = withFiles('named', [declare('video.webm', 'known')], { test_case_ids: ['WEB-1'] })
    await run.uploadTests([test])
    await run.put('known')
    const other = await makeRun()
    expect(await other.uploadTests([test])).toEqual({ declared: 1, complete: 1, missing: [], refused: [] })
    const [attachment] = await other.getAttachments()
    expect(attachment).toMatchObject({ name: 'video.webm', state: 'complete', attempt: 1, sha256: digest('known') })
    const { body } = await server.request<{ data: { attachment_count: number }[] }>(
      'GET',
      `/v1/runs/${other.id}/results?fields=row`,
      { token: scenario.ci },
    )
    expect(body.data.map(({ attachment_count: count }) => count)).toEqual([1, 0, 0])
    await run.check()
  })

  it('replace those of the same test, except those with equal attempt, name and content', async () => {
    const run = await makeRun()
    const [a, b, c] = [declare('a', 'A1'), declare('b', 'B1'), declare('c', 'C1')]
    await run.uploadTests([withFiles('again', [a, b]), withFiles('other', [c])])
    await run.put('A1')
    const before = await run.list('run_attachments')
    const receipt = await run.uploadTests([withFiles('again', [a, declare('b', 'B2')])])
    expect(receipt).toMatchObject({ complete: 1, missing: [{ sha256: digest('B2') }] })
    const after = await run.list('run_attachments')
    expect(after.map(({ name }) => name)).toEqual(expect.arrayContaining(['a', 'b', 'c']))
    expect(after).toHaveLength(3)
    for (const name of ['a', 'c']) expect(after).toContainEqual(before.find((row) => row['name'] === name))
    await run.uploadTests([makeTest('again')])
    expect((await run.list('run_attachments')).map(({ name }) => name)).toEqual(['c'])
    await run.check()
  })

  it('stay at the part of another source when one reports the test again', async () => {
    const run = await makeRun()
    const upload = (job: string, content: string) =>
      run.uploadTests([withFiles('in parts', [declare('shot', content)], { test_case_ids: ['WEB-2'] })], {
        job,
        instance: '1',
      })
    await upload('linux', 'on Linux')
    await upload('windows', 'on Windows')
    await upload('windows', 'on Windows again')
    const attachments = await run.getAttachments('WEB-2')
    expect(attachments.map(({ sha256, source, attempt }) => [sha256, source, attempt])).toEqual([
      [digest('on Linux'), 1, 1],
      [digest('on Windows again'), 2, 1],
    ])
    const { parts } = await scenario.getRunTest(attachments[0]?.test_id ?? '', run.id)
    expect(parts.map(({ job, source }) => [job, source])).toEqual([
      ['linux', 1],
      ['windows', 2],
    ])
    await run.check()
  })

  it('are refused one by one, and never their results', async () => {
    const run = await makeRun()
    const many = Array.from({ length: 21 }, (_, index) => declare(`shot ${index}`, String(index)))
    const huge = { ...declare('huge.bin', 'huge'), byte_count: 40 * 1024 * 1024 + 1 }
    const receipt = await run.uploadTests([withFiles('many', many), withFiles('huge', [huge])])
    expect(receipt?.declared).toBe(22)
    expect(receipt?.missing).toHaveLength(20)
    expect(receipt?.refused.map(({ name, code }) => [name, code])).toEqual([
      ['shot 20', 'too_many_attachments'],
      ['huge.bin', 'file_too_large'],
    ])
    const late = { finished_at: '2020-01-01T00:00:00.000Z' }
    const kept = await run.uploadTests([withFiles('many', [declare('late', 'late')])], late)
    expect(kept).toMatchObject({ missing: [], refused: [{ name: 'late', code: 'result_not_stored' }] })
    expect(await scenario.getRun(run.id)).toMatchObject({ attachment_count: 20, test_stats: { total: 2 } })
    await run.check()
  })

  it('are said in a dry run, which stores nothing', async () => {
    const run = await makeRun()
    const attachments = [declare('known', 'dry known'), declare('new', 'dry new')]
    const other = await makeRun()
    await other.uploadTests([withFiles('dry', attachments.slice(0, 1))])
    await other.put('dry known')
    const receipt = await run.uploadTests([withFiles('dry', attachments)], { dry_run: true })
    expect(receipt).toEqual({
      declared: 2,
      complete: 1,
      missing: [{ sha256: digest('dry new'), byte_count: 7 }],
      refused: [],
    })
    expect(await run.list('run_attachments')).toEqual([])
  })
})

describe('attachments that results of format json declare', () => {
  it('belong to the result, are replaced by the next upload, and leave those alone that were attached', async () => {
    const run = await makeRun()
    const item = (attachments: object[]) => [{ test_case_id: 'WEB-1', status: 'failed', attachments }]
    const unknown = { test_case_id: 'WEB-99', status: 'passed', attachments: [declare('lost', 'lost')] }
    const receipt = await run.upload({ results: [...item([declare('a', 'json a')]), unknown] })
    expect(receipt).toMatchObject({ missing: [{ sha256: digest('json a') }], refused: [{ code: 'result_not_stored' }] })
    const place = `/v1/runs/${run.id}/results/WEB-1/attachments?name=by hand`
    await server.request('POST', place, { token: scenario.ci, body: Buffer.from('by hand') })
    await run.upload({ results: item([declare('b', 'json b')]) })
    await run.put('json b')
    const attachments = await run.getAttachments()
    const toPlace = ({ name, state, attempt }: Attachment) => [name, state, attempt]
    expect(attachments.map(toPlace)).toEqual([
      ['by hand', 'complete', null],
      ['b', 'complete', 1],
    ])
    await run.check()
  })
})

describe('an upload without attachments', () => {
  it('into a run without any needs no table of attachments and files', async () => {
    const run = await makeRun()
    const tables = ['run_attachments', 'files', 'file_candidates', 'file_usage']
    const rename = async (toName: (table: string) => [from: string, to: string]) => {
      for (const [from, to] of tables.map(toName)) {
        await sql`alter table ${sql.table(from)} rename to ${sql.ref(to)}`.execute(server.db)
      }
    }
    await rename((table) => [table, `no_${table}`])
    const receipts = [
      await run.uploadTests([makeTest('plain'), makeTest('failing', ['failed'])]),
      await run.uploadTests([makeTest('plain', ['failed', 'passed'])]),
      await run.upload({ results: [{ test_case_id: 'WEB-1', status: 'passed' }] }),
    ]
    await rename((table) => [`no_${table}`, table])
    expect(receipts).toEqual([undefined, undefined, undefined])
  })
})

describe('steps of an attempt', () => {
  it('are stored in their order, stay at the part of another source, and never change the status', async () => {
    const run = await makeRun()
    const steps = [
      { title: 'Pay', status: 'failed', depth: 0, elapsed_ms: 12.4, message: 'no card' },
      { title: 'click "Pay"', status: null, depth: 1 },
    ]
    const test = { ...makeTest('walks'), attempts: [{ status: 'passed', steps }] }
    await run.uploadTests([test], { job: 'linux' })
    await run.uploadTests([makeTest('walks')], { job: 'windows' })
    const { data } = await scenario.listRunTests('', run.id)
    const { parts, outcome } = await scenario.getRunTest(data[0]?.id ?? '', run.id)
    expect(outcome).toBe('passed')
    expect(parts.map(({ attempts }) => attempts[0]?.steps)).toEqual([
      [
        { title: 'Pay', status: 'failed', depth: 0, elapsed_ms: 12, message: 'no card' },
        { title: 'click "Pay"', status: null, depth: 1, elapsed_ms: null, message: '' },
      ],
      undefined,
    ])
  })
})

describe('a content that never arrives', () => {
  it('is given up after 7 days, and awaited again when it is declared again', async () => {
    const run = await makeRun()
    const test = withFiles('lost', [declare('shot', 'never')], { test_case_ids: ['WEB-2'] })
    await run.uploadTests([test])
    const giveUp = () => giveUpWaitingJob.run(server.db, new AbortController().signal)
    await giveUp()
    expect((await run.getAttachments('WEB-2')).map(({ state }) => state)).toEqual(['waiting'])
    for (const table of ['run_attachments', 'runs']) {
      const id = sql.ref(table === 'runs' ? 'id' : 'run_id')
      await sql`
        update ${sql.table(table)} set created_at = now() - interval '8 days' where ${id} = ${run.id}`.execute(
        server.db,
      )
    }
    await giveUp()
    expect(await run.getAttachments('WEB-2')).toMatchObject([{ state: 'never_arrived', sha256: digest('never') }])
    expect(await scenario.getRun(run.id)).toMatchObject({ attachment_count: 1, waiting_file_count: 0 })
    expect(await run.put('never')).toMatchObject({ status: 404, body: { code: 'not_declared' } })
    await run.uploadTests([test])
    expect(await run.put('never')).toMatchObject({ status: 201 })
    await run.check()
  })
})

describe('the event stream of a run', () => {
  it('sends which attachments have changed, and how many contents are missing, at most twice a second', async () => {
    const run = await makeRun()
    const stream = await openEventStream(server.url, `/v1/runs/${run.id}/events`, { token: scenario.ci })
    await stream.next('sync')
    const names = ['e1', 'e2', 'e3', 'e4', 'e5']
    await run.uploadTests([
      withFiles(
        'evident',
        names.map((name) => declare(name, name)),
        { test_case_ids: ['WEB-1'] },
      ),
    ])
    const { data } = await stream.next<AttachmentsEvent>('attachments')
    const [attachment] = await run.getAttachments()
    const ids = { result_ids: [expect.any(String)], test_ids: [attachment?.test_id], more: false }
    expect(data).toEqual({ ...ids, waiting_file_count: 5 })
    const startedAt = performance.now()
    for (const name of names) await run.put(name)
    const count = () => stream.events.filter(({ name }) => name === 'attachments').length
    await waitUntil(
      () => stream.events.some((event) => (event.data as Partial<AttachmentsEvent>).waiting_file_count === 0),
      'all contents have arrived',
    )
    expect(count()).toBeLessThanOrEqual(2 + Math.ceil((performance.now() - startedAt) / 500))
  })
})

describe('what a client says of a content', () => {
  it('makes a ZIP file a trace, and is ignored otherwise', async () => {
    const run = await makeRun()
    const trace = declare('run.zip', zip, { kind: 'trace' })
    const text = declare('shot.png', 'no picture', { kind: 'image' })
    await run.uploadTests([withFiles('typed', [trace, text], { test_case_ids: ['WEB-3'] })])
    await run.put(zip)
    await run.put('no picture', { 'content-type': 'application/json' })
    const attachments = await run.getAttachments('WEB-3')
    expect(attachments.map(({ kind }) => kind)).toEqual(['trace', 'text'])
  })
})
