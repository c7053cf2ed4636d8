import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

import type { ProjectTest } from '@caseward/contract/tests'
import { makeEvaluationScenario } from '@caseward/test-support/evaluation-scenario'
import { makeCiToken, makeProject, makeRun, makeTestCase } from '@caseward/test-support/factories'
import { useSharedServer } from '@caseward/test-support/test-server'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'

import { runInProcess } from './run-in-process.ts'

const server = useSharedServer()
let cwd: string
let project: Awaited<ReturnType<typeof makeProject>>
let runId: string
let ciToken: string
beforeAll(async () => {
  cwd = await mkdtemp(join(tmpdir(), 'caseward-tests-'))
})
afterAll(() => rm(cwd, { recursive: true }))
beforeEach(async () => {
  project = await makeProject(server)
  await makeTestCase(server, project, { title: 'Pays', automation_key: 'Shop > pays' })
  runId = (await makeRun(server, project)).id
  ciToken = await makeCiToken(server, project)
})

const caseward = (args: readonly string[], token = project.admin.token) =>
  runInProcess(args, { cwd, env: { SERVICE_URL: server.url, SERVICE_TOKEN: token } })

/** Uploads tests with the suite `Shop`, or another one: `Cart/adds up`. */
async function upload(...names: string[]) {
  const elements = names.map((name) => {
    const [title = '', suite = 'Shop'] = name.split('/').toReversed()
    return `<testcase classname="${suite}" name="${title}"/>`
  })
  await writeFile(join(cwd, 'a.xml'), `<testsuite>${elements.join('')}</testsuite>`)
  return await caseward(['upload', '--run', runId, 'a.xml'], ciToken)
}
async function readProjectTests(): Promise<ProjectTest[]> {
  const path = `/v1/projects/${project.id}/tests?per_page=500`
  return (await server.request<{ data: ProjectTest[] }>('GET', path, { token: ciToken })).body.data
}
const findTestId = async (name: string) => (await readProjectTests()).find((test) => test.name === name)?.id

