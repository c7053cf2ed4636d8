import { once } from 'node:events'
import { connect } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'

import type { Problem } from '@caseward/contract/problem'
import { describe, expect, it } from 'vitest'

import { expectCorrectCounters } from '@caseward/test-support/counters'
import { useSharedServer } from '@caseward/test-support/test-server'
import { makeStats, makeUploadScenario } from '@caseward/test-support/upload-scenario'

const server = useSharedServer()

const report = `<?xml version="1.0" encoding="UTF-8"?>
<testsuites><testsuite name="shop">
  <testcase classname="shop.Cart" name="[WEB-1] adds an item" time="1.6"/>
  <testcase classname="shop.Cart" name="test_web_2_removes" time="0.2"><failure type="E" message="no">at x</failure></testcase>
</testsuite></testsuites>`
const receipt = {
  success: true,
  uploaded_count: 2,
  failed_count: 0,
  stats: makeStats({ passed: 1, failed: 1 }),
  tests: { total: 2, matched: 2, unmatched: 0, flaky: 0, created: 0, repeated: 0 },
}
const MIB = 1024 * 1024

describe('POST /v1/results with a raw XML body', () => {
  it.each(['application/xml', 'text/xml', 'application/xml; charset=utf-8', 'TEXT/XML;charset=iso-8859-1'])(
    'accepts the media type %s',
    async (type) => {
      const { project, uploadXml, results } = await makeUploadScenario(server)
      const { status, body } = await uploadXml(report, '', type)
      expect([status, body]).toEqual([200, receipt])
      expect((await results()).get('WEB-1')).toMatchObject({ status: 'passed', note: null, elapsed: 2 })
      expect((await results()).get('WEB-2')).toMatchObject({ status: 'failed', note: 'E: no\nat x', elapsed: 0 })
      await expectCorrectCounters(server, project.id)
    },
  )

  it('counts the length of a note without its terminal colors, and marks a truncated note', async () => {
    const { uploadXml, results } = await makeUploadScenario(server)
    const failed = (id: string, text: string) => `<testcase name="${id}"><failure>${text}</failure></testcase>`
    const { status } = await uploadXml(
      `<testsuite>${[
        failed('WEB-1', '\u001b[31mX\u001b[0m'.repeat(20_000)),
        failed('WEB-2', '😀'.repeat(65_536)),
        failed('WEB-3', `a${'\u001b[31m'.repeat(250_000)}b`),
      ].join('')}</testsuite>`,
    )
    expect(status).toBe(200)
    const notes = [...(await results()).values()].map(({ note }) => note)
    // Not toEqual, which would print all of them.
    const expected = ['X'.repeat(20_000), '😀'.repeat(65_536), 'a… [cut]']
    expect(expected.map((note, index) => note === notes[index])).toEqual([true, true, true])
  })

  it(
    'returns 207 with an error for an id that is not in the run, and counts tests that match no test case',
    { tags: ['spec:upload/207-errors-of-test_case_id-and-error'] },
    async () => {
      const { uploadXml } = await makeUploadScenario(server)
      const { status, body } = await uploadXml(
        '<testsuite><testcase name="WEB-1"/><testcase name="WEB-77"/><testcase classname="a.B" name="c"/></testsuite>',
      )
      expect([status, body]).toEqual([
        207,
        {
          success: false,
          partial_failure: true,
          uploaded_count: 1,
          failed_count: 1,
          stats: makeStats({ passed: 1 }),
          tests: { total: 3, matched: 1, unmatched: 2, flaky: 0, created: 0, repeated: 0 },
          errors: [{ test_case_id: 'WEB-77', error: 'WEB-77 is not in this run.', code: 'not_in_run' }],
        },
      ])
    },
  )

  it.each([
    ['&dry_run=true', true],
    ['&dry_run=false', false],
    ['', false],
  ])(
    'reads dry_run from the query %j',
    { tags: ['spec:upload/dry_run-true-stores-nothing', 'spec:upload/answer-to-a-dry-run-decided-that-of-the-real'] },
    async (query, isDryRun) => {
      const { uploadXml, results } = await makeUploadScenario(server)
      expect((await uploadXml(report, query)).body).toEqual(isDryRun ? { ...receipt, dry_run: true } : receipt)
      expect((await results()).get('WEB-1')?.status).toBe(isDryRun ? 'not_tested' : 'passed')
    },
  )

  it('returns 207 for a suite error, and stores the results of the tests', async () => {
    const { uploadXml, results } = await makeUploadScenario(server)
    const xml = `<testsuites>
      <testsuite name="cart.test.js"><error message="Cannot find module">at x</error></testsuite>
      <testsuite name="pay.test.js"><testcase name="WEB-1"/></testsuite></testsuites>`
    const { status, body } = await uploadXml(xml)
    expect([status, body.uploaded_count, body.errors]).toEqual([
      207,
      1,
      [
        {
          test_case_id: 'cart.test.js',
          error: 'This suite failed outside of its tests: Cannot find module',
          code: 'suite_error',
        },
      ],
    ])
    expect((await results()).get('WEB-1')?.status).toBe('passed')
  })

  it('returns 400 for a dry_run that is neither true nor false, and stores nothing', async () => {
    const { uploadXml, results } = await makeUploadScenario(server)
    expect(await uploadXml(report, '&dry_run=maybe')).toMatchObject({
      status: 400,
      body: { errors: [{ path: '/dry_run' }] },
    })
    expect((await results()).get('WEB-1')?.status).toBe('not_tested')
  })

  it('returns 400 without run_id in the query', async () => {
    const { ci } = await makeUploadScenario(server)
    const headers = { 'content-type': 'application/xml' }
    const problem = await server.expectProblem(400, 'POST', '/v1/results', { token: ci, body: report, headers })
    expect(problem.errors?.map((error) => error.path)).toEqual(['/run_id'])
  })

  it('detects the encoding by the bytes and the XML declaration', async () => {
    const { uploadXml, results } = await makeUploadScenario(server)
    const xml = '<testsuite><testcase name="WEB-1"><failure message="Größe"/></testcase></testsuite>'
    const latin1 = Buffer.from(`<?xml version="1.0" encoding="ISO-8859-1"?>${xml}`, 'latin1')
    const utf16 = Buffer.from(`\ufeff<?xml version="1.0" encoding="UTF-8"?>${xml}`, 'utf16le')
    for (const bytes of [latin1, utf16, Buffer.from(xml)]) {
      await uploadXml('<testsuite><testcase name="WEB-1"/></testsuite>')
      expect((await uploadXml(bytes)).status).toBe(200)
      expect((await results()).get('WEB-1')?.note).toBe('Größe')
    }
  })

  it.each([
    ['malformed XML', '<testsuite><testcase name="WEB-1"/></testsuites>', /line 1, column \d+/],
    ['truncated XML', '<testsuite><testcase name="WEB-1"/>', /line 1/],
    ['an empty body', '', /empty/],
    ['JSON', '{"results": []}', /JSON/],
    ['XML of another format', '<test-run><test-case/></test-run>', /NUnit/],
    ['declared entities', '<!DOCTYPE x [<!ENTITY a "b">]><testsuite/>', /entities/],
  ])('returns 400 with the reason for %s, and stores nothing', async (_what, xml, reason) => {
    const { uploadXml, results } = await makeUploadScenario(server)
    const { status, body } = await uploadXml(xml)
    expect([status, (body as unknown as Problem).detail]).toEqual([400, expect.stringMatching(reason)])
    expect((await results()).get('WEB-1')?.status).toBe('not_tested')
  })

  it('returns 409 for a completed run, also for a dry run', async () => {
    const { uploadXml, complete } = await makeUploadScenario(server)
    await complete()
    for (const query of ['', '&dry_run=true']) {
      expect(await uploadXml(report, query)).toMatchObject({ status: 409, body: { code: 'run_completed' } })
    }
  })
})

