import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'

import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'

import { buildCommand, createCommandRunner } from '@caseward/test-support/caseward-command'
import { getRunResults, makeCiToken, makeProject, makeRun, makeTestCases } from '@caseward/test-support/factories'
import { startTestServer, type TestServer } from '@caseward/test-support/test-server'

/* `caseward upload` as a pipeline runs it, against a real server. */

let server: TestServer
let project: Awaited<ReturnType<typeof makeProject>>
let token: string
let directory: Awaited<ReturnType<typeof createCommandRunner>>
let cwd: string
let runId: string

beforeAll(async () => {
  await buildCommand()
  server = await startTestServer()
  project = await makeProject(server)
  await makeTestCases(server, project, 4)
  token = await makeCiToken(server, project)
  directory = await createCommandRunner()
  cwd = directory.cwd
})
afterAll(async () => {
  await server.close()
  await directory.remove()
})
beforeEach(async () => {
  runId = (await makeRun(server, project)).id
})

interface Surroundings {
  readonly env?: Record<string, string>
  readonly input?: string | Uint8Array
}

async function run(args: string[], { env = {}, input = '' }: Surroundings = {}) {
  const settings = { SERVICE_URL: server.url, SERVICE_TOKEN: token, SERVICE_RUN_ID: runId }
  return await directory.run(args, { env: { ...settings, ...env }, input })
}

/** A JUnit file in which each test names its case, and fails where it says so. */
function junit(...tests: string[]): string {
  const cases = tests.map((test) => {
    const [name = '', outcome] = test.split(':')
    return `<testcase name="${name}">${outcome === 'failed' ? '<failure message="no"/>' : ''}</testcase>`
  })
  return `<?xml version="1.0" encoding="UTF-8"?>\n<testsuite name="s">${cases.join('')}</testsuite>`
}

async function write(name: string, content: string | Uint8Array) {
  await mkdir(join(cwd, name, '..'), { recursive: true })
  await writeFile(join(cwd, name), content)
}
async function statuses() {
  const results = await getRunResults(server, runId, project.admin.token)
  return Object.fromEntries([...results].map(([id, { status }]) => [id, status]))
}
const untouched = { 'WEB-1': 'not_tested', 'WEB-2': 'not_tested', 'WEB-3': 'not_tested', 'WEB-4': 'not_tested' }

describe('caseward upload', () => {
  it(
    'stores a JUnit file, says what, and ends with 0',
    {
      tags: [
        'spec:service/who-reports-from-a-suite-calls-the-ci-upload',
        'spec:service/a-token-and-a-run-id-come-from-service_token',
      ],
    },
    async () => {
      await write('a.xml', junit('WEB-1 logs in', 'WEB-2 pays:failed'))
      expect(await run(['upload', 'a.xml'])).toEqual({
        exitCode: 0,
        stdout: 'a.xml: 2 stored (1 passed, 1 failed)\n',
        stderr: '',
      })
      expect(await statuses()).toEqual({ ...untouched, 'WEB-1': 'passed', 'WEB-2': 'failed' })
    },
  )

  it('names each item that was not stored, with its reason, and ends with 2', async () => {
    await write('a.xml', junit('WEB-1', 'WEB-99', 'nameless'))
    const { exitCode, stdout } = await run(['upload', 'a.xml'])
    expect(exitCode).toBe(2)
    expect(stdout).toMatch(/^a\.xml: 1 stored \(1 passed\), 2 not stored\n/)
    expect(stdout).toMatch(/\n {2}- WEB-99 is not in this run/)
    expect(stdout).toMatch(/\n {2}- nameless: No test case id in its properties, name or class/)
    expect(await statuses()).toEqual({ ...untouched, 'WEB-1': 'passed' })
  })

  it('ends with 1 when no item could be stored', async () => {
    await write('a.xml', junit('WEB-99'))
    const { exitCode, stdout } = await run(['upload', 'a.xml'])
    expect({ exitCode, stdout }).toEqual({ exitCode: 1, stdout: expect.stringMatching(/^a\.xml: 1 not stored\n/) })
  })

  it('stores nothing in a dry run, and says what it would', async () => {
    await write('a.xml', junit('WEB-1', 'WEB-99'))
    await write('b.json', '[{"test_case_id": "WEB-2", "status": "blocked"}]')
    const { exitCode, stdout } = await run(['upload', '--dry-run', 'a.xml', 'b.json'])
    expect(exitCode).toBe(2)
    expect(stdout).toMatch(/^a\.xml: 1 would be stored \(1 passed\), 1 would not be stored\n/)
    expect(stdout).toMatch(/b\.json: 1 would be stored \(1 blocked\)\nWould store 2 results of 2 files/)
    expect(await statuses()).toEqual(untouched)
  })

  it('takes JSON results, with their notes and seconds', async () => {
    await write('r.json', '{"results": [{"test_case_id": "WEB-3", "status": "retest", "note": "é", "elapsed": 7}]}')
    expect(await run(['upload', 'r.json'])).toMatchObject({ exitCode: 0, stdout: 'r.json: 1 stored (1 retest)\n' })
    const results = await getRunResults(server, runId, project.admin.token)
    expect(results.get('WEB-3')).toMatchObject({ status: 'retest', note: 'é', elapsed: 7 })
  })

  it('reads standard input', async () => {
    expect(await run(['upload', '-'], { input: junit('WEB-1') })).toMatchObject({
      exitCode: 0,
      stdout: 'standard input: 1 stored (1 passed)\n',
    })
  })

  it("keeps a file's own encoding", async () => {
    const text = `<?xml version="1.0" encoding="ISO-8859-1"?><testsuite><testcase name="WEB-1"><failure message="é"/></testcase></testsuite>`
    await write('latin1.xml', Buffer.from(text, 'latin1'))
    const utf16 = `\uFEFF${text.replace('ISO-8859-1', 'UTF-16').replace('WEB-1', 'WEB-2')}`
    await write('utf16.xml', Buffer.from(utf16, 'utf16le'))
    expect(await run(['upload', 'latin1.xml', 'utf16.xml'])).toMatchObject({ exitCode: 0 })
    const results = await getRunResults(server, runId, project.admin.token)
    expect(results.get('WEB-1')?.note).toContain('é')
    expect(results.get('WEB-2')?.note).toContain('é')
  })
})

