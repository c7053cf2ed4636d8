import { execFile, spawn } from 'node:child_process'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { createServer, type RequestListener, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'

import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest'

/*
 * The command as a person runs it, where no Caseward server answers: help, settings, files, and what networks and
 * proxies do. How it gets on with a real server is tested in apps/server/test/cli-*.test.ts.
 */

vi.setConfig({ testTimeout: 30_000 }) // a child process on a busy machine

const root = fileURLToPath(new URL('../../..', import.meta.url))
const caseward = join(root, 'packages/cli/bin/caseward.js')

let cwd: string
const servers: Server[] = []
beforeAll(async () => {
  // The command runs from dist: a stale one must never make a test pass.
  await promisify(execFile)(join(root, 'node_modules/.bin/tsc'), ['-b', 'packages/cli'], { cwd: root })
}, 120_000)
beforeEach(async () => {
  cwd = await mkdtemp(join(tmpdir(), 'caseward-cli-'))
  await writeFile(join(cwd, 'a.xml'), '<testsuites/>')
  await writeFile(join(cwd, 'b.xml'), '<testsuites/>')
})
afterEach(() => rm(cwd, { recursive: true }))
afterAll(() => servers.forEach((server) => server.close()))

interface Surroundings {
  readonly env?: Record<string, string>
  readonly input?: string
}

async function run(args: string[], { env = {}, input = '' }: Surroundings = {}) {
  const child = spawn(process.execPath, [caseward, ...args], { cwd, env: { PATH: process.env['PATH'], ...env } })
  const output = { stdout: '', stderr: '' }
  child.stdout.on('data', (chunk: Buffer) => (output.stdout += chunk.toString()))
  child.stderr.on('data', (chunk: Buffer) => (output.stderr += chunk.toString()))
  child.stdin.end(input)
  const exitCode = await new Promise<number | null>((resolve) => child.on('close', resolve))
  return { exitCode, ...output }
}

async function listen(answer: RequestListener) {
  const server = createServer(answer)
  servers.push(server)
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`
}

/** Something that answers everything so, as a proxy does. */
const answering = (status: number, headers: Record<string, string> = {}, body = '<html>No</html>') =>
  listen((request, response) => {
    request.resume()
    response.writeHead(status, { 'content-type': 'text/html', ...headers }).end(body)
  })

const settings = (url: string) => ({ SERVICE_URL: url, SERVICE_TOKEN: 'cwc_t', SERVICE_RUN_ID: 'run-1' })
const upload = (url: string, ...args: string[]) => run(['upload', '--retries', '0', ...args], { env: settings(url) })

describe('caseward', () => {
  it('prints its version', async () => {
    expect(await run(['--version'])).toEqual({
      exitCode: 0,
      stdout: expect.stringMatching(/^\d+\.\d+\.\d+\n$/),
      stderr: '',
    })
  })

  it('prints its help, and that of upload with environment and exit codes', async () => {
    expect(await run(['--help'])).toMatchObject({ exitCode: 0, stdout: expect.stringContaining('upload') })
    const help = await run(['upload', '--help'])
    expect(help).toMatchObject({ exitCode: 0, stderr: '' })
    for (const part of ['SERVICE_TOKEN', '--dry-run', 'Exit codes:', 'the last one counts']) {
      expect(help.stdout).toContain(part)
    }
  })

  it.each([
    [['uplaod'], /Did you mean upload\?/],
    [['upload'], /missing required argument 'files'/],
    [['upload', '--token', 'cwc_t', 'a.xml'], /unknown option '--token'/],
    [['upload', '--retries', 'many', 'a.xml'], /It is a number from 0 to 99\./],
  ])('says what is wrong with %j', async (args, message) => {
    expect(await run(args)).toEqual({ exitCode: 1, stdout: '', stderr: expect.stringMatching(message) })
  })
})

describe('settings', () => {
  it(
    'are all named at once when they are missing, with what each is for',
    { tags: ['spec:service/a-token-and-a-run-id-come-from-service_token'] },
    async () => {
      const { exitCode, stdout, stderr } = await run(['upload', 'a.xml'], { env: { SERVICE_TOKEN: '' } })
      expect({ exitCode, stdout }).toEqual({ exitCode: 1, stdout: '' })
      expect(stderr).toMatch(/SERVICE_URL is not set\. It is the address of your Caseward server/)
      expect(stderr).toMatch(/SERVICE_TOKEN is set but empty .* fork/)
      expect(stderr).toMatch(/SERVICE_RUN_ID is not set\..*--run <id>/)
    },
  )

  it('come from the command line before the environment', async () => {
    const seen: { url: string | undefined; token: string | undefined; agent: string | undefined }[] = []
    const url = await listen((request, response) => {
      const { authorization: token, 'user-agent': agent } = request.headers
      seen.push({ url: request.url, token, agent })
      request.resume()
      response.writeHead(401).end()
    })
    await writeFile(join(cwd, 'token'), 'cwc_other\n')
    await run(['upload', 'a.xml', '--run', 'run-2', '--url', `${url}/v1/`, '--token-file', 'token'], {
      env: settings('http://127.0.0.1:9'),
    })
    expect(seen).toEqual([
      {
        url: '/v1/results?run_id=run-2',
        token: 'Bearer cwc_other',
        agent: expect.stringMatching(/^caseward-cli\/\d/),
      },
    ])
  })

  it.each([
    ['caseward.example.com', 'cwc_t', /Not the address of a server: "caseward\.example\.com"\. .* Check SERVICE_URL/],
    ['https://caseward.example.com', 'cwc t', /The token is empty or holds white space/],
  ])('that cannot be are refused before anything is sent: %s %s', async (url, token, message) => {
    const { exitCode, stderr } = await run(['upload', 'a.xml'], { env: { ...settings(url), SERVICE_TOKEN: token } })
    expect({ exitCode, stderr }).toEqual({ exitCode: 1, stderr: expect.stringMatching(message) })
    expect(stderr).not.toContain('cwc t')
  })

  it('say which token file cannot be read', async () => {
    const { exitCode, stderr } = await run(['upload', 'a.xml', '--token-file', 'gone'], { env: settings('http://h') })
    expect({ exitCode, stderr }).toEqual({ exitCode: 1, stderr: expect.stringMatching(/The token file gone cannot/) })
  })
})

describe('files', () => {
  it('that are not there end it with nothing sent', async () => {
    const { exitCode, stdout, stderr } = await upload('http://127.0.0.1:9', 'out/*.xml', 'c.xml')
    expect({ exitCode, stderr }).toEqual({ exitCode: 1, stderr: '' })
    expect(stdout.split('\n')).toEqual([
      'out/*.xml: not stored',
      expect.stringMatching(/^ {2}- no file matches this pattern in \//),
      'c.xml: not stored',
      expect.stringMatching(/^ {2}- there is no such file in \//),
      'Stored nothing; not stored: 2 files.',
      '',
    ])
  })

  it('that cannot be sent are named, with what to do', async () => {
    await writeFile(join(cwd, 'large.xml'), Buffer.alloc(10 * 1024 * 1024 + 1, '<'))
    await writeFile(join(cwd, 'empty.xml'), '')
    await writeFile(join(cwd, 'jest.json'), '{"testResults": []}')
    const { exitCode, stdout } = await upload('http://127.0.0.1:9', 'large.xml', 'empty.xml', 'jest.json')
    expect(exitCode).toBe(1)
    expect(stdout).toMatch(/large\.xml: not stored\n {2}- it has 10\.0 MB and the limit is 10 MB: have the test tool/)
    expect(stdout).toMatch(/empty\.xml: not stored\n {2}- it is empty/)
    expect(stdout).toMatch(/jest\.json: not stored\n {2}- it is JSON, but neither/)
  })

  it('keep to the limit on standard input too', async () => {
    const input = '<'.repeat(10 * 1024 * 1024 + 1)
    const { exitCode, stdout } = await run(['upload', '-'], { env: settings('http://127.0.0.1:9'), input })
    expect({ exitCode, stdout }).toEqual({ exitCode: 1, stdout: expect.stringMatching(/^standard input: not stored/) })
  })
})

describe('output', () => {
  it('that nobody reads on does not end the upload', async () => {
    let requests = 0
    const url = await listen((request, response) => {
      request.resume()
      requests += 1
      response.writeHead(413).end()
    })
    const shell = `"${process.execPath}" "${caseward}" upload a.xml b.xml | true`
    await promisify(execFile)('sh', ['-c', shell], { cwd, env: { ...process.env, ...settings(url) } })
    expect(requests).toBe(2)
  })
})

describe('a network that fails', () => {
  it('is told with what to do, and the files that were not sent are counted', async () => {
    const url = await listen(() => {})
    await new Promise((resolve) => servers.pop()?.close(resolve))
    const { exitCode, stdout, stderr } = await upload(url, 'a.xml', 'b.xml')
    expect({ exitCode, stdout }).toEqual({ exitCode: 1, stdout: 'Stored nothing; not stored: 2 files.\n' })
    expect(stderr).toBe(
      `error: Nothing listens at ${url}.\n       Is Caseward running there, and is SERVICE_URL right, with its port?\n`,
    )
  })

  it('has a word on the proxy that Node does not use', async () => {
    const { stderr } = await run(['upload', '--retries', '0', 'a.xml'], {
      env: { ...settings('http://caseward.invalid'), HTTPS_PROXY: 'http://proxy:3128' },
    })
    expect(stderr).toMatch(/caseward\.invalid is not known here/)
    expect(stderr).toMatch(/HTTPS_PROXY is set, but Node does not use it by itself/)
  })

  it('is tried again, and each time is announced', async () => {
    let requests = 0
    const url = await listen((request, response) => {
      request.resume()
      requests += 1
      response.writeHead(requests < 3 ? 503 : 401, { 'retry-after': '0' }).end()
    })
    const { stderr } = await run(['upload', 'a.xml'], { env: settings(url) })
    expect(requests).toBe(3)
    expect(stderr).toMatch(
      /does not reach Caseward \(503\)\. Trying again in 1 s \(attempt 2 of 5\)\.\n.*attempt 3 of 5/,
    )
  })
})

describe('a proxy or another service', () => {
  it.each([
    [
      'a redirect',
      301,
      { location: 'https://new.example.com/v1/results?run_id=run-1' },
      /redirects to https:\/\/new\.example\.com \(301\)/,
    ],
    ['a limit of its own', 413, {}, /client_max_body_size 10m/],
    ['a page instead of a server', 502, {}, /A proxy before http:\S+ does not reach Caseward \(502\)/],
    ['another site', 200, {}, /answered \(200\), but not as Caseward does: <html>No<\/html>\n.*Check SERVICE_URL/],
    ['a page to sign in', 403, {}, /answered \(403\), but not as Caseward does/],
  ] as const)('is told apart from Caseward: %s', async (_, status, headers, message) => {
    const { exitCode, stdout, stderr } = await upload(await answering(status, headers), 'a.xml')
    expect(exitCode).toBe(1)
    expect(stdout + stderr).toMatch(message)
  })

  it.each([
    [['token', 'check'], { data: [null], meta: {} }],
    [['token', 'check'], { data: [{ id: '7', type: 'projects', attributes: {} }], meta: { total: 1 } }],
    [['token', 'check'], { data: null, meta: { total: 0 } }],
    [['run', 'show'], { data: null }],
    [['cases', 'export', '--project', '019aa5b6-3c41-7a4c-8f5e-2f0f8c3f5a01'], { data: [null], meta: {} }],
  ])('that answers %j with JSON of its own is told apart: %j', async (args, body) => {
    const url = await answering(200, { 'content-type': 'application/json' }, JSON.stringify(body))
    const { exitCode, stdout, stderr } = await run([...args, '--retries', '0'], { env: settings(url) })
    expect({ exitCode, stdout }).toEqual({ exitCode: 1, stdout: '' })
    expect(stderr).toMatch(/answered \(200\), but not as Caseward does: \{"data":.*\n.*Check SERVICE_URL/)
  })

  it('that lists things as Caseward does, but no total, is read once', async () => {
    let requests = 0
    const url = await listen((request, response) => {
      request.resume()
      requests += 1
      const project = { id: '019aa5b6-3c41-7a4c-8f5e-2f0f8c3f5a01', name: 'Web shop', prefix: 'WEB' }
      response.writeHead(200, { 'content-type': 'application/json' })
      response.end(JSON.stringify({ data: [project], meta: {} }))
    })
    await run(['run', 'create', '--project', 'APP'], { env: settings(url) })
    expect(requests).toBe(1)
  })

  it('that refuses one file for its size keeps no other from going', async () => {
    const { exitCode, stdout } = await upload(await answering(413), 'a.xml', 'b.xml')
    expect(exitCode).toBe(1)
    expect(stdout).toMatch(/^a\.xml: not stored\n(.*\n){2}b\.xml: not stored\n/)
  })
})
