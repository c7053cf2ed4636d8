import { fileURLToPath } from 'node:url'

import { describe, expect, it } from 'vitest'

import { useTestServer } from '@caseward/test-support/test-server'
import { createScenario } from './scenario.ts'
import { CYPRESS_STATUSES } from './suite-statuses.ts'
import { startProxy } from './test-proxy.ts'
import { useFixtureProject } from './use-fixture-project.ts'

const tsc = fileURLToPath(new URL('../../node_modules/.bin/tsc', import.meta.url))

const server = useTestServer()
const project = useFixtureProject('cypress-15', 'cypress', ['@caseward/cypress'])

type Settings = Record<string, string>

const start = (recording: string, env: Settings, player = 'play.mjs') =>
  project.start('node', [player, `recordings/${recording}.json`], env)
const play = (...args: Parameters<typeof start>) => start(...args).ended

describe('Cypress that is stopped or has no server', () => {
  it('keeps the run in progress when Cypress has canceled it', async () => {
    const scenario = await createScenario(server)
    const shard = { SERVICE_RUN_KEY: '42', SERVICE_SHARD: '1', SERVICE_EXPECTED_SHARDS: '1' }
    const env = {
      ...shard,
      SERVICE_URL: server.url,
      SERVICE_TOKEN: scenario.token,
      SERVICE_PROJECT_ID: scenario.projectId,
      OPTIONS: '{"strict":true}',
    }
    const status = async () => (await scenario.buildRuns())[0]?.status
    await play('canceled', env)
    expect(await status()).toBe('in_progress')
    expect(await play('one', env)).toMatchObject({ exitCode: 0 })
    expect(await status()).toBe('completed')
  })

  it('saves the specs before SIGKILL and sends them with the next run', async () => {
    const scenario = await createScenario(server)
    const running = start('13', { ...scenario.env, STOP_AFTER: '1' })
    await running.prints('stopped')
    running.child.kill('SIGKILL')
    await running.ended
    await play('one', scenario.env)
    const { 'WEB-12': _lastSpec, ...saved } = CYPRESS_STATUSES
    expect(await scenario.statuses()).toEqual(saved)
  })

  it('keeps the exit code when the server is unreachable, and sends the results with the next run', async () => {
    const scenario = await createScenario(server)
    const proxy = await startProxy(server.url)
    await proxy.close()
    const env = { ...scenario.env, SERVICE_URL: proxy.url }
    const { exitCode, stdout, stderr } = await play('13', env, 'play.cjs')
    expect({ exitCode, stdout }).toEqual({ exitCode: 0, stdout: '' })
    expect(stderr).toContain('nothing was stored')
    await proxy.reopen()
    expect(await play('one', { ...env, OPTIONS: '{"strict":true}' }, 'play.cjs')).toMatchObject({ exitCode: 0 })
    await proxy.close()
    expect(await scenario.statuses()).toEqual(CYPRESS_STATUSES)
  })

  it.each(['play.mjs', 'play.cjs'])(
    'fails the run with the option strict when %s cannot store results',
    async (player) => {
      const { env } = await createScenario(server)
      const refused = { ...env, OPTIONS: '{"strict":true}', SERVICE_TOKEN: 'cwc_wrong' }
      expect((await play('one', refused, player)).exitCode).toBe(1)
    },
  )
})

describe('the types of @caseward/cypress', () => {
  const compile = (config: string) => project.run(tsc, ['-p', config])

  it('are compatible with a configuration of Cypress as ES module and CommonJS', async () => {
    expect(await compile('tsconfig.json')).toMatchObject({ exitCode: 0, stdout: '' })
  })

  it('compile without dependencies when library types are checked', async () => {
    expect(await compile('tsconfig.types.json')).toMatchObject({ exitCode: 0, stdout: '' })
  })
})
