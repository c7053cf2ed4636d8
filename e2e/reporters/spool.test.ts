import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'

import { replaySpool } from '@caseward/reporter-core/replay'
import { getSpoolDirectory } from '@caseward/reporter-core/spool-files'
import { describeReplay } from '@caseward/reporter-core/summary'
import { describe, expect, it } from 'vitest'

import { useTestServer } from '@caseward/test-support/test-server'
import { createScenario, type Scenario } from './scenario.ts'
import { attemptAt, report, workingDirectory } from './suite.ts'
import { withUnreachableServer } from './test-proxy.ts'

const server = useTestServer()

const journals = async (cwd: string) =>
  (await readdir(getSpoolDirectory(cwd)).catch(() => [])).filter((name) => name.endsWith('.jsonl'))

async function replay(cwd: string, { env, token }: Scenario) {
  return await replaySpool(getSpoolDirectory(cwd), { url: env.SERVICE_URL, token, target: null })
}

describe('a suite whose server is out of reach', () => {
  it('is kept, and says so without failing', async () => {
    const [cwd, scene] = [await workingDirectory(), await createScenario(server, 1)]
    const { failsSuite, lines } = await report({
      cwd,
      env: await withUnreachableServer(scene),
      attempts: [attemptAt('WEB-1')],
    })
    expect([failsSuite, lines]).toEqual([
      false,
      [expect.stringMatching(/^Caseward: nothing was stored: Nobody listens .* kept in \.caseward\/spool; /)],
    ])
    expect(await journals(cwd)).toHaveLength(1)
  }, 30_000)

  it('never leaves its token behind', async () => {
    const [cwd, scene] = [await workingDirectory(), await createScenario(server, 1)]
    await report({ cwd, env: await withUnreachableServer(scene), attempts: [attemptAt('WEB-1')] })
    const [name = ''] = await journals(cwd)
    const kept = await readFile(join(getSpoolDirectory(cwd), name), 'utf8')
    expect(kept).toContain('WEB-1')
    expect(kept).not.toContain(scene.token)
  }, 30_000)

  it('is not sent to another server than its own', async () => {
    const [cwd, scene] = [await workingDirectory(), await createScenario(server, 1)]
    await report({ cwd, env: await withUnreachableServer(scene), attempts: [attemptAt('WEB-1')] })
    expect(describeReplay(await replay(cwd, scene))).toEqual(['1 suite kept for another server stays in the spool.'])
    expect(await journals(cwd)).toHaveLength(1)
    expect(await scene.statuses()).toEqual({})
  }, 30_000)
})

describe('a suite that the server refuses', () => {
  it('is kept while its token is wrong, and sent by the next run', async () => {
    const [cwd, scene] = [await workingDirectory(), await createScenario(server, 2)]
    const wrong = { ...scene.env, SERVICE_TOKEN: 'cwc_wrong' }
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
    const [cwd, scene] = [await workingDirectory(), await createScenario(server, 1)]
    const nowhere = { ...scene.env, SERVICE_RUN_ID: '019aa5b6-3c41-7a4c-8f5e-2f0f8c3f5a01' }
    await report({ cwd, env: nowhere, attempts: [attemptAt('WEB-1')] })
    expect(await journals(cwd)).toEqual([])
    expect(await readdir(join(getSpoolDirectory(cwd), 'refused'))).toHaveLength(1)
  })
})

describe('a late replay', () => {
  it('leaves what was written since, and stores the rest', async () => {
    const [cwd, scene] = [await workingDirectory(), await createScenario(server, 2)]
    const wrong = { ...scene.env, SERVICE_TOKEN: 'cwc_wrong' }
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
    const [cwd, scene] = [await workingDirectory(), await createScenario(server, 1)]
    await report({ cwd, env: { ...scene.env, SERVICE_TOKEN: 'cwc_wrong' }, attempts: [attemptAt('WEB-1')] })
    const finished = Date.now()
    await sleep(50)
    await replay(cwd, scene)
    const testedAt = Date.parse((await scene.results()).get('WEB-1')?.tested_at ?? '')
    expect(testedAt).toBeLessThanOrEqual(finished)
    expect(testedAt).toBeGreaterThan(finished - 10_000)
  })
})
