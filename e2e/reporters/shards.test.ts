import type { Run } from '@caseward/contract/runs'
import { describe, expect, it } from 'vitest'

import { useTestServer } from '@caseward/test-support/test-server'
import { createScenario, type Scenario } from './scenario.ts'
import { attemptAt, report } from './suite.ts'

const server = useTestServer()

/** The environment of one of the jobs of a build. */
const createJobEnvironment = ({ projectId, token }: Scenario, shard: number, shards: number) => ({
  SERVICE_URL: server.url,
  SERVICE_TOKEN: token,
  SERVICE_PROJECT_ID: projectId,
  SERVICE_SHARD: String(shard),
  SERVICE_EXPECTED_SHARDS: String(shards),
  GITHUB_RUN_ID: '42',
  GITHUB_RUN_NUMBER: '7',
  GITHUB_REF_NAME: 'main',
  GITHUB_SHA: '1a2b3c',
  GITHUB_SERVER_URL: 'https://github.com',
  GITHUB_REPOSITORY: 'shop/web',
})

async function listRuns({ projectId, token, runId }: Scenario): Promise<Run[]> {
  const { body } = await server.request<{ data: Run[] }>('GET', `/v1/projects/${projectId}/runs`, { token })
  return body.data.filter(({ id }) => id !== runId)
}

const createAttempts = (shard: number) => [attemptAt(`WEB-${shard}`)]

describe('the shards of a build', () => {
  it('leave the run open while one of them has errors outside its tests, until it runs well', async () => {
    const scene = await createScenario(server, 2)
    await report({ env: createJobEnvironment(scene, 1, 2), attempts: createAttempts(1) })
    await report({ env: createJobEnvironment(scene, 2, 2), broken: ['cart.test.ts'] })
    expect(await listRuns(scene)).toMatchObject([{ status: 'in_progress', shards_done: ['1'] }])
    await report({ env: createJobEnvironment(scene, 2, 2), attempts: createAttempts(2) })
    expect(await listRuns(scene)).toMatchObject([{ status: 'completed', stats: { passed: 2 } }])
  })

  it('leave the run open when one of them was interrupted', async () => {
    const scene = await createScenario(server, 2)
    await report({ env: createJobEnvironment(scene, 1, 1), attempts: createAttempts(1), interrupted: true })
    expect(await listRuns(scene)).toMatchObject([{ status: 'in_progress', stats: { passed: 1 } }])
  })

  it('count also when they had no test to run', async () => {
    const scene = await createScenario(server, 2)
    await report({ env: createJobEnvironment(scene, 1, 2), attempts: createAttempts(1) })
    await report({ env: createJobEnvironment(scene, 2, 2) })
    expect(await listRuns(scene)).toMatchObject([{ status: 'completed', shards_done: ['1', '2'] }])
  })

  it('may run again when all have reported, several at once', async () => {
    const scene = await createScenario(server, 5)
    const shards = [1, 2, 3, 4, 5]
    for (const shard of shards) {
      await report({
        env: createJobEnvironment(scene, shard, 5),
        attempts: [attemptAt(`WEB-${shard}`, { status: 'failed' })],
      })
    }
    expect(await listRuns(scene)).toMatchObject([{ status: 'completed', stats: { failed: 5 } }])
    await Promise.all(
      shards.map((shard) => report({ env: createJobEnvironment(scene, shard, 5), attempts: createAttempts(shard) })),
    )
    expect(await listRuns(scene)).toMatchObject([{ status: 'completed', stats: { passed: 5, failed: 0 } }])
  })

  it('never reopen a run that a person has closed: the results are kept', async () => {
    const scene = await createScenario(server, 2)
    await report({ env: createJobEnvironment(scene, 1, 2), attempts: createAttempts(1) })
    const [run] = await listRuns(scene)
    await server.request('PATCH', `/v1/runs/${run?.id}`, { token: scene.token, body: { status: 'completed' } })
    const { lines } = await report({ env: createJobEnvironment(scene, 2, 2), attempts: createAttempts(2) })
    expect(lines).toEqual([expect.stringMatching(/nothing was stored: .*completed.* kept in \.caseward\/spool/)])
    expect(await listRuns(scene)).toMatchObject([{ status: 'completed', stats: { passed: 1 } }])
  })
})
