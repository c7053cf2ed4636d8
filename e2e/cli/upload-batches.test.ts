import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

import { beforeEach, describe, expect, it, onTestFinished } from 'vitest'

import { startFakeServer } from './fake-server.ts'
import { runInProcess } from './run-in-process.ts'
import { buildJunitXml } from './upload-scenario.ts'

let cwd: string
beforeEach(async () => {
  cwd = await mkdtemp(join(tmpdir(), 'caseward-batches-'))
  const directory = cwd
  onTestFinished(() => rm(directory, { recursive: true }))
  await mkdir(join(cwd, '.git'))
  await mkdir(join(cwd, 'r'))
})
const write = (name: string, content: string | Uint8Array) => writeFile(join(cwd, name), content)

interface Body {
  readonly reports: readonly { readonly path: string; readonly junit_xml: string }[]
  readonly [field: string]: unknown
}

const stats = { passed: 1, failed: 0, blocked: 0, retest: 0, not_tested: 0 }
const tests = { total: 1, matched: 1, unmatched: 0, flaky: 0, created: 0 }
const receipt = { success: true, uploaded_count: 1, failed_count: 0, stats, tests }

/** Uploads to a server that answers every upload in the same way, and returns what it received. */
async function upload(
  args: readonly string[],
  {
    env = {},
    reply = () => [200, receipt],
  }: { env?: Record<string, string>; reply?: (isBatch: boolean) => [number, object] } = {},
) {
  const requests: { url: string; body: string; isBatch: boolean }[] = []
  const { url } = await startFakeServer((request, response) => {
    const chunks: Buffer[] = []
    request.on('data', (chunk: Buffer) => chunks.push(chunk))
    request.on('end', () => {
      const isBatch = request.headers['content-type'] === 'application/json'
      requests.push({ url: request.url ?? '', body: Buffer.concat(chunks).toString('latin1'), isBatch })
      const [status, body] = reply(isBatch)
      response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body))
    })
  })
  const settings = { SERVICE_URL: url, SERVICE_TOKEN: 'cwc_t', SERVICE_RUN_ID: 'run-1' }
  const output = await runInProcess(['upload', ...args], { cwd, env: { ...settings, ...env } })
  const bodies = requests.map(({ body, isBatch }) =>
    isBatch ? (JSON.parse(Buffer.from(body, 'latin1').toString('utf8')) as Body) : null,
  )
  return { ...output, requests, bodies }
}

