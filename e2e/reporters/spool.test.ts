import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'

import { describeReplay, replaySpool, spoolFolder } from '@casebook/reporter-core/spool'
import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest'

import { addressOf, type Casebook, startCasebook } from '../../apps/server/test/casebook.ts'
import { createEmptyDatabase } from '../../apps/server/test/database.ts'
import { startTestServer, type TestServer } from '../../apps/server/test/server.ts'
import { makeScene, type Scene } from './scene.ts'
import { attemptAt, report, workingDirectory } from './suite.ts'
import { cutOff } from './way-to-server.ts'

let server: TestServer
beforeAll(async () => {
  server = await startTestServer()
})
afterAll(() => server.close())

const journals = async (cwd: string) =>
  (await readdir(spoolFolder(cwd)).catch(() => [])).filter((name) => name.endsWith('.jsonl'))

async function replay(cwd: string, { env, token }: Scene) {
  return await replaySpool(spoolFolder(cwd), { url: env.SERVICE_URL, token, target: null })
}

describe('a suite whose server is out of reach', () => {
  it('is kept, and says so without failing', async () => {
    const [cwd, scene] = [await workingDirectory(), await makeScene(server, 1)]
    const { failsSuite, lines } = await report({ cwd, env: await cutOff(scene), attempts: [attemptAt('WEB-1')] })
    expect([failsSuite, lines]).toEqual([
      false,
      [expect.stringMatching(/^Casebook: nothing was stored: Nobody listens .* kept in \.casebook\/spool; /)],
    ])
    expect(await journals(cwd)).toHaveLength(1)
  }, 30_000)

  it('never leaves its token behind', async () => {
    const [cwd, scene] = [await workingDirectory(), await makeScene(server, 1)]
    await report({ cwd, env: await cutOff(scene), attempts: [attemptAt('WEB-1')] })
    const [name = ''] = await journals(cwd)
    const kept = await readFile(join(spoolFolder(cwd), name), 'utf8')
    expect(kept).toContain('WEB-1')
    expect(kept).not.toContain(scene.token)
  }, 30_000)

  it('is not sent to another server than its own', async () => {
    const [cwd, scene] = [await workingDirectory(), await makeScene(server, 1)]
    await report({ cwd, env: await cutOff(scene), attempts: [attemptAt('WEB-1')] })
    expect(describeReplay(await replay(cwd, scene))).toEqual(['1 suite kept for another server stays in the spool.'])
    expect(await journals(cwd)).toHaveLength(1)
    expect(await scene.statuses()).toEqual({})
  }, 30_000)
})

describe('a suite that the server refuses', () => {
  it('is kept while its token is wrong, and sent by the next run', async () => {
    const [cwd, scene] = [await workingDirectory(), await makeScene(server, 2)]
    const wrong = { ...scene.env, SERVICE_TOKEN: 'cbci_wrong' }
    await report({ cwd, env: wrong, attempts: [attemptAt('WEB-1')] })
    expect(await journals(cwd)).toHaveLength(1)
    const { lines } = await report({ cwd, env: scene.env, attempts: [attemptAt('WEB-2')] })
    expect(lines).toEqual([
      expect.stringContaining('stored 1 result'),
      expect.stringMatching(/results of test kept since .* are stored: 1$/),
    ])
    expect(await scene.statuses()).toEqual({ 'WEB-1': 'passed', 'WEB-2': 'passed' })
    expect(await journals(cwd)).toEqual([])
  })

  it('is put aside when its run does not exist', async () => {
    const [cwd, scene] = [await workingDirectory(), await makeScene(server, 1)]
    const nowhere = { ...scene.env, SERVICE_RUN_ID: '019aa5b6-3c41-7a4c-8f5e-2f0f8c3f5a01' }
    await report({ cwd, env: nowhere, attempts: [attemptAt('WEB-1')] })
    expect(await journals(cwd)).toEqual([])
    expect(await readdir(join(spoolFolder(cwd), 'refused'))).toHaveLength(1)
  })
})

