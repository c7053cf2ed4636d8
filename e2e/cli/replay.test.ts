import { mkdir, mkdtemp, readdir, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

import { afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest'

import { getRunResults, makeCiToken, makeProject, makeRun, makeTestCases } from '@caseward/test-support/factories'
import { useSharedServer } from '@caseward/test-support/test-server'

import { runInProcess } from './run-in-process.ts'

const server = useSharedServer()
let project: Awaited<ReturnType<typeof makeProject>>
let token: string
let runId: string
let cwd: string
beforeAll(async () => {
  project = await makeProject(server)
  await makeTestCases(server, project, 3)
  token = await makeCiToken(server, project)
})
beforeEach(async () => {
  cwd = await mkdtemp(join(tmpdir(), 'caseward-replay-'))
  runId = (await makeRun(server, project)).id
})
afterEach(() => rm(cwd, { recursive: true }))

const replay = (...args: string[]) =>
  runInProcess(['replay', ...args], { cwd, env: { SERVICE_URL: server.url, SERVICE_TOKEN: token } })

interface SavedSuite {
  readonly run?: string | null
  readonly url?: string
  /** `refused`, or the spool itself. */
  readonly directory?: string
  /** The process that writes the journal; `nobody` for a journal that its process has released. */
  readonly owner?: string
}
let journals = 0

/** Saves a suite in the spool, in the format of the first version: one test of the test case, which passed. */
async function saveSuite(
  id: string,
  { run = runId, url = server.url, directory = '', owner = 'nobody' }: SavedSuite = {},
) {
  journals += 1
  const startedAt = Date.parse('2026-01-02T03:04:05Z')
  const target = run === null ? null : { kind: 'run', id: run }
  const lines = [
    { caseward: 1, framework: 'test', url, target, shard: null, startedAt },
    { attempt: { testId: id, titlePath: [`${id} works`], status: 'passed' }, at: startedAt + 1000 },
    { ending: { at: startedAt + 2000, interrupted: false } },
  ]
  const spool = join(cwd, '.caseward/spool', directory)
  await mkdir(spool, { recursive: true })
  const text = lines.map((line) => `${JSON.stringify(line)}\n`).join('')
  await writeFile(join(spool, `${startedAt + journals}-aaaaaaaaaa@${owner}.jsonl`), text)
}
const listJournals = async (directory = '') =>
  (await readdir(join(cwd, '.caseward/spool', directory)).catch(() => [])).filter((name) => name.endsWith('.jsonl'))

async function readStatuses() {
  const results = await getRunResults(server, runId, project.admin.token)
  return [...results.values()].map(({ status }) => status)
}

describe('caseward replay', () => {
  it('ends with exit code 0 when the spool is empty', async () => {
    expect(await replay()).toEqual({
      exitCode: 0,
      stdout: 'Nothing to send: the spool is empty.\n',
      stderr: '',
    })
  })

  it('sends each suite, prints a line for it, and empties the spool', async () => {
    await saveSuite('WEB-1')
    await saveSuite('WEB-2')
    const { exitCode, stdout } = await replay()
    expect({ exitCode, stdout }).toEqual({
      exitCode: 0,
      stdout: 'stored 1 result of the test suite of 2026-01-02T03:04:05.000Z\n'.repeat(2),
    })
    expect([await readStatuses(), await listJournals()]).toEqual([['passed', 'passed', 'not_tested'], []])
  })

  it('reports a suite that could not be sent, and moves it to refused', async () => {
    await saveSuite('WEB-1')
    await saveSuite('WEB-2', { run: 'gone' })
    const { exitCode, stdout } = await replay()
    expect({ exitCode, stdout }).toEqual({
      exitCode: 2,
      stdout: expect.stringMatching(/nothing was stored of .*: .*run/i),
    })
    expect(await listJournals('refused')).toHaveLength(1)
  })

  it('ends with exit code 1 when no suite could be sent', async () => {
    await saveSuite('WEB-1', { url: 'https://other.example.com' })
    await saveSuite('WEB-1', { run: null })
    const { exitCode, stdout } = await replay('--json')
    expect(exitCode).toBe(1)
    expect(JSON.parse(stdout)).toEqual({
      suites: [],
      for_other_servers: 1,
      without_run: 1,
      unreadable: 0,
      remaining: 2,
    })
  })

  it('sends suites saved without a run to the run of --run', async () => {
    await saveSuite('WEB-3', { run: null })
    const { exitCode, stdout } = await replay('--run', runId, '--json')
    expect(exitCode).toBe(0)
    expect(JSON.parse(stdout)).toMatchObject({
      suites: [{ framework: 'test', sent: true, run_id: runId, uploaded_count: 1, failed_count: 0 }],
      remaining: 0,
    })
    expect(await readStatuses()).toEqual(['not_tested', 'not_tested', 'passed'])
  })

  it('sends refused suites only with --refused', async () => {
    await saveSuite('WEB-1', { directory: 'refused', owner: 'otherhost_1_a' })
    expect(await replay()).toMatchObject({ exitCode: 0, stdout: expect.stringMatching(/^Nothing to send/) })
    expect(await replay('--refused')).toMatchObject({ exitCode: 0, stdout: expect.stringMatching(/stored.* ?1\b/) })
    expect([await readStatuses(), await listJournals('refused')]).toEqual([['passed', 'not_tested', 'not_tested'], []])
  })

  it('moves a suite that is rejected again back to refused', async () => {
    await saveSuite('WEB-1', { directory: 'refused', run: 'gone' })
    expect(await replay('--refused')).toMatchObject({ exitCode: 1 })
    expect([await listJournals(), await listJournals('refused')]).toEqual([[], [expect.any(String)]])
  })

  it('skips the journal of a suite that is still running', async () => {
    await saveSuite('WEB-1', { owner: 'otherhost_1_a' })
    const { exitCode, stdout } = await replay()
    expect({ exitCode, stdout }).toEqual({
      exitCode: 1,
      stdout: expect.stringMatching(/1 more suite is in the spool: still running/),
    })
  })
})
