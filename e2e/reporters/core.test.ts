import { describe, expect, it } from 'vitest'

import { getRunResults, makeRun, makeTestCase } from '@caseward/test-support/factories'
import { useSharedServer } from '@caseward/test-support/test-server'
import { createScenario, githubEnv } from './scenario.ts'
import { attemptAt, report } from './suite.ts'

const server = useSharedServer()

describe('a reporter with Caseward', () => {
  it('stores each test for the test case of its id', async () => {
    const scenario = await createScenario(server, 8)
    const failure = { message: 'expected 1 to be 2', stack: 'Error: expected 1 to be 2\n    at cart.test.ts:3:1' }
    const { failsSuite, lines } = await report({
      env: scenario.env,
      attempts: [
        attemptAt('WEB-1', { durationMs: 1600 }),
        attemptAt('a', { caseIds: ['WEB-2'], titlePath: ['WEB-8'], status: 'failed', errors: [failure] }),
        attemptAt('b', { tags: ['@WEB-3', '@smoke'], titlePath: ['WEB-8'], status: 'blocked', comment: 'No database' }),
        attemptAt('c', { titlePath: ['WEB-4 and WEB-5: checkout', 'pays'], status: 'skipped' }),
        attemptAt('WEB-6', { status: 'failed', errors: [failure] }),
        attemptAt('WEB-6', { status: 'passed' }),
        attemptAt('d', { titlePath: ['WEB-7 on a phone'], durationMs: 1000 }),
        attemptAt('e', { titlePath: ['WEB-7 on a desk'], status: 'failed', durationMs: 2000 }),
      ],
    })
    const results = [...(await scenario.results())].map(([id, { status, elapsed, note }]) => [
      id,
      status,
      elapsed,
      note,
    ])
    expect(results).toEqual([
      ['WEB-1', 'passed', 2, null],
      ['WEB-2', 'failed', null, 'expected 1 to be 2\n    at cart.test.ts:3:1'],
      ['WEB-3', 'blocked', null, 'No database'],
      ['WEB-4', 'not_tested', null, null],
      ['WEB-5', 'not_tested', null, null],
      [
        'WEB-6',
        'passed',
        null,
        'Flaky: passed after 1 of 2 attempts failed.\n\nAttempt 1: expected 1 to be 2\n    at cart.test.ts:3:1',
      ],
      ['WEB-7', 'failed', 3, null],
      ['WEB-8', 'not_tested', null, null],
    ])
    expect([failsSuite, lines]).toEqual([
      false,
      [
        `Caseward: stored 7 results (2 passed, 2 failed, 1 blocked, 2 not tested), 1 flaky in “Nightly”: ${server.url}/runs/${scenario.runId}`,
      ],
    ])
  })

  it('stores tests without ids by their automation keys', async () => {
    const scenario = await createScenario(server, 1)
    const project = { id: scenario.projectId, admin: scenario.admin }
    const { id } = await makeTestCase(server, project, { automation_key: 'Shop > Cart > empties' })
    const run = await makeRun(server, project)
    await report({
      env: { ...scenario.env, SERVICE_RUN_ID: run.id },
      attempts: [attemptAt('a', { titlePath: ['Shop', 'Cart', 'empties'], status: 'failed' })],
    })
    expect((await getRunResults(server, run.id, scenario.token)).get(id)?.status).toBe('failed')
  })

  it('stores a test by an automation key of 2,000 characters', async () => {
    const scenario = await createScenario(server, 1)
    const project = { id: scenario.projectId, admin: scenario.admin }
    const titlePath = ['Shop', '🐞'.repeat(1993)]
    const { id } = await makeTestCase(server, project, { automation_key: titlePath.join(' > ') })
    const run = await makeRun(server, project)
    const env = { ...scenario.env, SERVICE_RUN_ID: run.id }
    const { lines } = await report({ env, attempts: [attemptAt('a', { titlePath })] })
    expect(lines).toEqual([expect.stringContaining('stored 1 result (1 passed)')])
    expect((await getRunResults(server, run.id, scenario.token)).get(id)?.status).toBe('passed')
  })

  it.each(['WEB', 'web'])('finds the project of a CI build by its prefix, %s', async (prefix) => {
    const { env, projectId, token } = await createScenario(server, 1)
    const build = { ...env, ...githubEnv, SERVICE_RUN_ID: '', SERVICE_PROJECT_ID: prefix }
    const { lines } = await report({ env: build, attempts: [attemptAt('WEB-1')] })
    expect(lines).toEqual([expect.stringContaining('stored 1 result (1 passed)')])
    const { body } = await server.request<{ data: object[] }>('GET', `/v1/projects/${projectId}/runs`, { token })
    expect(body.data).toMatchObject([{ metadata: { commit: '1a2b3c' } }, { name: 'Nightly' }])
  })

  it('tells a test without a test case from a test whose test case is not in the run', async () => {
    const scenario = await createScenario(server, 1)
    await makeTestCase(server, { id: scenario.projectId, admin: scenario.admin }, { automation_key: 'Shop > closes' })
    const attempts = ['opens', 'closes'].map((title) => attemptAt(title, { titlePath: ['Shop', title] }))
    const { lines } = await report({ env: scenario.env, attempts })
    expect(lines).toEqual([
      expect.stringContaining('stored 2 tests and no result'),
      expect.stringContaining(`1 test matches no test case: ${server.url}/runs/${scenario.runId}/tests?matched=false`),
      'Caseward: not stored: 1 test case is not in the run (WEB-2)',
    ])
  })

  it('prints which results were not stored and why', async () => {
    const scenario = await createScenario(server, 2)
    const { lines } = await report({
      env: scenario.env,
      attempts: [
        attemptAt('WEB-1'),
        attemptAt('a', { titlePath: ['Shop', 'opens'] }),
        attemptAt('WEB-77'),
        attemptAt('b', { caseIds: ['APP-1'], titlePath: ['Shop', 'closes'] }),
      ],
    })
    expect(lines).toEqual([
      expect.stringContaining('stored 1 result (1 passed)'),
      expect.stringContaining('3 tests match no test case'),
      // An id of another tool is no error.
      'Caseward: not stored: 1 test case is not in the run (WEB-77)',
    ])
  })

  it('reports the suite as incomplete when a file does not load', async () => {
    const scenario = await createScenario(server, 1)
    const { lines } = await report({ env: scenario.env, broken: ['cart.test.ts'] })
    expect(lines).toEqual([
      expect.stringContaining('stored nothing (no test ran)'),
      expect.stringContaining('the suite is incomplete: 1 error outside of tests (cart.test.ts: SyntaxError'),
    ])
    expect(await scenario.statuses()).toEqual({})
  })

  it('stores nothing when no test ran', async () => {
    const scenario = await createScenario(server, 1)
    expect((await report({ env: scenario.env })).lines).toEqual(['Caseward: nothing was stored because no test ran.'])
  })
})

describe('the option strict', () => {
  it('fails the suite when a result was not stored', async () => {
    const scenario = await createScenario(server, 1)
    const attempts = [attemptAt('WEB-1'), attemptAt('WEB-2')]
    expect((await report({ env: scenario.env, attempts })).failsSuite).toBe(false)
    expect((await report({ env: scenario.env, attempts, options: { strict: true } })).failsSuite).toBe(true)
  })

  it('does not fail the suite when all results were stored', async () => {
    const scenario = await createScenario(server, 1)
    const attempts = [attemptAt('WEB-1', { status: 'failed' })]
    expect((await report({ env: scenario.env, attempts, options: { strict: true } })).failsSuite).toBe(false)
  })
})
