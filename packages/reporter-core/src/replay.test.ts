import { mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { createServer, type Server as HttpServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

import { afterEach, beforeEach, describe, expect, it } from 'vitest'

import { replaySpool } from './replay.ts'

/* What is in the spool is sent to a bare HTTP server; the real one is in e2e/reporters. */

const timeouts = {
  timeoutMs: 5000,
  retries: { limit: 0 },
  findRunMs: 5000,
  totalMs: 5000,
  replayMs: 5000,
}
let folder: string
const servers: HttpServer[] = []
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'caseward-replay-'))
})
afterEach(() => {
  rmSync(folder, { recursive: true, force: true })
  for (const server of servers.splice(0)) {
    server.closeAllConnections()
    server.close()
  }
})

/**
 * A server that does not let see the run `gone-<status>` but with that status, refuses uploads into the run
 * `no-upload-<status>` as a proxy does, those of more than 4,000 bytes into the run `narrow`, too, and is silent about
 * the run `silent`.
 */
async function makeServer() {
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
      const body = JSON.parse(text) as { run_id: string; finished_at: string; results: { test_case_id: string }[] }
      const [, refusal] = /^no-upload-(\d+)/.exec(body.run_id) ?? []
      if (refusal !== undefined) return void response.writeHead(Number(refusal)).end('<html>No</html>')
      if (body.run_id === 'narrow' && text.length > 4000) return void response.writeHead(413).end('<html>No</html>')
      uploads.push(`${body.run_id} ${body.finished_at}`)
      stored.push(...body.results.map(({ test_case_id }) => test_case_id))
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

/** Leaves a journal of a suite that ended at that second of the day, unless it was killed. */
function leave(
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
  writeFileSync(join(folder, `${at}-a@nobody.jsonl`), journal)
}
const left = () => readdirSync(folder).filter((name) => name.endsWith('.jsonl')).length
const none = { forOtherServer: 0, withoutRun: 0, unreadable: 0 }

describe('a replay', () => {
  it('sends every suite once, the oldest first, as of the time at which it ended', async () => {
    const server = await makeServer()
    for (const second of [3, 1, 2]) leave(second, `run-${second}`)
    const { replayed, ...rest } = await replaySpool(folder, server, { timeouts })
    expect(rest).toEqual(none)
    expect(
      replayed.map(({ framework, startedAt, delivery }) => [framework, startedAt.getTime() - DAY, delivery.kind]),
    ).toEqual([1, 2, 3].map((second) => ['jest', second * 1000, 'delivered']))
    await replaySpool(folder, server, { timeouts })
    expect(server.uploads).toEqual([
      'run-1 2026-11-21T00:00:01.000Z',
      'run-2 2026-11-21T00:00:02.000Z',
      'run-3 2026-11-21T00:00:03.000Z',
    ])
    expect(left()).toBe(0)
  })

  it('says again what was said before: the same run, the same time', async () => {
    const server = await makeServer()
    const deliveryStart = { deliveryStart: { runId: 'run-before', finishedAt: '2026-01-01T00:00:00.000Z' } }
    leave(1, 'run-1', {
      lines: [{ attempt: { testId: 'a', titlePath: ['WEB-1'], status: 'passed' }, at: DAY }, deliveryStart],
    })
    await replaySpool(folder, server, { timeouts })
    expect(server.uploads).toEqual(['run-before 2026-01-01T00:00:00.000Z'])
  })

  it('goes on after a suite that is refused for itself, whether it is put aside or kept', async () => {
    const server = await makeServer()
    leave(1, 'gone-404')
    leave(2, 'gone-403')
    leave(3, 'gone-409')
    leave(4, 'run-4')
    const { replayed } = await replaySpool(folder, server, { timeouts })
    expect(replayed.map(({ delivery }) => delivery.kind)).toEqual(['failed', 'failed', 'failed', 'delivered'])
    expect([left(), readdirSync(join(folder, 'refused'))]).toEqual([2, [expect.stringContaining('-a@')]])
  })

  it.each([401, 429, 500, 503])('ends where any other suite would fare the same: %d', async (status) => {
    const server = await makeServer()
    leave(1, `gone-${status}`)
    leave(2, 'run-2')
    const { replayed } = await replaySpool(folder, server, { timeouts })
    expect([replayed.length, server.uploads, left()]).toEqual([1, [], 2])
  })

  it.each([413, 500])('goes on after a suite whose upload alone is refused, and keeps it: %d', async (status) => {
    const server = await makeServer()
    leave(1, `no-upload-${status}`)
    leave(2, 'run-2')
    const { replayed } = await replaySpool(folder, server, { timeouts })
    expect(replayed.map(({ delivery }) => delivery.kind)).toEqual(['failed', 'delivered'])
    expect([server.uploads.length, left()]).toEqual([1, 1])
  })

  it('goes in smaller parts, each result once, through a proxy that takes less at once than the server', async () => {
    const server = await makeServer()
    const ids = Array.from({ length: 300 }, (_, index) => `WEB-${index + 1}`)
    leave(1, 'narrow', {
      lines: ids.map((id) => ({ attempt: { testId: id, titlePath: [id], status: 'passed' }, at: DAY })),
    })
    await replaySpool(folder, server, { timeouts })
    expect([server.stored, left()]).toEqual([ids, 0])
  })

  it('says what helps where a proxy takes not even one result', async () => {
    const server = await makeServer()
    leave(1, 'no-upload-413')
    const { replayed } = await replaySpool(folder, server, { timeouts })
    expect(replayed).toMatchObject([{ delivery: { reason: expect.stringContaining('client_max_body_size 10m') } }])
  })

  it('ends when its time is up', async () => {
    const server = await makeServer()
    leave(1, 'silent')
    leave(2, 'run-2')
    const start = performance.now()
    const { replayed } = await replaySpool(folder, server, { timeouts, timeLimitMs: 300 })
    expect(performance.now() - start).toBeLessThan(3000)
    expect(replayed).toMatchObject([{ delivery: { kind: 'failed', reason: 'The server took too long.' } }])
    expect(await replaySpool(folder, server, { timeouts, timeLimitMs: 0 })).toEqual({ replayed: [], ...none })
    expect([server.uploads, left()]).toEqual([[], 2])
  })

  it('leaves suites of other servers where they are', async () => {
    const server = await makeServer()
    leave(1, 'run-1', { url: 'https://elsewhere.example.com' })
    leave(2, 'run-2', { url: server.url })
    const { replayed, ...rest } = await replaySpool(folder, server, { timeouts })
    expect([replayed.length, rest, left()]).toEqual([1, { ...none, forOtherServer: 1 }, 1])
  })

  it('sends a suite that does not say where it belongs only where that is said', async () => {
    const server = await makeServer()
    leave(1, null)
    expect(await replaySpool(folder, server, { timeouts })).toEqual({ replayed: [], ...none, withoutRun: 1 })
    await replaySpool(folder, { ...server, target: { kind: 'run', id: 'run-9' } }, { timeouts })
    expect([server.uploads, left()]).toEqual([['run-9 2026-11-21T00:00:01.000Z'], 0])
  })

  it('puts aside what is no journal, and leaves what a later version has written', async () => {
    const server = await makeServer()
    leave(1, null, { text: 'hello' })
    leave(2, null, { text: '{"caseward":2}' })
    leave(3, 'run-3')
    const { replayed, ...rest } = await replaySpool(folder, server, { timeouts })
    expect([replayed.length, rest, left()]).toEqual([1, { ...none, unreadable: 1 }, 1])
    expect(readdirSync(join(folder, 'refused'))).toHaveLength(1)
  })

  it('takes a suite that was killed before its first test away without a word', async () => {
    const server = await makeServer()
    leave(1, 'run-1', { lines: [{ nothing: true }] })
    expect(await replaySpool(folder, server, { timeouts })).toEqual({ replayed: [], ...none })
    expect([server.uploads, left()]).toEqual([[], 0])
  })

  it('never throws for what stands in its way', async () => {
    const server = await makeServer()
    leave(1, 'gone-404')
    writeFileSync(join(folder, 'refused'), 'no folder')
    mkdirSync(join(folder, '9-a@nobody.jsonl'))
    const { replayed } = await replaySpool(folder, server, { timeouts })
    expect(replayed).toMatchObject([{ delivery: { kind: 'failed' } }])
    expect(await replaySpool(join(folder, 'none'), server, { timeouts })).toEqual({ replayed: [], ...none })
  })
})