/**
 * Sends an upload over a bare socket. Like a simple client, it reads the response only after the complete request.
 * @throws when the server closes the connection before
 */
async function sendAll(
  path: string,
  token: string,
  pieces: readonly string[],
  { type = 'application/xml', chunked = false } = {},
): Promise<{ status: number; code: unknown }> {
  const { hostname, port } = new URL(server.url)
  const socket = connect(Number(port), hostname)
  let received = ''
  const responseReceived = new Promise<void>((resolve) => {
    socket.setEncoding('latin1').on('data', (chunk: string) => {
      received += chunk
      if (/\r\n\r\n\{.*\}$/s.test(received)) resolve()
    })
  })
  const closed = once(socket, 'close').then(() => Promise.reject(new Error('The server closed the connection')))
  closed.catch(() => {})
  const length = pieces.reduce((sum, piece) => sum + piece.length, 0)
  const head = [
    `POST ${path} HTTP/1.1`,
    `host: ${hostname}`,
    `authorization: Bearer ${token}`,
    `content-type: ${type}`,
    chunked ? 'transfer-encoding: chunked' : `content-length: ${length}`,
  ]
  const framed = chunked ? [...pieces, ''].map((piece) => `${piece.length.toString(16)}\r\n${piece}\r\n`) : pieces
  for (const text of [`${head.join('\r\n')}\r\n\r\n`, ...framed]) {
    if (!socket.write(text)) await Promise.race([once(socket, 'drain'), closed])
  }
  await Promise.race([responseReceived, closed])
  socket.destroy()
  const { status, code } = JSON.parse(received.slice(received.indexOf('\r\n\r\n'))) as { status: number; code: unknown }
  return { status: Number(received.split(' ', 2)[1]), code: status === undefined ? undefined : code }
}