describe('caseward upload --finished-at', () => {
  it.each([
    ['XML', 'late.xml', junit('WEB-1:failed')],
    ['JSON', 'late.json', '[{"test_case_id": "WEB-1", "status": "failed"}]'],
  ])('leaves what is newer on the server, and says so: %s', async (_, name, content) => {
    await write('now.xml', junit('WEB-1'))
    await write(name, content)
    await run(['upload', 'now.xml'])
    const { exitCode, stdout } = await run(['upload', name, '--finished-at', '2026-01-02T03:04:05Z'])
    expect(exitCode).toBe(1)
    expect(stdout).toMatch(/1 not stored\n {2}- WEB-1 has a newer result/)
    expect(await statuses()).toEqual({ ...untouched, 'WEB-1': 'passed' })
  })
})

describe('caseward upload --json', () => {
  it('says on standard output all that it says to people, and nothing else', async () => {
    await write('j/a.xml', junit('WEB-1', 'WEB-99'))
    await write('j/b.xml', '<broken')
    const { exitCode, stdout, stderr } = await run(['upload', 'j', 'gone.xml', '--json'])
    expect({ exitCode, stderr }).toEqual({ exitCode: 2, stderr: '' })
    const stats = { passed: 1, failed: 0, blocked: 0, retest: 0, not_tested: 0 }
    const counts = { uploaded_count: 1, failed_count: 1, stats }
    const errors = [{ test_case_id: 'WEB-99', error: expect.any(String), code: 'not_in_run' }]
    expect(JSON.parse(stdout)).toEqual({
      run_id: runId,
      dry_run: false,
      ...counts,
      files: [
        { name: 'gone.xml', stored: false, reasons: [expect.stringMatching(/^there is no such file/)] },
        { name: 'j/a.xml', stored: true, ...counts, errors },
        { name: 'j/b.xml', stored: false, reasons: [expect.stringMatching(/^it cannot be read/)] },
      ],
      files_not_sent: 0,
    })
  })

  it('names the error that ended it, with its code', async () => {
    await write('a.xml', junit('WEB-1'))
    const { exitCode, stdout } = await run(['upload', 'a.xml', '--json'], {
      env: { SERVICE_TOKEN: project.admin.token },
    })
    expect(exitCode).toBe(1)
    expect(JSON.parse(stdout)).toMatchObject({
      uploaded_count: 0,
      files_not_sent: 1,
      error: { message: expect.stringMatching(/Put a CI token/), code: 'ci_token_required' },
    })
  })
})

