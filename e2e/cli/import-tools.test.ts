import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

import type { Import } from '@caseward/contract/import-schemas'
import { makeProject } from '@caseward/test-support/factories'
import { AZURE_TOKEN, startFakeAzure } from '@caseward/test-support/fake-tools/azure'
import type { Faults, FakeTool } from '@caseward/test-support/fake-tools/fake-tool'
import { startFakeTestlink, TESTLINK_KEY } from '@caseward/test-support/fake-tools/testlink'
import { useTestServer } from '@caseward/test-support/test-server'
import { afterAll, beforeAll, beforeEach, describe, expect, it, onTestFinished } from 'vitest'

import { runInProcess } from './run-in-process.ts'
import { TOOLS } from './tool-cases.ts'

const server = useTestServer()
let cwd: string
beforeAll(async () => {
  cwd = await mkdtemp(join(tmpdir(), 'caseward-tools-'))
})
afterAll(() => rm(cwd, { recursive: true }))

describe.each(TOOLS)(
  'caseward import $system',
  ({
    system,
    start,
    project: toolProject = 'SHOP',
    options = [],
    secrets,
    counts,
    files,
    list,
    since,
    longer,
    refused,
  }) => {
    let tool: FakeTool
    let project: Awaited<ReturnType<typeof makeProject>>
    /** The import of everything. */
    let first: Awaited<ReturnType<typeof runInProcess>>
    beforeAll(async () => {
      tool = await start()
      project = await makeProject(server)
      first = await run('whole', '--yes', '--json')
      return () => tool.close()
    })
    beforeEach(() => setFaults({}))

    const setFaults = (faults: Faults) => {
      for (const name of Object.keys(tool.faults)) delete tool.faults[name as keyof Faults]
      Object.assign(tool.faults, faults)
      tool.requests.length = 0
    }
    const run = (out: string, ...more: string[]) =>
      runInProcess(
        [
          'import',
          system,
          '--url',
          tool.url,
          '--project',
          toolProject,
          '--out',
          join(system, out),
          ...options.map((option) => option.replace('{url}', tool.url)),
          ...more,
        ],
        {
          cwd,
          env: {
            SERVICE_URL: server.url,
            SERVICE_TOKEN: project.admin.token,
            SERVICE_PROJECT_ID: project.id,
            ...secrets,
          },
        },
      )
    const readBundle = async (out: string) =>
      (await readFile(join(cwd, system, out, `${system}-${toolProject}.caseward.zip`))).toString('base64')
    const readAll = async () => {
      const entries = await readdir(join(cwd, system), { recursive: true, withFileTypes: true })
      const found = entries.filter((entry) => entry.isFile())
      return (await Promise.all(found.map((file) => readFile(join(file.parentPath, file.name), 'latin1')))).join('\n')
    }

    it('imports all of the data set', () => {
      expect(first).toMatchObject({ exitCode: 0 })
      const done = JSON.parse(first.stdout) as Import & { files: { count: number } }
      expect(done).toMatchObject({ state: 'done', format: `${system}-api`, proof: { is_equal: true } })
      expect(done.files.count).toBe(files)
      const read = Object.fromEntries((done.reading?.counts ?? []).map(({ kind, count }) => [kind, count]))
      expect(read).toMatchObject(counts)
      expect(tool.maxConcurrent).toBeLessThanOrEqual(4)
    })

    it('imports nothing twice', async () => {
      const again = JSON.parse((await run('whole', '--yes', '--json')).stdout) as Import & { files: object }
      expect(again.planning?.actions).toContainEqual({ kind: 'case', action: 'unchanged', count: 130 })
      expect(again.planning?.actions).toContainEqual({ kind: 'run', action: 'unchanged', count: 6 })
      expect(again).toMatchObject({ files: { count: 0, unchanged: files } })
    })

    it('reads the same through 429, 500, a lost connection, a shifted page and small pages', async () => {
      setFaults({
        rateLimitEvery: 7,
        failOnce: list,
        resetOnce: /offset=50|start: 50|startAt=50|getBuilds|"pk__gt":500|[?&]page=2|skip=50|number%5D=2/,
        shiftsPages: true,
        maxPage: 30,
      })
      expect(await run('faults', '--dry-run')).toMatchObject({ exitCode: 0 })
      expect(await readBundle('faults')).toBe(await readBundle('whole'))
    })

    it('names a list that is shorter than the tool announces, also when it is read again', async () => {
      setFaults({ wrongTotal: { add: 1, times: 100 } })
      const { exitCode, stdout, stderr } = await run(
        'longer',
        '--dry-run',
        ...(files > 0 ? ['--attachments', 'none'] : []),
      )
      // TestLink announces nothing.
      const announces = longer !== null
      const found = { exitCode, isNamed: longer?.test(stderr) ?? false, isLoss: /× list_differs/.test(stdout) }
      expect(found).toEqual({ exitCode: announces ? 2 : 0, isNamed: announces, isLoss: announces })
    })

    it('reads only runs since a day', async () => {
      const { stdout } = await run('since', '--dry-run', '--json', '--since', '2024-07-01')
      const { reading } = JSON.parse(stdout) as Import
      expect(reading?.counts).toContainEqual({ kind: 'case', count: 130 })
      expect(reading?.counts).toContainEqual({ kind: 'run', count: since })
    })

    it('ends with 1, a reason, and no secret anywhere, when it is refused or finds a page', async () => {
      setFaults({ refusesSecret: true })
      const denied = await run('refused', '--dry-run')
      expect(denied).toMatchObject({ exitCode: 1, stderr: expect.stringMatching(refused) })
      setFaults({ signInPage: true })
      const page = await run('refused', '--dry-run')
      expect(page).toMatchObject({
        exitCode: 1,
        stderr: expect.stringMatching(/was answered with a web page, such as one to sign in,/),
      })
      const texts = [denied.stderr, page.stderr, await readAll()].join('\n')
      for (const secret of Object.values(secrets)) expect(texts).not.toContain(secret)
    })
  },
)

