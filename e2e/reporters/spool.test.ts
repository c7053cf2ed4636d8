import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'

import { describeReplay, getSpoolDirectory, replaySpool } from '@caseward/reporter-core/spool'
import { describe, expect, it } from 'vitest'

import type { Run } from '@caseward/contract/run-schemas'
import { makeCiToken } from '@caseward/test-support/factories'
import { useSharedServer } from '@caseward/test-support/test-server'
import { createScenario, type Scenario } from './scenario.ts'
import { attemptAt, report, createWorkingDirectory } from './suite.ts'
import { withUnreachableServer } from './test-proxy.ts'

const server = useSharedServer()

const listJournalNames = async (cwd: string) =>
  (await readdir(getSpoolDirectory(cwd)).catch(() => [])).filter((name) => name.endsWith('.jsonl'))

async function replay(cwd: string, { env, token }: Scenario) {
  return await replaySpool(getSpoolDirectory(cwd), { url: env.SERVICE_URL, token, target: null })
}

describe('a reporter whose server is unreachable', () => {
  it('saves the results without the token, and does not fail the suite', async () => {
    const [cwd, scenario] = [await createWorkingDirectory(), await createScenario(server, 1)]
    const { failsSuite, lines } = await report({
      cwd,
      env: await withUnreachableServer(scenario),
      attempts: [attemptAt('WEB-1')],
    })
    expect([failsSuite, lines]).toEqual([
      false,
      [expect.stringMatching(/^Caseward: nothing was stored: Connection refused .* saved in \.caseward\/spool /)],
    ])
    const names = await listJournalNames(cwd)
    expect(names).toHaveLength(1)
    const journal = await readFile(join(getSpoolDirectory(cwd), names[0] ?? ''), 'utf8')
    expect(journal).toContain('WEB-1')
    expect(journal).not.toContain(scenario.token)
  }, 30_000)

  it('does not send saved results to another server', async () => {
    const [cwd, scenario] = [await createWorkingDirectory(), await createScenario(server, 1)]
    await report({ cwd, env: await withUnreachableServer(scenario), attempts: [attemptAt('WEB-1')] })
    expect(describeReplay(await replay(cwd, scenario))).toEqual([
      'skipped 1 saved suite for another server; it remains in the spool.',
    ])
    expect(await listJournalNames(cwd)).toHaveLength(1)
    expect(await scenario.statuses()).toEqual({})
  }, 30_000)
})

describe('a reporter whose upload is rejected', () => {
  it('saves the results when the token is invalid and sends them with the next run', async () => {
    const [cwd, scenario] = [await createWorkingDirectory(), await createScenario(server, 2)]
    const invalid = { ...scenario.env, SERVICE_TOKEN: 'cwc_wrong' }
    await report({ cwd, env: invalid, attempts: [attemptAt('WEB-1')] })
    expect(await listJournalNames(cwd)).toHaveLength(1)
    const { lines } = await report({ cwd, env: scenario.env, attempts: [attemptAt('WEB-2')] })
    expect(lines).toEqual([
      expect.stringContaining('stored 1 result'),
      expect.stringMatching(/^Caseward: stored 1 result of the test suite of .*Z$/),
    ])
    expect(await scenario.statuses()).toEqual({ 'WEB-1': 'passed', 'WEB-2': 'passed' })
    expect(await listJournalNames(cwd)).toEqual([])
  })

  it('moves the results to spool/refused when the run does not exist', async () => {
    const [cwd, scenario] = [await createWorkingDirectory(), await createScenario(server, 1)]
    const missingRun = { ...scenario.env, SERVICE_RUN_ID: '019aa5b6-3c41-7a4c-8f5e-2f0f8c3f5a01' }
    await report({ cwd, env: missingRun, attempts: [attemptAt('WEB-1')] })
    expect(await listJournalNames(cwd)).toEqual([])
    expect(await readdir(join(getSpoolDirectory(cwd), 'refused'))).toHaveLength(1)
  })
})