const filler = `<!--${'x'.repeat(MIB - 7)}-->`
const buildLargeReport = (start = '<testsuite>') => [start, ...Array.from({ length: 11 }, () => filler), '</testsuite>']

describe('POST /v1/results with a body over 10 MB', () => {
  it.each([
    ['XML with Content-Length', 'application/xml', false],
    ['XML in chunks', 'application/xml', true],
    ['JSON with Content-Length', 'application/json', false],
    ['JSON in chunks', 'application/json', true],
  ])(
    'returns 413 to a client that sends all of it: %s',
    { tags: ['spec:limits/10-mb-in-a-ci-upload'] },
    async (_what, type, chunked) => {
      const { run, ci } = await makeUploadScenario(server, 0)
      const response = await sendAll(`/v1/results?run_id=${run.id}`, ci, buildLargeReport(), { type, chunked })
      expect(response).toEqual({ status: 413, code: 'body_too_large' })
    },
  )

  it('returns 200 for just under 10 MB', async () => {
    const { run, ci } = await makeUploadScenario(server, 0)
    const pieces = ['<testsuite>', ...Array.from({ length: 9 }, () => filler), '</testsuite>']
    expect((await sendAll(`/v1/results?run_id=${run.id}`, ci, pieces)).status).toBe(200)
  })
})

describe('POST /v1/results with a large body that is refused at its start', () => {
  it.each([
    ['in chunks', true],
    ['with Content-Length', false],
  ])('returns 400 for malformed XML %s', async (_what, chunked) => {
    const { run, ci } = await makeUploadScenario(server, 0)
    const pieces = ['<testsuite></oops>', ...Array.from({ length: 9 }, () => filler)]
    const response = await sendAll(`/v1/results?run_id=${run.id}`, ci, pieces, { chunked })
    expect(response).toEqual({ status: 400, code: 'invalid_junit_xml' })
  })

  it('returns 404, 403 or 401 for an unknown run, a user or an invalid token', async () => {
    const { run, ci, token } = await makeUploadScenario(server, 0)
    const responses = [
      await sendAll('/v1/results?run_id=nonsense', ci, buildLargeReport()),
      await sendAll(`/v1/results?run_id=${run.id}`, token, buildLargeReport()),
      await sendAll(`/v1/results?run_id=${run.id}`, 'nonsense', buildLargeReport()),
    ]
    expect(responses.map(({ status }) => status)).toEqual([404, 403, 401])
  })
})

describe('POST /v1/results when the connection is closed early', () => {
  it('stores nothing and logs no error', async () => {
    const { run, ci, results } = await makeUploadScenario(server)
    const before = server.logged.length
    const socket = connect(Number(new URL(server.url).port), '127.0.0.1')
    socket.write(
      `POST /v1/results?run_id=${run.id} HTTP/1.1\r\nhost: x\r\nauthorization: Bearer ${ci}\r\n` +
        `content-type: application/xml\r\ncontent-length: ${report.length}\r\n\r\n${report.slice(0, -10)}`,
    )
    await sleep(200)
    socket.destroy()
    await sleep(200)
    expect(server.logged.slice(before).filter((line) => /"level":[56]0/.test(line))).toEqual([])
    expect((await results()).get('WEB-1')?.status).toBe('not_tested')
  })
})
