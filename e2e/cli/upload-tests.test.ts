import { makeCiToken } from '@caseward/test-support/factories'
import { describe, expect, it } from 'vitest'

import { buildJunitXml, useUploadScenario } from './upload-scenario.ts'

const scenario = useUploadScenario()
const xml = buildJunitXml('WEB-1 pays', 'refunds', 'ships:failed')

describe('caseward upload of tests that match no test case', () => {
  it('is no error, and ends with a command to create test cases and the address of the tests', async () => {
    await scenario.write('a.xml', xml)
    expect(await scenario.upload(['a.xml'])).toEqual({
      exitCode: 0,
      stdout: [
        'a.xml: 1 stored (1 passed)',
        '3 tests: 1 matched, 2 unmatched (1 failed).',
        `Unmatched tests: ${scenario.server.url}/runs/${scenario.runId}/tests?matched=false`,
        'To create test cases for them (with a personal token):',
        `  caseward tests create-cases --run ${scenario.runId}`,
        '',
      ].join('\n'),
      stderr: '',
    })
  })

  it('prints the counts of tests over all files with --json', async () => {
    await scenario.write('a.xml', xml)
    await scenario.write('b.xml', buildJunitXml('WEB-2 pays:failed', 'WEB-2 pays'))
    const { stdout } = await scenario.upload(['a.xml', 'b.xml', '--json'])
    expect(JSON.parse(stdout)).toMatchObject({
      tests: { total: 5, matched: 3, unmatched: 2, flaky: 0, created: 0, repeated: 1 },
      files: [{ test_count: 3 }, { test_count: 2 }],
    })
  })

  it('takes equal names for attempts at one test with --equal-names attempts', async () => {
    await scenario.write('b.xml', buildJunitXml('WEB-2 pays:failed', 'WEB-2 pays'))
    const { stdout } = await scenario.upload(['b.xml', '--equal-names', 'attempts'])
    expect(stdout).toBe('b.xml: 1 stored (1 passed)\n1 test: 1 matched, 1 flaky.\n')
  })

  it('is no error even if no test of the file matches', async () => {
    await scenario.write('c.xml', buildJunitXml('refunds', 'ships'))
    const { exitCode, stdout } = await scenario.upload(['c.xml'])
    expect({ exitCode, stdout }).toEqual({
      exitCode: 0,
      stdout: expect.stringMatching(/^c\.xml: 2 unmatched tests stored\n2 tests: 0 matched, 2 unmatched\.\n/),
    })
  })
})

describe('caseward upload --create-cases', () => {
  it.each([
    ['--create-cases', ['--create-cases'], {}],
    ['SERVICE_CREATE_CASES', [], { SERVICE_CREATE_CASES: '1' }],
  ])('creates test cases with a token that may: %s', async (name, args, env) => {
    const token = await makeCiToken(scenario.server, scenario.project, 'write', { grants: ['cases:create'] })
    await scenario.write('d.xml', buildJunitXml(`refunds ${scenario.runId} ${name}`))
    const { exitCode, stdout } = await scenario.upload(['d.xml', ...args], { env: { SERVICE_TOKEN: token, ...env } })
    expect({ exitCode, stdout }).toEqual({
      exitCode: 0,
      stdout: 'd.xml: 1 stored (1 passed)\n1 test: 1 matched, 1 test case created.\n',
    })
  })

  it('stores nothing and names the token when it may not create test cases', async () => {
    await scenario.write('d.xml', buildJunitXml('WEB-1', 'refunds'))
    const { exitCode, stdout, stderr } = await scenario.upload(['d.xml', '--create-cases'])
    expect({ exitCode, stderr }).toEqual({
      exitCode: 1,
      stderr: expect.stringMatching(/\(403 grant_required\)\n.*SERVICE_TOKEN must contain a CI token that may create/),
    })
    expect(stdout).toBe('')
    expect((await scenario.readStatuses())['WEB-1']).toBe('not_tested')
  })
})

describe('caseward upload --add-to-run', () => {
  it('adds test cases that match but are not in the run', async () => {
    const { server, project } = scenario
    const { body } = await server.request<{ data: { id: string } }>('POST', `/v1/projects/${project.id}/test-cases`, {
      token: project.admin.token,
      body: { title: 'Created after the run' },
    })
    await scenario.write('e.xml', buildJunitXml(body.data.id))
    expect((await scenario.upload(['e.xml'])).stdout).toMatch(/ is not in this run/)
    const { exitCode, stdout } = await scenario.upload(['e.xml', '--add-to-run'])
    expect({ exitCode, stdout }).toEqual({ exitCode: 0, stdout: 'e.xml: 1 stored (1 passed)\n' })
    expect((await scenario.readResults()).get(body.data.id)).toMatchObject({ status: 'passed' })
  })
})