describe('caseward upload of many small reports', () => {
  it('sends 150 of them in one request, with their paths in the checkout and the source', async () => {
    for (let index = 0; index < 150; index += 1) await write(`r/TEST-${index}.xml`, buildJunitXml(`test ${index}`))
    const env = { GITHUB_RUN_ID: '1', GITHUB_WORKFLOW: 'CI', GITHUB_JOB: 'unit', GITHUB_RUN_ATTEMPT: '2' }
    const args = ['r', '--variant', 'node 20', '--rerun', '--equal-names', 'attempts', '--add-to-run']
    const { exitCode, bodies } = await upload(args, { env })
    expect({ exitCode, count: bodies.length }).toEqual({ exitCode: 0, count: 1 })
    expect(bodies[0]).toMatchObject({
      run_id: 'run-1',
      job: 'CI / unit',
      build_attempt: 2,
      variant: 'node 20',
      rerun: true,
      equal_names: 'attempts',
      add_to_run: true,
      root: expect.stringContaining('caseward-batches-'),
    })
    expect(bodies[0]?.reports.map(({ path }) => path).slice(0, 3)).toEqual([
      'r/TEST-0.xml',
      'r/TEST-1.xml',
      'r/TEST-2.xml',
    ])
    expect(bodies[0]?.reports).toHaveLength(150)
  })

  it('sends no path that leads out of the checkout', async () => {
    await mkdir(join(cwd, 'r/.git'))
    await write('a.xml', buildJunitXml('a'))
    await write('r/b.xml', buildJunitXml('b'))
    cwd = join(cwd, 'r')
    const { bodies } = await upload(['../a.xml', 'b.xml'])
    expect(bodies[0]?.reports.map(({ path }) => path)).toEqual(['a.xml', 'b.xml'])
  })

  it('sends as many requests as 8 MB each need, and a file that is larger alone', async () => {
    const output = 'x'.repeat(3 * 1024 * 1024)
    const build = (text: string) => `<testsuite><testcase name="a"/><system-out>${text}</system-out></testsuite>`
    for (const name of ['a', 'b', 'c', 'd']) await write(`r/${name}.xml`, build(output))
    await write('r/e.xml', build(output.repeat(3)))
    const { exitCode, bodies, requests } = await upload(['r'])
    expect(exitCode).toBe(0)
    expect(bodies.map((body) => body?.reports.length ?? requests[2]?.url.match(/report=([^&]*)/)?.[1])).toEqual([
      2,
      2,
      'r%2Fe.xml',
    ])
  })

  it('keeps the texts of reports in other encodings', async () => {
    const xml = (encoding: string) =>
      `<?xml version="1.0" encoding="${encoding}"?><testsuite><testcase name="é"/></testsuite>`
    await write('r/latin1.xml', Buffer.from(xml('ISO-8859-1'), 'latin1'))
    await write('r/utf8.xml', xml('UTF-8'))
    await write('r/utf16.xml', Buffer.from(`\uFEFF${xml('UTF-16')}`, 'utf16le'))
    const { bodies } = await upload(['r'])
    expect(bodies[0]?.reports.map(({ junit_xml: text }) => /name="(.*)"/.exec(text)?.[1])).toEqual(['é', 'é', 'é'])
  })

  it('sends each alone when the server refuses them together, as an older one does', async () => {
    await write('r/a.xml', buildJunitXml('a'))
    await write('r/b.xml', buildJunitXml('b'))
    const problem = { type: 'about:blank', title: 'Bad Request', status: 400, detail: 'No.', code: 'validation_failed' }
    const { exitCode, requests, stdout } = await upload(['r'], {
      reply: (isBatch) => (isBatch ? [400, problem] : [200, receipt]),
    })
    expect({ exitCode, kinds: requests.map(({ isBatch }) => isBatch) }).toEqual({
      exitCode: 0,
      kinds: [true, false, false],
    })
    expect(stdout).toMatch(/^r\/a\.xml: 1 stored \(1 passed\)\nr\/b\.xml: 1 stored \(1 passed\)\n/)
  })

  it('waits as long as the rate limit asks for, and says so', async () => {
    await write('r/a.xml', buildJunitXml('a'))
    await write('r/b.xml', buildJunitXml('b'))
    let isFirst = true
    const { url } = await startFakeServer((request, response) => {
      request.resume()
      const [status, body] = isFirst
        ? [429, { type: 'about:blank', title: 'Too Many Requests', status: 429, detail: 'Slow.', code: 'rate_limited' }]
        : [200, receipt]
      isFirst = false
      response.writeHead(status, { 'content-type': 'application/json', 'retry-after': '1' }).end(JSON.stringify(body))
    })
    const env = { SERVICE_URL: url, SERVICE_TOKEN: 'cwc_t', SERVICE_RUN_ID: 'run-1' }
    const { exitCode, stderr } = await runInProcess(['upload', 'r'], { cwd, env })
    expect({ exitCode, stderr }).toEqual({ exitCode: 0, stderr: expect.stringMatching(/Trying again in [12] s/) })
  })
})

