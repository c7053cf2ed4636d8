import { createHash } from 'node:crypto'
import { request as sendRequest } from 'node:http'
import { createServer } from 'node:https'
import type { AddressInfo } from 'node:net'
import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

import type { Import } from '@caseward/contract/import-schemas'
import { makeCertificate } from '@caseward/test-support/certificates'
import { makeProject } from '@caseward/test-support/factories'
import type { Faults } from '@caseward/test-support/fake-tools/fake-tool'
import { startFakeTestrail, TESTRAIL_KEY, TESTRAIL_USER } from '@caseward/test-support/fake-tools/testrail'
import { startForwardingProxy } from '@caseward/test-support/forwarding-proxy'
import { useTestServer } from '@caseward/test-support/test-server'
import { afterAll, beforeAll, beforeEach, describe, expect, it, onTestFinished } from 'vitest'

import { runInProcess } from './run-in-process.ts'

const BUNDLE = 'testrail-3.caseward.zip'

const server = useTestServer()
let cwd: string
let project: Awaited<ReturnType<typeof makeProject>>
let tool: Awaited<ReturnType<typeof startFakeTestrail>>
beforeAll(async () => {
  cwd = await mkdtemp(join(tmpdir(), 'caseward-testrail-'))
  project = await makeProject(server)
  tool = await startFakeTestrail()
})
afterAll(async () => {
  await tool.close()
  await rm(cwd, { recursive: true })
})
beforeEach(() => {
  for (const name of Object.keys(tool.faults)) delete tool.faults[name as keyof Faults]
  tool.requests.length = 0
  tool.onRequest = null
})

const getEnv = (key = TESTRAIL_KEY) => ({
  SERVICE_URL: server.url,
  SERVICE_TOKEN: project.admin.token,
  SERVICE_PROJECT_ID: project.id,
  TESTRAIL_API_KEY: key,
})
const getArgs = (out: string, ...more: string[]) => [
  'import',
  'testrail',
  '--url',
  tool.url,
  '--user',
  TESTRAIL_USER,
  '--project',
  '3',
  '--out',
  out,
  ...more,
]
const run = (...args: string[]) => runInProcess(args, { cwd, env: getEnv() })
const readDigest = async (out: string) =>
  createHash('sha256')
    .update(await readFile(join(cwd, out, BUNDLE)))
    .digest('hex')
const count = async (path: string) => {
  const { body } = await server.request<{ meta: { total: number } }>('GET', `/v1/${path}`, {
    token: project.admin.token,
  })
  return body.meta.total
}

/** Every file below a directory as one text. */
async function readAll(directory: string): Promise<string> {
  const entries = await readdir(directory, { recursive: true, withFileTypes: true })
  const files = entries.filter((entry) => entry.isFile())
  return (await Promise.all(files.map((file) => readFile(join(file.parentPath, file.name), 'latin1')))).join('\n')
}