describe('a late replay', () => {
  it('leaves what was written since, and stores the rest', async () => {
    const [cwd, scene] = [await workingDirectory(), await makeScene(server, 2)]
    const wrong = { ...scene.env, SERVICE_TOKEN: 'cbci_wrong' }
    const attempts = [attemptAt('WEB-1', { status: 'failed' }), attemptAt('WEB-2', { status: 'failed' })]
    await report({ cwd, env: wrong, attempts })
    await server.request('PUT', `/v1/runs/${scene.runId}/results/WEB-1`, {
      token: scene.admin.token,
      body: { status: 'passed' },
    })
    expect(describeReplay(await replay(cwd, scene))).toEqual([
      expect.stringMatching(/are stored: 1; not stored: 1 newer result was kept \(WEB-1\)$/),
    ])
    expect(await scene.statuses()).toEqual({ 'WEB-1': 'passed', 'WEB-2': 'failed' })
    expect(await journals(cwd)).toEqual([])
  })

  it('gives results the time at which the suite finished', async () => {
    const [cwd, scene] = [await workingDirectory(), await makeScene(server, 1)]
    await report({ cwd, env: { ...scene.env, SERVICE_TOKEN: 'cbci_wrong' }, attempts: [attemptAt('WEB-1')] })
    const finished = Date.now()
    await sleep(50)
    await replay(cwd, scene)
    const testedAt = Date.parse((await scene.results()).get('WEB-1')?.tested_at ?? '')
    expect(testedAt).toBeLessThanOrEqual(finished)
    expect(testedAt).toBeGreaterThan(finished - 10_000)
  })
})

describe('a server that is killed under an upload', () => {
  const CASES = 300

  it('has every result once when it is back and the spool was replayed', async () => {
    const { connection, drop } = await createEmptyDatabase(inject('postgres'))
    const settings = { DATABASE_URL: addressOf(connection), DATABASE_POOL_SIZE: '4' }
    let casebook = await startCasebook(settings)
    const { port } = new URL(casebook.url)
    const { env, runId } = await makeScenario(casebook)
    // Killed before, in and after the upload's transaction, wherever that falls on this machine.
    for (const waitMs of [15, 50]) {
      const cwd = await workingDirectory()
      const [status, note] = waitMs === 50 ? ['failed' as const, 'no'] : ['passed' as const, `round ${waitMs}`]
      const attempts = Array.from({ length: CASES }, (_, index) =>
        attemptAt(`WEB-${index + 1}`, { status, remark: note, durationMs: 2000 }),
      )
      const reported = report({ cwd, env, attempts })
      await sleep(waitMs)
      casebook.signal('SIGKILL')
      const { failsSuite } = await reported
      await casebook.ended
      casebook = await startCasebook({ ...settings, PORT: port })
      await replaySpool(spoolFolder(cwd), { url: env.SERVICE_URL, token: env.SERVICE_TOKEN, target: null })
      const { body } = await casebook.request('GET', `/v1/runs/${runId}`)
      const { stats } = (body as { data: { stats: Record<string, number> } }).data
      expect([failsSuite, stats[status], await journals(cwd)]).toEqual([false, CASES, []])
      const results = await casebook.request('GET', `/v1/runs/${runId}/results?per_page=100&page=3`)
      expect(new Set((results.body as { data: { note: string }[] }).data.map((result) => result.note))).toEqual(
        new Set([note]),
      )
    }
    casebook.signal('SIGTERM')
    expect(await casebook.ended).toBe(0)
    await drop()
  }, 120_000)

  async function makeScenario(casebook: Casebook) {
    const make = async (path: string, body: object) =>
      ((await casebook.request('POST', path, body)).body as { data: { id: string; token: string } }).data
    const project = await make('/v1/projects', { name: 'Web shop', prefix: 'WEB' })
    const test_cases = Array.from({ length: 100 }, () => ({ title: 'A test case' }))
    for (let made = 0; made < CASES; made += 100)
      await make(`/v1/projects/${project.id}/test-cases/bulk`, { test_cases })
    const run = await make(`/v1/projects/${project.id}/runs`, { name: 'Nightly' })
    const { token } = await make(`/v1/projects/${project.id}/tokens`, { name: 'CI', access: 'write' })
    return {
      runId: run.id,
      env: { SERVICE_URL: casebook.url, SERVICE_TOKEN: token, SERVICE_RUN_ID: run.id },
    }
  }
})