describe('caseward upload of other XML', () => {
  const others = {
    'failsafe-summary.xml': '<?xml version="1.0"?>\n<!-- a --><failsafe-summary result="null"/>',
    'coverage.xml': '<?xml version="1.0"?><!DOCTYPE coverage SYSTEM "a.dtd"><coverage line-rate="0.9"/>',
    'testng-results.xml': '<testng-results/>',
    'checkstyle.xml': '\uFEFF<checkstyle version="8"/>',
  }
  beforeEach(async () => {
    for (const [name, text] of Object.entries(others)) await write(`r/${name}`, text)
    await write('r/TEST-a.xml', buildJunitXml('a'))
  })
  const all = [...Object.keys(others), 'TEST-a.xml'].map((name) => `r/${name}`)

  it.each([
    ['a directory', ['r']],
    ['a pattern', ['r/*.xml']],
    ['a pattern that the shell expands', all],
  ])('skips it with one line in %s', async (_, args) => {
    const { exitCode, stdout, requests } = await upload(args)
    expect({ exitCode, count: requests.length }).toEqual({ exitCode: 0, count: 1 })
    expect(stdout.match(/: skipped\. This .*\n/g)).toHaveLength(4)
    expect(stdout).toContain('r/coverage.xml: skipped. This looks like a Cobertura or Clover coverage report')
    expect(stdout).toContain('\nStored 1 result from 1 file (1 passed).\n')
  })

  it('sends a file that is named by itself, so that the server refuses it', async () => {
    const { requests } = await upload(['r/coverage.xml'])
    expect(requests.map(({ body }) => body)).toEqual([others['coverage.xml']])
  })
})

describe('caseward upload in which no test is found', () => {
  const empty = {
    ...receipt,
    uploaded_count: 0,
    stats: { ...stats, passed: 0 },
    tests: { ...tests, total: 0, matched: 0 },
  }

  it('ends with exit code 2, and says what was read and what to check', async () => {
    await write('r/a.xml', '<testsuites/>')
    await write('r/coverage.xml', '<coverage/>')
    const { exitCode, stderr } = await upload(['r'], { reply: () => [200, empty] })
    expect(exitCode).toBe(2)
    expect(stderr).toMatch(
      /^No test was found in 2 files of r:\n(?: {2}- r\/.*\n){2}Check that .*\n.*--allow-empty\.\n$/,
    )
    const { stdout } = await upload(['r', '--json'], { reply: () => [200, empty] })
    expect(JSON.parse(stdout)).toMatchObject({ error: { code: 'no_tests' } })
  })

  it('ends with exit code 0 with --allow-empty, also if there is no file, but not if a named file is missing', async () => {
    await write('r/a.xml', '<testsuites/>')
    const reply = (): [number, object] => [200, empty]
    expect(await upload(['r', '--allow-empty'], { reply })).toMatchObject({ exitCode: 0, stderr: '' })
    expect(await upload(['out/*.xml', '--allow-empty'], { reply })).toMatchObject({ exitCode: 0, stderr: '' })
    expect(await upload(['out/a.xml', '--allow-empty'], { reply })).toMatchObject({ exitCode: 1 })
  })
})

describe('caseward upload with notices of the server', () => {
  it('prints that the run was opened again, and fields and statuses that the server does not know', async () => {
    await write('r/a.xml', buildJunitXml('a'))
    const noticed = {
      ...receipt,
      reopened: true,
      links: {
        added: 1,
        known: 0,
        refused_count: 2,
        refused: [
          { url: 'ftp://acme.test', code: 'invalid_link', error: 'The address must begin with http:// or https://.' },
          { url: 'https://acme.test', code: 'result_not_stored', error: 'The test has no test case.' },
        ],
      },
      tests: { ...tests, unknown_status: { count: 2, examples: ['status="flagged"'] }, skipped_text: '> npm test' },
      warnings: [{ code: 'unknown_field', field: 'rerum', did_you_mean: 'rerun' }],
    }
    const { exitCode, stderr } = await upload(['r'], { reply: () => [200, noticed] })
    expect({ exitCode, stderr }).toEqual({
      exitCode: 0,
      stderr: [
        'The run had completed by itself and was opened again.',
        '2 tests with a status that is not known count as passed: status="flagged".',
        'Skipped text before the XML: “> npm test”.',
        'ftp://acme.test is not linked: The address must begin with http:// or https://.',
        'The server does not know the field rerum, and ignored it. Did you mean rerun?',
        '',
      ].join('\n'),
    })
  })
})
