import { mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { createServer, type Server as HttpServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

import { afterEach, beforeEach, describe, expect, it } from 'vitest'

import { noFiles } from './deliver-files.ts'
import { replaySpool } from './replay.ts'

/* Sends journals to a bare HTTP server. e2e/reporters/spool.test.ts tests the same with Caseward. */

const timeouts = {
  timeoutMs: 5000,
  retries: { limit: 0 },
  findRunMs: 5000,
  totalMs: 5000,
  replayMs: 5000,
}
let spool: string
const servers: HttpServer[] = []
beforeEach(() => {
  spool = mkdtempSync(join(tmpdir(), 'caseward-replay-'))
})
afterEach(() => {
  rmSync(spool, { recursive: true, force: true })
  for (const server of servers.splice(0)) {
    server.closeAllConnections()
    server.close()
  }
})

/**
 * Starts a server that responds to the run `gone-<status>` with that status, rejects uploads to the run
 * `no-upload-<status>` like a proxy, rejects uploads of more than 4,000 bytes to the run `narrow` with status 413, and
 * never responds to the run `silent`.
 */
async function startServer() {
  const uploads: string[] = []
  const stored: string[] = []
  const server = createServer((request, response) => {
    const answer = (status: number, body: unknown) =>
      response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body))
    const [, id = ''] = /^\/v1\/runs\/([\w-]+)$/.exec(request.url ?? '') ?? []
    const status = Number(/^gone-(\d+)/.exec(id)?.[1] ?? 200)
    let text = ''
    request.on('data', (chunk) => (text += chunk))
    request.on('end', () => {
      if (request.url?.startsWith('/v1/projects'))
        return void answer(200, { data: [{ id: 'p', prefix: 'WEB' }], meta: {} })
      if (status !== 200) {
        return void answer(status, { type: 'x', title: 'x', status, detail: `It is ${status}.`, code: 'x' })
      }
      if (id === 'silent') return undefined
      if (id !== '') return void answer(200, { data: { id, name: id, shards_done: [] } })
      const body = JSON.parse(text) as { run_id: string; finished_at: string; tests: { name: string }[] }
      const [, refusal] = /^no-upload-(\d+)/.exec(body.run_id) ?? []
      if (refusal !== undefined) return void response.writeHead(Number(refusal)).end('<html>No</html>')
      if (body.run_id === 'narrow' && text.length > 4000) return void response.writeHead(413).end('<html>No</html>')
      uploads.push(`${body.run_id} ${body.finished_at}`)
      stored.push(...body.tests.map(({ name }) => name))
      const stats = { passed: 1, failed: 0, blocked: 0, retest: 0, not_tested: 0 }
      return void answer(200, { success: true, uploaded_count: 1, failed_count: 0, stats })
    })
  })
  servers.push(server)
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    token: 'cwc_a',
    target: null,
    uploads,
    stored,
  }
}

const DAY = Date.UTC(2026, 10, 21)

/** Creates a journal of a suite that ended at a second of the day. */
function createJournal(
  second: number,
  run: string | null,
  { url = null as string | null, lines = [] as object[], text = '' } = {},
) {
  const at = DAY + second * 1000
  const target = run === null ? null : { kind: 'run', id: run }
  const header = { caseward: 1, framework: 'jest', url, target, shard: null, startedAt: at }
  const attempt = { attempt: { testId: 'a', titlePath: ['WEB-1'], status: 'passed' }, at }
  const journal =
    text === ''
      ? [header, ...(lines.length > 0 ? lines : [attempt])].map((line) => JSON.stringify(line)).join('\n')
      : text
  writeFileSync(join(spool, `${at}-a@nobody.jsonl`), journal)
}
const countJournals = () => readdirSync(spool).filter((name) => name.endsWith('.jsonl')).length
const noneSkipped = { forOtherServer: 0, withoutRun: 0, unreadable: 0, files: noFiles }

