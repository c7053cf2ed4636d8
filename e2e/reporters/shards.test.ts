import { describe, expect, it } from 'vitest'

import { useSharedServer } from '@caseward/test-support/test-server'
import { createScenario, githubEnv, type Scenario } from './scenario.ts'
import { attemptAt, report } from './suite.ts'

const server = useSharedServer()

/** Creates the environment of one job of a build. */
const createJobEnvironment = ({ projectId, token }: Scenario, shard: number, shards: number) => ({
  SERVICE_URL: server.url,
  SERVICE_TOKEN: token,
  SERVICE_PROJECT_ID: projectId,
  SERVICE_SHARD: String(shard),
  SERVICE_EXPECTED_SHARDS: String(shards),
  ...githubEnv,
})

const createAttempts = (shard: number) => [attemptAt(`WEB-${shard}`)]

describe('the shards of a build', () => {
  it('keep the run in progress until a shard that had errors outside of tests has run without errors', async () => {
    const scenario = await createScenario(server, 2)
    await report({ env: createJobEnvironment(scenario, 1, 2), attempts: createAttempts(1) })
    await report({ env: createJobEnvironment(scenario, 2, 2), broken: ['cart.test.ts'] })
    expect(await scenario.buildRuns()).toMatchObject([{ status: 'in_progress', shards_done: ['1'] }])
    await report({ env: createJobEnvironment(scenario, 2, 2), attempts: createAttempts(2) })
    expect(await scenario.buildRuns()).toMatchObject([{ status: 'completed', stats: { passed: 2 } }])
  })

  it('create one run and complete it when twenty report in parallel', async () => {
    const scenario = await createScenario(server, 20)
    const shards = Array.from({ length: 20 }, (_, index) => index + 1)
    const reports = await Promise.all(
      shards.map((shard) =>
        report({ env: createJobEnvironment(scenario, shard, 20), attempts: createAttempts(shard) }),
      ),
    )
    expect(reports.some(({ lines }) => lines.join().includes('(run completed)'))).toBe(true)
    const runs = await scenario.buildRuns()
    expect(runs).toMatchObject([
      {
        name: 'GitHub Actions 7 (main)',
        status: 'completed',
        stats: { passed: 20, not_tested: 0 },
        metadata: { branch: 'main', commit: '1a2b3c', ci_url: 'https://github.com/shop/web/actions/runs/42' },
      },
    ])
    expect(new Set(runs[0]?.shards_done)).toEqual(new Set(shards.map(String)))
  })

  it('keep the run in progress when a shard was interrupted', async () => {
    const scenario = await createScenario(server, 2)
    await report({ env: createJobEnvironment(scenario, 1, 1), attempts: createAttempts(1), interrupted: true })
    expect(await scenario.buildRuns()).toMatchObject([{ status: 'in_progress', stats: { passed: 1 } }])
  })

  it('complete the run when a shard had no tests', async () => {
    const scenario = await createScenario(server, 2)
    await report({ env: createJobEnvironment(scenario, 1, 2), attempts: createAttempts(1) })
    await report({ env: createJobEnvironment(scenario, 2, 2) })
    expect(await scenario.buildRuns()).toMatchObject([{ status: 'completed', shards_done: ['1', '2'] }])
  })

  it('can run again in parallel after the run was completed', async () => {
    const scenario = await createScenario(server, 5)
    const shards = [1, 2, 3, 4, 5]
    for (const shard of shards) {
      await report({
        env: createJobEnvironment(scenario, shard, 5),
        attempts: [attemptAt(`WEB-${shard}`, { status: 'failed' })],
      })
    }
    expect(await scenario.buildRuns()).toMatchObject([{ status: 'completed', stats: { failed: 5 } }])
    await Promise.all(
      shards.map((shard) => report({ env: createJobEnvironment(scenario, shard, 5), attempts: createAttempts(shard) })),
    )
    expect(await scenario.buildRuns()).toMatchObject([{ status: 'completed', stats: { passed: 5, failed: 0 } }])
  })

  it('do not reopen a run that a user has completed, and save the results', async () => {
    const scenario = await createScenario(server, 2)
    await report({ env: createJobEnvironment(scenario, 1, 2), attempts: createAttempts(1) })
    const [run] = await scenario.buildRuns()
    await server.request('PATCH', `/v1/runs/${run?.id}`, { token: scenario.token, body: { status: 'completed' } })
    const { lines } = await report({ env: createJobEnvironment(scenario, 2, 2), attempts: createAttempts(2) })
    expect(lines).toEqual([
      expect.stringMatching(/nothing was stored: .*completed.* saved in \.caseward\/spool/),
      expect.stringContaining('actions/upload-artifact'),
    ])
    expect(await scenario.buildRuns()).toMatchObject([{ status: 'completed', stats: { passed: 1 } }])
  })
})