describe('caseward tests list', () => {
  it('prints the ids, outcomes, names and test cases of the tests of a run', async () => {
    await upload('pays', 'refunds')
    const { exitCode, stdout } = await caseward(['tests', 'list', '--run', runId], ciToken)
    expect(exitCode).toBe(0)
    expect(stdout.replaceAll(/[0-9a-f-]{36}/g, 'ID')).toBe(
      '2 tests:\nID  passed  Shop › pays  WEB-1\nID  passed  Shop › refunds  unmatched\n',
    )
  })

  it('prints 20 tests and the number of the others, and all with --json', async () => {
    await upload(...Array.from({ length: 30 }, (_, index) => `test ${index}`))
    const { stdout } = await caseward(['tests', 'list', '--unmatched'])
    const lines = stdout.trimEnd().split('\n')
    expect([lines.length, lines[0]]).toEqual([22, '30 unmatched tests:'])
    expect(lines[21]).toMatch(/^and 10 more \(use --json/)
    const all = JSON.parse((await caseward(['tests', 'list', '--json'])).stdout) as { tests: object[]; total: number }
    expect([all.tests.length, all.total]).toEqual([30, 30])
  })

  it('prints only tests that contain a text', async () => {
    await upload('pays', 'refunds')
    expect((await caseward(['tests', 'list', '--search', 'REFUND'])).stdout).toMatch(/^1 test:\n.*refunds/)
    expect((await caseward(['tests', 'list', '--search', 'nothing'])).stdout).toBe('No tests.\n')
  })
})

describe('caseward tests list --flaky and --broken', () => {
  it('lists the tests with what speaks against them, and their quarantine', async () => {
    const { quarantine, token, ...scenario } = await makeEvaluationScenario(server)
    for (const commit of ['c1', 'c2', 'c3']) {
      const { id } = await scenario.build(
        { steady: 'passed', flaps: ['failed', 'passed'], red: 'failed' },
        { metadata: { branch: 'main', commit } },
      )
      await scenario.evaluate(id)
    }
    await quarantine(await scenario.findTestId('flaps'))
    const list = async (...args: string[]) => (await caseward(['tests', 'list', ...args], token)).stdout
    const end = new Date(Date.now() + 14 * 86_400_000).toISOString().slice(0, 10)
    await expect
      .poll(() => list('--flaky'))
      .toMatch(
        new RegExp(
          `^1 flaky test:\n\\S{36}  passed \\(flaky\\)  .*flaps  unmatched  flaked on 3 of 3 commits  last on [\\d-]{10}  in quarantine until ${end}\n$`,
        ),
      )
    expect(await list('--broken')).toMatch(
      /^1 broken test:\n\S{36} {2}failed {2}.*red {2}unmatched {2}broken since [\d-]{10}\n$/,
    )
    const { tests } = JSON.parse(await list('--broken', '--json')) as { tests: ProjectTest[] }
    expect(tests.map(({ stability }) => stability?.state)).toEqual(['broken'])
    expect(await caseward(['tests', 'list', '--flaky', '--run', runId])).toMatchObject({
      exitCode: 1,
      stderr: expect.stringContaining('--run'),
    })
    expect((await caseward(['tests', 'list', '--flaky'])).stdout).toBe('No flaky tests.\n')
  })
})

describe('caseward tests link', () => {
  it('links a test named as it is listed, so that the result of the test case follows', async () => {
    await upload('pays', 'refunds')
    const other = await makeTestCase(server, project, { title: 'Refunds' })
    const { exitCode, stdout } = await caseward(['tests', 'link', 'Shop › refunds', other.id])
    expect({ exitCode, stdout }).toEqual({ exitCode: 0, stdout: 'Linked “Shop › refunds” to WEB-2.\n' })
    expect((await caseward(['tests', 'list', '--unmatched'])).stdout).toBe('No unmatched tests.\n')
  })

  it('links a test by its id, and removes the link', async () => {
    await upload('refunds')
    const id = (await findTestId('refunds')) ?? ''
    await caseward(['tests', 'link', id, 'WEB-1'])
    expect((await readProjectTests())[0]?.test_case_ids).toEqual(['WEB-1'])
    const { stdout } = await caseward(['tests', 'link', id, '--remove'])
    expect(stdout).toBe('Removed the link of “Shop › refunds”.\n')
    expect((await readProjectTests())[0]?.test_case_ids).toEqual([])
  })

  it('lists the tests that fit when there are several', async () => {
    await upload('Cart/opens', 'Menu/opens')
    const { exitCode, stderr } = await caseward(['tests', 'link', 'opens', 'WEB-1'])
    expect(exitCode).toBe(1)
    expect(stderr).toMatch(/“opens” fits 2 tests\. Use the id of one of them:\n +\S{36} {2}Cart › opens\n/)
    expect(await caseward(['tests', 'link', 'Menu.opens', 'WEB-1'])).toMatchObject({ exitCode: 0 })
  })

  it.each([
    ['the name of no test', ['unknown', 'WEB-1'], /No test of the project is named “unknown”\.\n.*caseward tests list/],
    ['an unknown test case', ['Shop › refunds', 'WEB-99'], /WEB-99/],
    ['neither a test case nor --remove', ['refunds'], /Name either a test case, such as WEB-12, or use --remove/],
  ])('ends with exit code 1 and a hint for %s', async (_, args, message) => {
    await upload('refunds')
    expect(await caseward(['tests', 'link', ...args])).toMatchObject({
      exitCode: 1,
      stderr: expect.stringMatching(message),
    })
  })

  it('asks for a personal token instead of a CI token', async () => {
    await upload('refunds')
    const { stderr } = await caseward(['tests', 'link', 'refunds', 'WEB-1'], ciToken)
    expect(stderr).toMatch(/Use a personal token \(cwp_…\)/)
  })
})

describe('caseward tests create-cases', () => {
  it('creates test cases in a folder for the unmatched tests of a run, and nothing the second time', async () => {
    await upload('pays', 'refunds', 'Cart/adds up')
    const args = ['tests', 'create-cases', '--run', runId, '--folder', 'Automated/Web']
    const { exitCode, stdout } = await caseward(args)
    expect({ exitCode, stdout }).toEqual({
      exitCode: 0,
      stdout: `Created 2 test cases for 2 tests:\n  WEB-2 refunds\n  WEB-3 adds up\n${server.url}/runs/${runId}\n`,
    })
    const csv = (await caseward(['cases', 'export'])).stdout
    expect(csv).toMatch(/WEB-2,refunds,Automated\/Web\/Shop,[^]*WEB-3,adds up,Automated\/Web\/Cart,/)
    const second = await caseward([...args, '--json'])
    expect(JSON.parse(second.stdout)).toEqual({ created: 0, linked: 0, remaining: 0, test_cases: [] })
    expect((await upload('refunds')).stdout).toBe('a.xml: 1 stored (1 passed)\n')
  })

  it('asks for a personal token instead of a CI token', async () => {
    await upload('refunds')
    const { exitCode, stderr } = await caseward(['tests', 'create-cases', '--run', runId], ciToken)
    expect({ exitCode, stderr }).toEqual({ exitCode: 1, stderr: expect.stringMatching(/Use a personal token/) })
  })
})