describe('several files', () => {
  it('are each an upload, sorted as people count, so that the last one counts', async () => {
    await write('many/shard-10.xml', junit('WEB-1'))
    await write('many/shard-2.xml', junit('WEB-1:failed', 'WEB-2'))
    await write('many/other.txt', 'no')
    const { exitCode, stdout } = await run(['upload', 'many/*.xml'])
    expect({ exitCode, stdout }).toEqual({
      exitCode: 0,
      stdout: [
        'many/shard-2.xml: 2 stored (1 passed, 1 failed)',
        'many/shard-10.xml: 1 stored (1 passed)',
        'Stored 3 results of 2 files (2 passed, 1 failed).',
        '',
      ].join('\n'),
    })
    expect(await statuses()).toEqual({ ...untouched, 'WEB-1': 'passed', 'WEB-2': 'passed' })
  })

  it('do not keep one another from being stored', async () => {
    await write('dir/broken.xml', '<testsuite>\n  <testcase name="WEB-2"></testsuite>')
    await write('dir/good.xml', junit('WEB-1'))
    await write('dir/nunit.xml', '<?xml version="1.0"?><test-run id="2"><test-suite/></test-run>')
    const { exitCode, stdout, stderr } = await run(['upload', 'gone.xml', 'dir'])
    expect({ exitCode, stderr }).toEqual({ exitCode: 2, stderr: '' })
    expect(stdout).toMatch(/gone\.xml: not stored\n {2}- there is no such file/)
    expect(stdout).toMatch(/dir\/broken\.xml: not stored\n {2}- it cannot be read: .*line 2.*column/)
    expect(stdout).toMatch(/dir\/good\.xml: 1 stored \(1 passed\)\n/)
    expect(stdout).toMatch(/dir\/nunit\.xml: not stored\n {2}- it cannot be read: .*NUnit/)
    expect(stdout).toMatch(/Stored 1 result of 1 file \(1 passed\); not stored: 3 files\.\n$/)
    expect(await statuses()).toEqual({ ...untouched, 'WEB-1': 'passed' })
  })

  it('each tell what is wrong in JSON', async () => {
    await write('r.json', '[{"test_case_id": "WEB-1", "status": "green"}, {"status": "passed"}]')
    const { exitCode, stdout } = await run(['upload', 'r.json'])
    expect(exitCode).toBe(1)
    expect(stdout).toMatch(/\n {2}- \/results\/0\/status .*\n {2}- \/results\/1/)
  })
})

describe('what the server refuses', () => {
  beforeEach(() => write('a.xml', junit('WEB-1')))
  const other = async () => await makeCiToken(server, await makeProject(server, { prefix: 'APP' }))

  it.each([
    ['a token that is wrong', () => 'cwc_wrong', /\(401 \w+\)\n.*Check SERVICE_TOKEN/],
    ['a personal token', () => project.admin.token, /\(403 ci_token_required\)\n.*Put a CI token \(cwc_…\)/],
    ['a token without write access', () => makeCiToken(server, project, 'read'), /\(403 \w+\)\n.*with write access/],
    [
      "another project's token",
      other,
      /\(404 not_found\)\n.*Check that SERVICE_RUN_ID \(\S+\) is a run of the project/,
    ],
  ])(
    'ends it at once, and says what to do: %s',
    { tags: ['spec:service/a-token-and-a-run-id-come-from-service_token'] },
    async (_, wrong, message) => {
      const { exitCode, stdout, stderr } = await run(['upload', 'a.xml', 'a.xml', '-'], {
        env: { SERVICE_TOKEN: await wrong() },
      })
      expect({ exitCode, stdout }).toEqual({ exitCode: 1, stdout: 'Stored nothing; not stored: 2 files.\n' })
      expect(stderr).toMatch(message)
      expect(await statuses()).toEqual(untouched)
    },
  )

  it('is told for a run that is not there', async () => {
    const { exitCode, stderr } = await run(['upload', 'a.xml', '--run', 'nightly'])
    expect({ exitCode, stderr }).toEqual({ exitCode: 1, stderr: expect.stringMatching(/Check that --run \(nightly\)/) })
  })

  it('is told for a completed run', async () => {
    await server.request('PATCH', `/v1/runs/${runId}`, { token: project.admin.token, body: { status: 'completed' } })
    const { exitCode, stderr } = await run(['upload', 'a.xml'])
    expect({ exitCode, stderr }).toEqual({
      exitCode: 1,
      stderr: expect.stringMatching(/\(409 run_completed\)\n.*Reopen the run, or name another one in SERVICE_RUN_ID/),
    })
    expect(await statuses()).toEqual(untouched)
  })
})

describe('the rate limit', () => {
  it('is told when it does not end in time, and the files stored before it stay', async () => {
    const strict = await startTestServer({ rateLimit: 1 })
    try {
      const busy = await makeProject(strict)
      await makeTestCases(strict, busy, 1)
      const env = {
        SERVICE_URL: strict.url,
        SERVICE_TOKEN: await makeCiToken(strict, busy),
        SERVICE_RUN_ID: (await makeRun(strict, busy)).id,
      }
      await write('limit/a.xml', junit('WEB-1'))
      await write('limit/b.xml', junit('WEB-1'))
      const { exitCode, stdout, stderr } = await run(['upload', 'limit', '--retries', '0'], { env })
      expect(exitCode).toBe(2)
      expect(stdout).toMatch(
        /^limit\/a\.xml: 1 stored .*\nStored 1 result of 1 file \(1 passed\); not stored: 1 file\./,
      )
      expect(stderr).toMatch(/\(429 \w+\)\n.*give each pipeline its own/)
    } finally {
      await strict.close()
    }
  })
})
