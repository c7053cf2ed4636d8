import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

import { beforeEach, describe, expect, it, onTestFinished } from 'vitest'

import { startFakeServer } from './fake-server.ts'
import { runInProcess } from './run-in-process.ts'

/* Responses of a server without run keys, shards and `fields=all`: fields are missing, or a whole endpoint. */

let cwd: string
beforeEach(async () => {
  cwd = await mkdtemp(join(tmpdir(), 'caseward-older-'))
  onTestFinished(() => rm(cwd, { recursive: true }))
  await writeFile(join(cwd, 'a.xml'), '<testsuites/>')
})

const id = '019aa5b6-3c41-7a4c-8f5e-2f0f8c3f5a01'
const stats = { passed: 1, failed: 0, blocked: 0, retest: 0, not_tested: 0 }
const run = { id, name: 'Nightly', status: 'in_progress', stats, result_count: 1, pass_rate: 100 }
const listedTestCase = {
  id: 'WEB-1',
  title: 'Pays',
  folder_id: null,
  priority: 'low',
  type: 'api',
  precondition: '',
  steps: [],
  expected_result: '',
}
const responses: Record<string, [status: number, body: object]> = {
  [`POST /v1/projects/${id}/runs`]: [201, { data: run }],
  [`GET /v1/runs/${id}`]: [200, { data: run }],
  'POST /v1/results': [200, { success: true, uploaded_count: 1, failed_count: 0, stats }],
  [`GET /v1/projects/${id}/folders`]: [200, { data: [] }],
  [`GET /v1/projects/${id}/test-cases`]: [200, { data: [listedTestCase], meta: { page: 1, per_page: 100, total: 1 } }],
  [`GET /v1/projects/${id}/test-cases/WEB-1`]: [200, { data: { ...listedTestCase, tags: ['t'], automation_key: 'k' } }],
}
const noSuchEndpoint = {
  type: 'about:blank',
  title: 'Not Found',
  status: 404,
  detail: 'There is no such endpoint.',
  code: 'no_such_endpoint',
}

async function startOlderServer(): Promise<string> {
  const { url } = await startFakeServer((request, response) => {
    request.resume()
    const [status, body] = responses[`${request.method} ${request.url?.replace(/\?.*/, '')}`] ?? [404, noSuchEndpoint]
    response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body))
  })
  return url
}

async function caseward(...args: string[]) {
  const env = { SERVICE_URL: await startOlderServer(), SERVICE_TOKEN: 'cwc_t', SERVICE_PROJECT_ID: id }
  return await runInProcess(args, { cwd, env })
}

describe('the command line with an older server', () => {
  it('shows a run', async () => {
    const { exitCode, stdout } = await caseward('run', 'show', id)
    expect({ exitCode, stdout }).toEqual({
      exitCode: 0,
      stdout: expect.stringMatching(/^Nightly: in progress\n1 test case: 1 passed; pass rate 100%\nhttp/),
    })
  })

  it('stores nothing by a run key, which the server does not support', async () => {
    const { exitCode, stdout } = await caseward('upload', 'a.xml', '--run-key', 'k', '--json')
    expect(exitCode).toBe(1)
    expect(JSON.parse(stdout)).toMatchObject({ uploaded_count: 0, error: { code: 'server_too_old' } })
  })

  it('stores results, and reports that the server does not support shards', async () => {
    const { exitCode, stderr } = await caseward('upload', 'a.xml', '--run', id, '--shard', '1')
    expect(exitCode).toBe(2)
    expect(stderr).toMatch(/“1” could not be reported as done:\n.*\nThis server version does not support shards/)
  })

  it('exports test cases with single requests when lists do not contain all fields', async () => {
    const { exitCode, stdout } = await caseward('cases', 'export')
    expect({ exitCode, stdout }).toEqual({
      exitCode: 0,
      stdout: expect.stringMatching(/\nWEB-1,Pays,,low,api,,,,t,k\n$/),
    })
  })
})