describe('a replay', () => {
  it('keeps newer results and stores the others', async () => {
    const [cwd, scenario] = [await createWorkingDirectory(), await createScenario(server, 2)]
    const invalid = { ...scenario.env, SERVICE_TOKEN: 'cwc_wrong' }
    const attempts = [attemptAt('WEB-1', { status: 'failed' }), attemptAt('WEB-2', { status: 'failed' })]
    await report({ cwd, env: invalid, attempts })
    await server.request('PUT', `/v1/runs/${scenario.runId}/results/WEB-1`, {
      token: scenario.admin.token,
      body: { status: 'passed' },
    })
    expect(describeReplay(await replay(cwd, scenario))).toEqual([
      expect.stringMatching(/stored 1 result of the test suite of .*Z; not stored: 1 newer result was kept \(WEB-1\)$/),
    ])
    expect(await scenario.statuses()).toEqual({ 'WEB-1': 'passed', 'WEB-2': 'failed' })
    expect(await listJournalNames(cwd)).toEqual([])
  })

  it('creates test cases if the suite was started with createCases, and counts tests without one', async () => {
    const [cwd, scenario] = [await createWorkingDirectory(), await createScenario(server, 0)]
    const project = { id: scenario.projectId, admin: scenario.admin }
    const token = await makeCiToken(server, project, 'write', { grants: ['cases:create'] })
    const suite = (title: string) => ({ titlePath: [title], testId: title, status: 'failed' as const })
    const invalid = { ...scenario.env, SERVICE_TOKEN: 'cwc_wrong' }
    await report({ cwd, env: { ...invalid, SERVICE_CREATE_CASES: '1' }, attempts: [suite('pays')] })
    await report({ cwd, env: invalid, attempts: [suite('ships')] })
    expect(describeReplay(await replay(cwd, { ...scenario, token }))).toEqual([
      expect.stringMatching(/^stored 1 result of the test suite of .*Z; 1 test case created$/),
      expect.stringMatching(/^stored 0 results of .*Z; 1 test matches no test case, and 1 of them failed$/),
    ])
    expect((await scenario.tests()).map(({ name, test_case_ids: ids }) => `${name} ${ids.length}`).toSorted()).toEqual([
      'pays 1',
      'ships 0',
    ])
  })

  it('leaves a completed run as it is when it stores nothing', async () => {
    const [cwd, scenario] = [await createWorkingDirectory(), await createScenario(server, 1)]
    const env = {
      SERVICE_URL: server.url,
      SERVICE_TOKEN: scenario.token,
      SERVICE_PROJECT_ID: scenario.projectId,
      SERVICE_RUN_KEY: 'build 7',
      SERVICE_SHARD: '1',
      SERVICE_EXPECTED_SHARDS: '1',
    }
    await report({ cwd, env: { ...env, SERVICE_TOKEN: 'cwc_wrong' }, attempts: [attemptAt('WEB-1')] })
    await report({ env, attempts: [attemptAt('WEB-1')] })
    const getRun = async () => {
      const path = `/v1/projects/${scenario.projectId}/runs?status=completed`
      return (await server.request<{ data: Run[] }>('GET', path, { token: scenario.token })).body.data
    }
    const before = await getRun()
    expect(before).toHaveLength(1)
    expect(describeReplay(await replay(cwd, scenario))).toEqual([expect.stringContaining('1 newer result was kept')])
    expect(await getRun()).toEqual(before)
  })

  it('stores the results with the time at which the suite finished', async () => {
    const [cwd, scenario] = [await createWorkingDirectory(), await createScenario(server, 1)]
    await report({ cwd, env: { ...scenario.env, SERVICE_TOKEN: 'cwc_wrong' }, attempts: [attemptAt('WEB-1')] })
    const finishedAt = Date.now()
    await sleep(50)
    await replay(cwd, scenario)
    const testedAt = Date.parse((await scenario.results()).get('WEB-1')?.tested_at ?? '')
    expect(testedAt).toBeLessThanOrEqual(finishedAt)
    expect(testedAt).toBeGreaterThan(finishedAt - 10_000)
  })
})