describe('caseward import testrail', () => {
  it('imports test cases, runs, results and files, and nothing twice', async () => {
    const first = await run(...getArgs('whole', '--yes', '--json'))
    expect(first).toMatchObject({ exitCode: 0 })
    const done = JSON.parse(first.stdout) as Import & { files: { count: number } }
    expect(done).toMatchObject({ state: 'done', format: 'testrail-api', files: { count: 29, failures: [] } })
    const counts = Object.fromEntries((done.reading?.counts ?? []).map(({ kind, count: number }) => [kind, number]))
    // 30 tests of the runs have no result.
    expect(counts).toMatchObject({ case: 130, folder: 15, shared_steps: 2, milestone: 2, run: 6, result: 430 })
    expect(done.proof).toMatchObject({ is_equal: true, runs: { stored: 6 }, results: { stored: 430 } })
    expect(await count(`projects/${project.id}/test-cases`)).toBe(130)
    expect(await count(`projects/${project.id}/runs`)).toBe(6)
    expect(tool.maxConcurrent).toBeLessThanOrEqual(4)
    const { body } = await server.request<{ data: { name: string; sha256: string }[] }>(
      'GET',
      `/v1/projects/${project.id}/test-cases/WEB-1/attachments`,
      { token: project.admin.token },
    )
    expect(body.data.map(({ name }) => name)).toEqual(['file 1.txt'])
    const { token } = project.admin
    const { body: found } = await server.request<{ data: { test_case_id: string }[] }>(
      'GET',
      `/v1/projects/${project.id}/case-aliases?key=C25`,
      { token },
    )
    const { body: shown } = await server.request<{ data: { precondition: string; attachment_count: number } }>(
      'GET',
      `/v1/projects/${project.id}/test-cases/${found.data[0]?.test_case_id}`,
      { token: project.admin.token },
    )
    expect(shown.data).toMatchObject({
      precondition: expect.stringMatching(/^Precondition of 25\n!\[picture-2\]\(attachment:[0-9a-f-]{36}\)$/),
    })

    tool.requests.length = 0
    const again = await run(...getArgs('whole', '--yes', '--json'))
    expect(again).toMatchObject({ exitCode: 0 })
    const repeated = JSON.parse(again.stdout) as Import & { files: object }
    expect(repeated.planning?.actions).toContainEqual({ kind: 'case', action: 'unchanged', count: 130 })
    expect(repeated.planning?.actions).toContainEqual({ kind: 'run', action: 'unchanged', count: 6 })
    expect(repeated).toMatchObject({ files: { count: 0, unchanged: 31 } })
    expect(tool.requests.length).toBeGreaterThan(130)
    expect(await readAll(join(cwd, 'whole'))).not.toContain(TESTRAIL_KEY)
  })

  it.each<[string, Faults]>([
    ['429 every third time', { rateLimitEvery: 3 }],
    ['500 once', { failOnce: /get_cases/ }],
    ['a connection lost within a body', { resetOnce: /get_results_for_run/ }],
    ['slow answers', { delayMs: 5 }],
    ['pages that shift while they are read', { shiftsPages: true }],
  ])('writes the same bundle with %s', async (name, faults) => {
    Object.assign(tool.faults, faults)
    const out = name.replaceAll(' ', '-')
    expect(await run(...getArgs(out, '--dry-run', '--attachments', 'none'))).toMatchObject({ exitCode: 0 })
    for (const fault of Object.keys(tool.faults)) delete tool.faults[fault as keyof Faults]
    if ((await readdir(cwd)).every((entry) => entry !== 'plain'))
      await run(...getArgs('plain', '--dry-run', '--attachments', 'none'))
    expect(await readDigest(out)).toBe(await readDigest('plain'))
  })

  it('goes on without the users when they are forbidden, and says so in the plan', async () => {
    tool.faults.forbid = /get_users/
    const { exitCode, stdout } = await run(...getArgs('forbidden', '--dry-run', '--attachments', 'none'))
    expect(exitCode).toBe(0)
    expect(stdout).toContain('1 × list_refused')
  })

  it('reads a list of another length than announced once more, then reports it and ends with 2', async () => {
    tool.faults.wrongTotal = { add: 1, times: 1 }
    const { exitCode, stdout, stderr } = await run(...getArgs('total', '--dry-run', '--attachments', 'none'))
    expect(exitCode).toBe(2)
    expect(stderr).toContain('TestRail says that tests 6 has 66 entries, and answered with 65, twice.')
    expect(stdout).toContain('1 × list_differs')
    expect(tool.requests.filter((request) => request.includes('get_tests/6&limit=250&offset=0'))).toHaveLength(2)
  })

  it.each<[string, Faults, RegExp]>([
    ['a page to sign in', { signInPage: true }, /get_project\/3 was answered with a web page, such as one to sign in,/],
    [
      'a redirect to another host',
      { redirectTo: 'https://other.example/' },
      /redirects to https:\/\/other\.example, which is refused/,
    ],
    ['a refused key', { refusesSecret: true }, /TestRail does not accept your credentials \(401/],
    ['a forbidden project', { forbid: /get_project/ }, /was refused \(403: No access\)\.\n +Use an API key/],
    ['a wait of an hour', { rateLimitEvery: 1, retryAfterSeconds: 3600 }, /failed after 1 attempt: 429/],
  ])('ends with 1 and a reason without the key at %s', async (_, faults, message) => {
    Object.assign(tool.faults, faults)
    const { exitCode, stdout, stderr } = await run(...getArgs('refused', '--fresh', '--dry-run'))
    expect({ exitCode, stdout }).toEqual({ exitCode: 1, stdout: '' })
    expect(stderr).toMatch(message)
    const basic = Buffer.from(`${TESTRAIL_USER}:${TESTRAIL_KEY}`).toString('base64')
    for (const secret of [TESTRAIL_KEY, basic]) {
      expect(stderr).not.toContain(secret)
      expect(await readAll(join(cwd, 'refused'))).not.toContain(secret)
    }
  })

  it('trusts the certificate of --ca, directly and through a proxy', async () => {
    const own = await makeCertificate('localhost')
    const secure = createServer({ key: own.key, cert: own.certificate }, (from, to) => {
      const onward = sendRequest(`${tool.url}${from.url ?? ''}`, { headers: from.headers }, (response) => {
        to.writeHead(response.statusCode ?? 502, response.rawHeaders)
        response.pipe(to)
      })
      from.pipe(onward)
    })
    await new Promise<void>((resolve) => secure.listen(0, 'localhost', resolve))
    onTestFinished(async () => {
      secure.closeAllConnections()
      secure.close()
      await own.remove()
    })
    const { port } = secure.address() as AddressInfo
    const proxy = await startForwardingProxy({ resolve: () => port })
    const read = (out: string, more: readonly string[], env: NodeJS.ProcessEnv = {}) => {
      const args = getArgs(out, '--dry-run', '--suite', '3', '--attachments', 'none', ...more)
      args[args.indexOf(tool.url)] = `https://localhost:${port}`
      return runInProcess(args, { cwd, env: { ...getEnv(), ...env } })
    }
    expect(await read('untrusted', [])).toMatchObject({
      exitCode: 1,
      stderr: expect.stringMatching(
        /the certificate is not trusted \(\w+\)\.\n +Give the certificates that TestRail has: --ca FILE\./,
      ),
    })
    expect(await read('direct', ['--ca', own.path])).toMatchObject({ exitCode: 0 })
    const env = { HTTPS_PROXY: `http://${proxy.host}`, NO_PROXY: '127.0.0.1' }
    expect(await read('proxied', ['--ca', own.path], env)).toMatchObject({ exitCode: 0 })
    expect(proxy.requests).toContain(`CONNECT localhost:${port}`)
  })

  it('reads only runs since a day, and only one suite', async () => {
    const { stdout } = await run(
      ...getArgs('since', '--dry-run', '--json', '--since', '2024-07-01', '--attachments', 'none'),
    )
    const { reading } = JSON.parse(stdout) as Import
    expect(reading?.counts).toContainEqual({ kind: 'case', count: 130 })
    expect(reading?.counts).toContainEqual({ kind: 'run', count: 3 })
    const suite = await run(...getArgs('suite', '--dry-run', '--json', '--suite', '3', '--attachments', 'none'))
    const { reading: part } = JSON.parse(suite.stdout) as Import
    expect(part?.counts).toContainEqual({ kind: 'case', count: 8 })
    expect(part?.counts.find(({ kind }) => kind === 'run')).toBeUndefined()
  })

  it('refuses other choices for the same directory, and ends with a sentence without a key', async () => {
    await writeFile(join(cwd, 'no.pem'), 'nothing')
    await run(...getArgs('choices', '--dry-run', '--suite', '3', '--attachments', 'none'))
    expect(await run(...getArgs('choices', '--dry-run'))).toMatchObject({
      exitCode: 1,
      stderr: expect.stringContaining('has answers to other choices'),
    })
    expect(await run(...getArgs('ca', '--dry-run', '--ca', 'no.pem'))).toMatchObject({
      exitCode: 1,
      stderr: expect.stringContaining('--ca no.pem has no certificate in PEM.'),
    })
    expect(await runInProcess(getArgs('key', '--dry-run'), { cwd, env: getEnv('') })).toMatchObject({
      exitCode: 1,
      stderr: expect.stringContaining('TESTRAIL_API_KEY is set but empty'),
    })
  })

  it('keeps what could not be attached, names it, and attaches it at the next start', async () => {
    tool.faults.forbid = /get_attachment\/7$/
    const first = await run(...getArgs('files', '--yes'))
    expect(first).toMatchObject({
      exitCode: 2,
      stderr: expect.stringMatching(/1 file not imported \(attachment_failed\):\n {2}C7: file 7\.txt/),
    })
    delete tool.faults.forbid
    tool.requests.length = 0
    expect(await run(...getArgs('files', '--yes'))).toMatchObject({ exitCode: 0 })
    expect(tool.requests).toEqual(['GET /index.php?/api/v2/get_attachment/7'])
  })
})
