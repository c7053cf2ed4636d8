import { makeCiToken, makeProject, makeRun, makeTestCases } from '@caseward/test-support/factories'
import { startTestServer } from '@caseward/test-support/test-server'
import { beforeEach, describe, expect, it } from 'vitest'

import { buildJunitXml, notTested, useUploadScenario } from './upload-scenario.ts'

const scenario = useUploadScenario()

describe('caseward upload that the server rejects', () => {
  beforeEach(() => scenario.write('a.xml', buildJunitXml('WEB-1')))
  const makeTokenOfOtherProject = async () =>
    await makeCiToken(scenario.server, await makeProject(scenario.server, { prefix: 'APP' }))

  it.each([
    ['an invalid token', () => 'cwc_wrong', /\(401 \w+\)\n.*Check that SERVICE_TOKEN/],
    ['a personal token', () => scenario.project.admin.token, /\(403 ci_token_required\)\n.*Use a CI token \(cwc_…\)/],
    [
      'a token without write access',
      () => makeCiToken(scenario.server, scenario.project, 'read'),
      /\(403 \w+\)\n.*with write access/,
    ],
    [
      'a token of another project',
      makeTokenOfOtherProject,
      /\(404 not_found\)\n.*Check that SERVICE_RUN_ID \(\S+\) is a run of the project/,
    ],
  ])(
    'ends at the first file with what to check: %s',
    { tags: ['spec:service/a-token-and-a-run-id-come-from-service_token'] },
    async (_, makeToken, message) => {
      const { exitCode, stdout, stderr } = await scenario.upload(['a.xml', 'a.xml', '-'], {
        env: { SERVICE_TOKEN: await makeToken() },
      })
      expect({ exitCode, stdout }).toEqual({ exitCode: 1, stdout: 'Stored nothing; not stored: 2 files.\n' })
      expect(stderr).toMatch(message)
      expect(await scenario.readStatuses()).toEqual(notTested)
    },
  )

  it('reports an unknown run with what to check', async () => {
    const { exitCode, stderr } = await scenario.upload(['a.xml', '--run', 'nightly'])
    expect({ exitCode, stderr }).toEqual({ exitCode: 1, stderr: expect.stringMatching(/Check that --run \(nightly\)/) })
  })

  it('reports a completed run with what to do', async () => {
    await scenario.server.request('PATCH', `/v1/runs/${scenario.runId}`, {
      token: scenario.project.admin.token,
      body: { status: 'completed' },
    })
    const { exitCode, stderr } = await scenario.upload(['a.xml'])
    expect({ exitCode, stderr }).toEqual({
      exitCode: 1,
      stderr: expect.stringMatching(/\(409 run_completed\)\n.*Reopen the run, or set SERVICE_RUN_ID to another run/),
    })
    expect(await scenario.readStatuses()).toEqual(notTested)
  })
})

describe('caseward upload over the rate limit', () => {
  it('reports it with what to do, and keeps the files that were stored before', async () => {
    const strict = await startTestServer({ rateLimit: 1 })
    try {
      const busy = await makeProject(strict)
      await makeTestCases(strict, busy, 1)
      const env = {
        SERVICE_URL: strict.url,
        SERVICE_TOKEN: await makeCiToken(strict, busy),
        SERVICE_RUN_ID: (await makeRun(strict, busy)).id,
      }
      const results = '[{"test_case_id": "WEB-1", "status": "passed"}]'
      await scenario.write('limit/a.json', results)
      await scenario.write('limit/b.json', results)
      const { exitCode, stdout, stderr } = await scenario.upload(['limit/*.json', '--retries', '0'], { env })
      expect(exitCode).toBe(2)
      expect(stdout).toMatch(
        /^limit\/a\.json: 1 stored [^]*Stored 1 result from 1 file \(1 passed\); not stored: 1 file\./,
      )
      expect(stderr).toMatch(/\(429 \w+\)\n.*Use a separate token for each pipeline/)
    } finally {
      await strict.close()
    }
  })
})