it('caseward import testlink > ends with 1 and without the key when TestLink answers an error with 200', async () => {
  const tool = await startFakeTestlink()
  onTestFinished(() => tool.close())
  const project = await makeProject(server)
  const args = ['import', 'testlink', '--url', tool.url, '--project', 'SHOP', '--out', 'wrong-key']
  const env = {
    SERVICE_URL: server.url,
    SERVICE_TOKEN: project.admin.token,
    SERVICE_PROJECT_ID: project.id,
    TESTLINK_DEV_KEY: 'wrong-key-8e1d',
  }
  const { exitCode, stderr } = await runInProcess(args, { cwd, env })
  expect(exitCode).toBe(1)
  expect(stderr).toMatch(/TestLink does not accept your credentials \(2000: Can not authenticate client/)
  expect(stderr).not.toContain('wrong-key-8e1d')
  const other = await runInProcess([...args, '--project', 'NONE', '--fresh'], {
    cwd,
    env: { ...env, TESTLINK_DEV_KEY: TESTLINK_KEY },
  })
  expect(other).toMatchObject({
    exitCode: 1,
    stderr: expect.stringContaining('TestLink has no project NONE for you. It has: SHOP.'),
  })
})

it('caseward import azure > waits when an answer that succeeds asks to', async () => {
  const tool = await startFakeAzure()
  onTestFinished(() => tool.close())
  Object.assign(tool.faults, { slowsDownAt: /_apis\/projects\/SHOP/, retryAfterSeconds: 1 })
  const times: number[] = []
  tool.onRequest = () => times.push(performance.now())
  const project = await makeProject(server)
  const { exitCode } = await runInProcess(
    ['import', 'azure', '--url', tool.url, '--project', 'SHOP', '--out', 'slow', '--attachments', 'none', '--dry-run'],
    {
      cwd,
      env: {
        SERVICE_URL: server.url,
        SERVICE_TOKEN: project.admin.token,
        SERVICE_PROJECT_ID: project.id,
        AZURE_DEVOPS_TOKEN: AZURE_TOKEN,
      },
    },
  )
  expect(exitCode).toBe(0)
  expect(tool.requests[0]).toMatch(/_apis\/projects\/SHOP/)
  expect((times[1] ?? 0) - (times[0] ?? 0)).toBeGreaterThan(950)
})
