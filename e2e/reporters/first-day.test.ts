import { mkdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'

import type { RunTest } from '@caseward/contract/run-tests'
import type { ProjectTestDetail } from '@caseward/contract/tests'
import { makeCiToken, makeProject } from '@caseward/test-support/factories'
import { useSharedServer } from '@caseward/test-support/test-server'
import { afterAll, beforeAll, expect, it, onTestFinished } from 'vitest'

import { runInProcess } from '../cli/run-in-process.ts'
import { type FreshProject, createFixtureProject } from './fresh-project.ts'
import { githubEnv } from './scenario.ts'

/* A team with 1,200 automated tests and no test case: from the first upload to a test that was renamed. */

const AREAS = ['catalogue', 'basket', 'checkout', 'account']
const FILES_PER_AREA = 5
const TESTS_PER_BLOCK = 15
const RENAMED = { file: 'src/checkout/part-2.test.js', from: 'keeps item 7', to: 'keeps product 7' }

const server = useSharedServer()
let suite: FreshProject
beforeAll(async () => {
  suite = await createFixtureProject('vitest-4', 'first-day', ['@caseward/vitest'])
  for (const area of AREAS) {
    await mkdir(join(suite.folder, 'src', area), { recursive: true })
    for (let part = 1; part <= FILES_PER_AREA; part += 1) {
      await writeFile(join(suite.folder, 'src', area, `part-${part}.test.js`), createTests(area))
    }
  }
})
afterAll(() => suite.remove())

/** Four blocks of tests, whose names other files have, too. */
const createTests = (area: string) => `
import { describe, expect, test } from 'vitest'

for (const verb of ['adds', 'keeps', 'moves', 'removes']) {
  describe('${area} that ' + verb, () => {
    ${Array.from({ length: TESTS_PER_BLOCK }, (_, index) => `test(verb + ' item ${index + 1}', () => expect(1).toBe(1))`).join('\n    ')}
  })
}
`

async function makeTeam() {
  const project = await makeProject(server)
  const ci = await makeCiToken(server, project, 'write', { grants: ['cases:create'] })
  const get = async <T>(path: string): Promise<T> => {
    const { body } = await server.request<{ data: T }>('GET', path, { token: project.admin.token })
    return body.data
  }
  const path = `/v1/projects/${project.id}`
  return {
    path,
    get,
    /** Runs the suite as a job of a build. Returns what the reporter printed. */
    runSuite: async (build: number, settings: Record<string, string> = {}): Promise<string> => {
      const env = { SERVICE_URL: server.url, SERVICE_TOKEN: ci, SERVICE_PROJECT_ID: project.id, NO_COLOR: '1' }
      const builds = { ...githubEnv, GITHUB_RUN_ID: String(build), GITHUB_RUN_NUMBER: String(build) }
      const { exitCode, stdout, stderr } = await suite.run('vitest', ['run'], { ...env, ...builds, ...settings })
      expect({ exitCode, stdout }).toMatchObject({ exitCode: 0, stdout: expect.stringContaining('1200 passed') })
      return stderr
    },
    caseward: (...args: string[]) =>
      runInProcess(args, {
        cwd: suite.folder,
        env: { SERVICE_URL: server.url, SERVICE_TOKEN: project.admin.token, SERVICE_PROJECT_ID: project.id },
      }),
    countCases: async () => (await get<{ test_case_count: number }>(path)).test_case_count,
  }
}

it('gets a test case for each test, once; a renamed test is linked to its test case, whose history goes on', async () => {
  const team = await makeTeam()
  const createCases = { SERVICE_CREATE_CASES: '1' }
  const first = await team.runSuite(1, createCases)
  expect(first).toContain('stored 1200 results (1200 passed), 1200 test cases created')
  expect(await team.countCases()).toBe(1200)
  const folders = await team.get<{ name: string; test_case_count: number }[]>(`${team.path}/folders`)
  expect(folders.filter(({ name }) => name === 'checkout that keeps').map((folder) => folder.test_case_count)).toEqual(
    Array.from({ length: FILES_PER_AREA }, () => TESTS_PER_BLOCK),
  )

  expect(await team.runSuite(2, createCases)).not.toContain('created')
  expect(await team.countCases()).toBe(1200)

  const file = join(suite.folder, RENAMED.file)
  const source = await readFile(file, 'utf8')
  onTestFinished(() => writeFile(file, source))
  const renamed = source.replace(
    "test(verb + ' item 7',",
    "test(verb === 'keeps' ? 'keeps product 7' : verb + ' item 7',",
  )
  await writeFile(file, renamed)
  const third = await team.runSuite(3)
  expect(third).toContain('1 test matches no test case')
  const runs = await team.get<{ id: string; test_stats: { unmatched: number } }[]>(`${team.path}/runs?per_page=10`)
  expect(runs.map(({ test_stats: stats }) => stats.unmatched)).toEqual([1, 0, 0])
  const [test, ...others] = await team.get<RunTest[]>(`/v1/runs/${runs[0]?.id ?? ''}/tests?matched=false`)
  expect([test?.name, others]).toEqual([`checkout that keeps > ${RENAMED.to}`, []])
  const { suggestions } = await team.get<ProjectTestDetail>(`${team.path}/tests/${test?.id ?? ''}`)
  const [suggestion] = suggestions
  expect(suggestion?.title).toBe(RENAMED.from)

  const linked = await team.caseward(
    'tests',
    'link',
    `${RENAMED.file} › ${test?.name ?? ''}`,
    suggestion?.test_case_id ?? '',
  )
  expect(linked).toMatchObject({ exitCode: 0, stderr: '' })
  const history = await team.get<{ run_id: string; status: string }[]>(
    `${team.path}/test-cases/${suggestion?.test_case_id ?? ''}/results`,
  )
  expect(history.map(({ run_id, status }) => [run_id, status])).toEqual(runs.map(({ id }) => [id, 'passed']))
  expect(await team.countCases()).toBe(1200)
}, 180_000)