describe('replaySpool', () => {
  it('sends every suite once, the oldest first, with the time of its end', async () => {
    const server = await startServer()
    for (const second of [3, 1, 2]) createJournal(second, `run-${second}`)
    const { replayed, ...skipped } = await replaySpool(spool, server, { timeouts })
    expect(skipped).toEqual(noneSkipped)
    expect(
      replayed.map(({ framework, startedAt, delivery }) => [framework, startedAt.getTime() - DAY, delivery.kind]),
    ).toEqual([1, 2, 3].map((second) => ['jest', second * 1000, 'delivered']))
    await replaySpool(spool, server, { timeouts })
    expect(server.uploads).toEqual([
      'run-1 2026-11-21T00:00:01.000Z',
      'run-2 2026-11-21T00:00:02.000Z',
      'run-3 2026-11-21T00:00:03.000Z',
    ])
    expect(countJournals()).toBe(0)
  })

  it('repeats an earlier delivery with the same run and time', async () => {
    const server = await startServer()
    const deliveryStart = { deliveryStart: { runId: 'run-before', finishedAt: '2026-01-01T00:00:00.000Z' } }
    createJournal(1, 'run-1', {
      lines: [{ attempt: { testId: 'a', titlePath: ['WEB-1'], status: 'passed' }, at: DAY }, deliveryStart],
    })
    await replaySpool(spool, server, { timeouts })
    expect(server.uploads).toEqual(['run-before 2026-01-01T00:00:00.000Z'])
  })

  it('continues after failures that affect only one suite, permanent or not', async () => {
    const server = await startServer()
    createJournal(1, 'gone-404')
    createJournal(2, 'gone-403')
    createJournal(3, 'gone-409')
    createJournal(4, 'run-4')
    const { replayed } = await replaySpool(spool, server, { timeouts })
    expect(replayed.map(({ delivery }) => delivery.kind)).toEqual(['failed', 'failed', 'failed', 'delivered'])
    expect([countJournals(), readdirSync(join(spool, 'refused'))]).toEqual([2, [expect.stringContaining('-a@')]])
  })

  it.each([401, 429, 500, 503])('stops after status %d, which affects all suites', async (status) => {
    const server = await startServer()
    createJournal(1, `gone-${status}`)
    createJournal(2, 'run-2')
    const { replayed } = await replaySpool(spool, server, { timeouts })
    expect([replayed.length, server.uploads, countJournals()]).toEqual([1, [], 2])
  })

  it.each([413, 500])('keeps a suite whose upload is rejected with status %d, and continues', async (status) => {
    const server = await startServer()
    createJournal(1, `no-upload-${status}`)
    createJournal(2, 'run-2')
    const { replayed } = await replaySpool(spool, server, { timeouts })
    expect(replayed.map(({ delivery }) => delivery.kind)).toEqual(['failed', 'delivered'])
    expect([server.uploads.length, countJournals()]).toEqual([1, 1])
  })

  it('sends each result once in smaller parts when a proxy limits the size of requests', async () => {
    const server = await startServer()
    const ids = Array.from({ length: 300 }, (_, index) => `WEB-${index + 1}`)
    createJournal(1, 'narrow', {
      lines: ids.map((id) => ({ attempt: { testId: id, titlePath: [id], status: 'passed' }, at: DAY })),
    })
    await replaySpool(spool, server, { timeouts })
    expect([server.stored, countJournals()]).toEqual([ids, 0])
  })

  it('names the nginx setting when a proxy rejects a single result because of its size', async () => {
    const server = await startServer()
    createJournal(1, 'no-upload-413')
    const { replayed } = await replaySpool(spool, server, { timeouts })
    expect(replayed).toMatchObject([{ delivery: { reason: expect.stringContaining('client_max_body_size 10m') } }])
  })

  it('stops when the time limit is reached', async () => {
    const server = await startServer()
    createJournal(1, 'silent')
    createJournal(2, 'run-2')
    const start = performance.now()
    const { replayed } = await replaySpool(spool, server, { timeouts, timeLimitMs: 300 })
    expect(performance.now() - start).toBeLessThan(3000)
    expect(replayed).toMatchObject([
      { delivery: { kind: 'failed', reason: expect.stringContaining('did not respond in time.') } },
    ])
    expect(await replaySpool(spool, server, { timeouts, timeLimitMs: 0 })).toEqual({ replayed: [], ...noneSkipped })
    expect([server.uploads, countJournals()]).toEqual([[], 2])
  })

  it('skips suites for other servers', async () => {
    const server = await startServer()
    createJournal(1, 'run-1', { url: 'https://other.example.com' })
    createJournal(2, 'run-2', { url: server.url })
    const { replayed, ...skipped } = await replaySpool(spool, server, { timeouts })
    expect([replayed.length, skipped, countJournals()]).toEqual([1, { ...noneSkipped, forOtherServer: 1 }, 1])
  })

  it('sends a suite without a run only when a run is set for the replay', async () => {
    const server = await startServer()
    createJournal(1, null)
    expect(await replaySpool(spool, server, { timeouts })).toEqual({ replayed: [], ...noneSkipped, withoutRun: 1 })
    await replaySpool(spool, { ...server, target: { kind: 'run', id: 'run-9' } }, { timeouts })
    expect([server.uploads, countJournals()]).toEqual([['run-9 2026-11-21T00:00:01.000Z'], 0])
  })

  it('moves unreadable journals to spool/refused, and keeps journals of a newer version', async () => {
    const server = await startServer()
    createJournal(1, null, { text: 'hello' })
    createJournal(2, null, { text: '{"caseward":2}' })
    createJournal(3, 'run-3')
    const { replayed, ...skipped } = await replaySpool(spool, server, { timeouts })
    expect([replayed.length, skipped, countJournals()]).toEqual([1, { ...noneSkipped, unreadable: 1 }, 1])
    expect(readdirSync(join(spool, 'refused'))).toHaveLength(1)
  })

  it('removes the journal of a suite that was killed before its first test', async () => {
    const server = await startServer()
    createJournal(1, 'run-1', { lines: [{ nothing: true }] })
    expect(await replaySpool(spool, server, { timeouts })).toEqual({ replayed: [], ...noneSkipped })
    expect([server.uploads, countJournals()]).toEqual([[], 0])
  })

  it('does not throw when spool/refused is a file, a journal is a directory, or the spool is missing', async () => {
    const server = await startServer()
    createJournal(1, 'gone-404')
    writeFileSync(join(spool, 'refused'), 'a file')
    mkdirSync(join(spool, '9-a@nobody.jsonl'))
    const { replayed } = await replaySpool(spool, server, { timeouts })
    expect(replayed).toMatchObject([{ delivery: { kind: 'failed' } }])
    expect(await replaySpool(join(spool, 'missing'), server, { timeouts })).toEqual({ replayed: [], ...noneSkipped })
  })
})
