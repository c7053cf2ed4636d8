import { mkdir, mkdtemp, readdir, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest'

import { runInProcess } from '../../packages/cli/src/run-in-process.test.helper.ts'
import { getRunResults, makeCiToken, makeProject, makeRun, makeTestCases } from '@caseward/test-support/factories'
import { startTestServer, type TestServer } from '@caseward/test-support/test-server'

let server: TestServer
let project: Awaited<ReturnType<typeof makeProject>>
let token: string
let runId: string
let cwd: string
beforeAll(async () => {
  server = await startTestServer()
  project = await makeProject(server)
  await makeTestCases(server, project, 3)
  token = await makeCiToken(server, project)
})
afterAll(() => server.close())
beforeEach(async () => {
  cwd = await mkdtemp(join(tmpdir(), 'caseward-replay-'))
  runId = (await makeRun(server, project)).id
})
afterEach(() => rm(cwd, { recursive: true }))

const replay = (...args: string[]) =>
  runInProcess(['replay', ...args], { cwd, env: { SERVICE_URL: server.url, SERVICE_TOKEN: token } })

interface Left {
  readonly run?: string | null
  readonly url?: string
  readonly folder?: string
  readonly owner?: string
}
let left = 0

/** What a suite of the first version has left in the spool: one test of a case, which passed. */
async function leave(id: string, { run = runId, url = server.url, folder = '', owner = 'nobody' }: Left = {}) {
  left += 1
  const startedAt = Date.parse('2026-01-02T03:04:05Z')
  const target = run === null ? null : { kind: 'run', id: run }
  const lines = [
    { caseward: 1, framework: 'test', url, target, shard: null, startedAt },
    { attempt: { testId: id, titlePath: [`${id} works`], status: 'passed' }, at: startedAt + 1000 },
    { ending: { at: startedAt + 2000, interrupted: false } },
  ]
  const spool = join(cwd, '.caseward/spool', folder)
  await mkdir(spool, { recursive: true })
  const text = lines.map((line) => `${JSON.stringify(line)}\n`).join('')
  await writeFile(join(spool, `${startedAt + left}-aaaaaaaaaa@${owner}.jsonl`), text)
}
const spool = async (folder = '') =>
  (await readdir(join(cwd, '.caseward/spool', folder)).catch(() => [])).filter((name) => name.endsWith('.jsonl'))

async function statuses() {
  const results = await getRunResults(server, runId, project.admin.token)
  return [...results.values()].map(({ status }) => status)
}

describe('caseward replay', () => {
  it('has nothing to do where the spool is empty', async () => {
    expect(await replay()).toEqual({
      exitCode: 0,
      stdout: 'The spool is empty: there is nothing to send.\n',
      stderr: '',
    })
  })

  it('sends each suite, says so, and leaves nothing behind', async () => {
    await leave('WEB-1')
    await leave('WEB-2')
    const { exitCode, stdout } = await replay()
    const told = 'the results of test kept since 2026-01-02T03:04:05.000Z are stored: 1\n'
    expect({ exitCode, stdout }).toEqual({ exitCode: 0, stdout: told + told })
    expect([await statuses(), await spool()]).toEqual([['passed', 'passed', 'not_tested'], []])
  })

  it('says what it could not send, and why', async () => {
    await leave('WEB-1')
    await leave('WEB-2', { run: 'gone' })
    const { exitCode, stdout } = await replay()
    expect({ exitCode, stdout }).toEqual({ exitCode: 2, stdout: expect.stringMatching(/were not stored: .*run/i) })
    expect(await spool('refused')).toHaveLength(1)
  })

  it('ends with 1 when it could send none', async () => {
    await leave('WEB-1', { url: 'https://elsewhere.example.com' })
    await leave('WEB-1', { run: null })
    const { exitCode, stdout } = await replay('--json')
    expect(exitCode).toBe(1)
    expect(JSON.parse(stdout)).toEqual({ suites: [], for_other_servers: 1, without_run: 1, unreadable: 0, left: 2 })
  })

  it('gives suites that did not know their run the one that is named', async () => {
    await leave('WEB-3', { run: null })
    const { exitCode, stdout } = await replay('--run', runId, '--json')
    expect(exitCode).toBe(0)
    expect(JSON.parse(stdout)).toMatchObject({
      suites: [{ framework: 'test', sent: true, run_id: runId, uploaded_count: 1, failed_count: 0 }],
      left: 0,
    })
    expect(await statuses()).toEqual(['not_tested', 'not_tested', 'passed'])
  })

  it('tries what was refused only when it is told to', async () => {
    await leave('WEB-1', { folder: 'refused', owner: 'elsewhere_1_a' })
    expect(await replay()).toMatchObject({ exitCode: 0, stdout: expect.stringMatching(/^The spool is empty/) })
    expect(await replay('--refused')).toMatchObject({ exitCode: 0, stdout: expect.stringMatching(/are stored: 1/) })
    expect([await statuses(), await spool('refused')]).toEqual([['passed', 'not_tested', 'not_tested'], []])
  })

  it('puts aside again what is refused again', async () => {
    await leave('WEB-1', { folder: 'refused', run: 'gone' })
    expect(await replay('--refused')).toMatchObject({ exitCode: 1 })
    expect([await spool(), await spool('refused')]).toEqual([[], [expect.any(String)]])
  })

  it('leaves alone what a suite is still writing', async () => {
    await leave('WEB-1', { owner: 'elsewhere_1_a' })
    const { exitCode, stdout } = await replay()
    expect({ exitCode, stdout }).toEqual({
      exitCode: 1,
      stdout: expect.stringMatching(/1 suite more in the spool: still running/),
    })
  })
})
