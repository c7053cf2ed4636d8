import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

import { describeRunWithoutKey } from '@caseward/ci-run/find-run'
import { describe, expect, it } from 'vitest'

import { json, projects, receipt, run, SAVED, useReporterSandbox } from './reporter.test.helper.ts'
import { parseRecord } from './suite-record.ts'

const { sandbox, startServer, report, listSpool, listRefused } = useReporterSandbox()

describe('a reporter whose suite has finished', () => {
  it('uploads the results with its token and removes the journal', async () => {
    const server = await startServer()
    const { failsSuite, lines } = await report({ url: server.url })
    expect([failsSuite, lines]).toEqual([
      false,
      [`Caseward: stored 1 result (1 passed) in “Nightly”: ${server.url}/runs/run-1`],
    ])
    const upload = server.requests.find(({ route }) => route === 'POST /v1/results')
    expect(upload?.headers).toMatchObject({ authorization: 'Bearer cwc_secret', 'user-agent': 'caseward-test' })
    expect(JSON.parse(upload?.body ?? '')).toEqual({
      run_id: 'run-1',
      format: 'tests',
      label: expect.stringContaining(', Node '),
      tests: [{ name: 'Shop > WEB-1 opens', attempts: [{ status: 'passed', elapsed_ms: 1200 }] }],
      suite_errors: [],
      shard: 'test',
      finished_at: expect.stringMatching(/Z$/),
    })
    expect([listSpool(), listRefused()]).toEqual([[], []])
  })

  it.each<[Parameters<typeof report>[0], object]>([
    [{ options: { createCases: true, addToRun: false } }, { create_test_cases: true, add_to_run: false }],
    [{ env: { SERVICE_CREATE_CASES: '1', SERVICE_ADD_TO_RUN: 'yes' } }, { create_test_cases: true, add_to_run: true }],
    [
      { env: { SERVICE_SHARD: '2' }, errors: [{ location: 'a.test.ts', message: 'no' }] },
      { shard: '2', suite_errors: [{ where: 'a.test.ts', message: 'no' }] },
    ],
  ])('uploads what the options, the environment and errors outside of tests say: %j', async (suite, fields) => {
    const server = await startServer()
    await report({ ...suite, url: server.url })
    const upload = server.requests.find(({ route }) => route === 'POST /v1/results')
    expect(JSON.parse(upload?.body ?? '')).toMatchObject(fields)
  })

  it('keeps the journal, without the token, until the server has responded', async () => {
    let journals: string[] = []
    const server = await startServer({
      'POST /v1/results': (request, response) => {
        journals = listSpool().map((path) => readFileSync(path, 'utf8'))
        json(200, receipt)(request, response)
      },
    })
    await report({ url: server.url })
    const record = parseRecord(journals[0] ?? '')
    expect(record).toMatchObject({ deliveryStart: { runId: 'run-1' }, ending: { interrupted: false } })
    expect(journals.join('')).not.toContain('cwc_secret')
    expect(listSpool()).toEqual([])
  })

  it('sends the end of the suite by the clock of the server', async () => {
    const server = await startServer({
      'GET /v1/projects': json(200, projects, { date: 'Wed, 01 Jan 2031 10:00:00 GMT' }),
    })
    await report({ url: server.url })
    const upload = server.requests.find(({ route }) => route === 'POST /v1/results')
    expect(JSON.parse(upload?.body ?? '')).toMatchObject({
      finished_at: expect.stringMatching(/^2031-01-01T09:59:5|^2031-01-01T10:00/),
    })
  })

  it('uploads once when finish is called several times', async () => {
    const server = await startServer()
    const { reporter } = await report({ url: server.url })
    await Promise.all([reporter.finish(), reporter.finish()])
    expect(server.countUploads()).toBe(1)
  })

  it('finds its run by the run key, shortening long keys without making them equal', async () => {
    const server = await startServer()
    const key = 'k'.repeat(300)
    const env = { SERVICE_RUN_ID: '', SERVICE_PROJECT_ID: 'p-1', SERVICE_RUN_NAME: '\0 Night\uD83Dly ' }
    for (const end of ['1', '2']) await report({ url: server.url, env: { ...env, SERVICE_RUN_KEY: key + end } })
    const requests = server.requests.filter(({ route }) => route === 'POST /v1/projects/p-1/runs')
    const bodies = requests.map(({ body }) => JSON.parse(body) as { run_key: string; name: string })
    expect(bodies.map(({ run_key }) => run_key.length <= 255)).toEqual([true, true])
    expect(bodies[0]?.run_key).not.toBe(bodies[1]?.run_key)
    expect(bodies[0]?.name).toBe('Night\uFFFDly')
  })

  it('fails when the server ignores the run key, because every job would create a run of its own', async () => {
    const server = await startServer({ 'POST /v1/projects/p-1/runs': json(201, { data: run }) })
    const env = { SERVICE_RUN_ID: '', SERVICE_PROJECT_ID: 'p-1', SERVICE_RUN_KEY: 'k' }
    const { lines } = await report({ url: server.url, env })
    expect(lines).toEqual([`Caseward: nothing was stored: ${describeRunWithoutKey('run-1').join(' ')} ${SAVED}`])
    expect(server.countUploads()).toBe(0)
  })

  it.each(['WEB', 'web', 'p-1'])('finds the project of the run key by its id or prefix: %s', async (project) => {
    const server = await startServer()
    const env = { SERVICE_RUN_ID: '', SERVICE_PROJECT_ID: project, SERVICE_RUN_KEY: 'k' }
    const { lines } = await report({ url: server.url, env })
    expect(lines).toEqual([expect.stringContaining('stored 1 result')])
    expect(server.requests.map(({ route }) => route)).toContain('POST /v1/projects/p-1/runs')
  })

  it.each([
    [
      'APP',
      [{ id: 'p-1', prefix: 'WEB' }],
      'no project with the prefix APP. Set SERVICE_PROJECT_ID (or the option projectId) to one of: p-1 (WEB).',
    ],
    [
      'WEB',
      [
        { id: 'p-1', prefix: 'WEB' },
        { id: 'p-2', prefix: 'WEB' },
        { id: 'p-3', prefix: 'APP' },
      ],
      'several projects with the prefix WEB. Set SERVICE_PROJECT_ID (or the option projectId) to one of: p-1 (WEB), p-2 (WEB).',
    ],
    ['0199-unknown', [], 'not have access to any project.'],
  ])('names the projects of the token when %s is not one of them', async (project, data, reason) => {
    const server = await startServer({ 'GET /v1/projects': json(200, { ...projects, data }) })
    const env = { SERVICE_RUN_ID: '', SERVICE_PROJECT_ID: project, SERVICE_RUN_KEY: 'k' }
    const { lines } = await report({ url: server.url, env })
    expect(lines).toEqual([expect.stringContaining(reason)])
    expect(server.countUploads()).toBe(0)
  })

  it('reports its shard as done after the upload', async () => {
    const completed = { ...run, status: 'completed' }
    const server = await startServer({ 'POST /v1/runs/run-1/shards/2/done': json(200, { data: completed }) })
    const { lines } = await report({ url: server.url, env: { SERVICE_SHARD: '2' } })
    expect(lines).toEqual([expect.stringContaining('“Nightly” (run completed)')])
    expect(server.requests.at(-1)?.route).toBe('POST /v1/runs/run-1/shards/2/done')
  })
})

describe('a reporter with missing settings', () => {
  it('saves the results and lists the missing settings', async () => {
    const { failsSuite, lines } = await report({ env: { SERVICE_TOKEN: '' } })
    expect([failsSuite, lines]).toEqual([
      false,
      [
        `Caseward: results were not uploaded: SERVICE_URL is not set; SERVICE_TOKEN is not set or empty (secrets are not available in forks). ${SAVED}`,
      ],
    ])
    expect(listSpool()).toHaveLength(1)
  })

  it('saves the results and asks for SERVICE_RUN_ID when no run is set', async () => {
    const { lines } = await report({ url: 'https://caseward.example.com', env: { SERVICE_RUN_ID: '' } })
    expect(lines).toEqual([
      'Caseward: results were not uploaded: neither SERVICE_RUN_ID nor SERVICE_PROJECT_ID is set. The results are saved in .caseward/spool. To send them, set SERVICE_RUN_ID and run “caseward replay”.',
    ])
  })

  it('does not send saved results without a run to the run of a later suite', async () => {
    const server = await startServer()
    await report({ url: server.url, env: { SERVICE_RUN_ID: '' } })
    const { lines } = await report({ url: server.url })
    expect(lines).toEqual([
      expect.stringContaining('stored 1 result'),
      'Caseward: skipped 1 saved suite without a run: set SERVICE_RUN_ID and run “caseward replay” to send it.',
    ])
    expect([server.countUploads(), listSpool().length]).toEqual([1, 1])
  })

  it('does not mention saved results when no test ran', async () => {
    const { lines } = await report({ env: { SERVICE_TOKEN: '' }, attempts: [] })
    expect(lines).toEqual([expect.stringMatching(/^Caseward: results were not uploaded: .* in forks\)\.$/)])
    expect(listSpool()).toEqual([])
  })

  it('prints that the results could not be saved either', async () => {
    writeFileSync(join(sandbox.cwd, '.caseward'), '')
    const { failsSuite, lines } = await report({ env: { SERVICE_TOKEN: '' } })
    expect([failsSuite, lines]).toEqual([
      false,
      [expect.stringMatching(/Some results could not be saved: E(?:EXIST|NOTDIR): /)],
    ])
  })

  it('does not save the password of the URL', async () => {
    await report({ url: 'https://bot:hunter2@caseward.example.com', timeouts: { findRunMs: 50 } })
    expect(readFileSync(listSpool()[0] ?? '', 'utf8')).not.toContain('hunter2')
  })
})

describe('a reporter without any settings', () => {
  const unset = { SERVICE_TOKEN: '', SERVICE_RUN_ID: '' }
  const line = 'Caseward: results were not uploaded: SERVICE_URL, SERVICE_TOKEN and SERVICE_RUN_ID are not set.'
  it.each([
    ['prints nothing on a developer’s machine', unset, false, []],
    ['prints nothing when CI is “false”', { ...unset, CI: 'false' }, false, []],
    ['prints the missing settings in CI', { ...unset, CI: 'true' }, false, [line]],
    ['fails the suite with SERVICE_STRICT=1', { ...unset, SERVICE_STRICT: '1' }, true, [line]],
  ])('saves nothing and %s', async (_, env, failsSuite, lines) => {
    expect(await report({ env })).toMatchObject({ failsSuite, lines })
    expect(existsSync(join(sandbox.cwd, '.caseward'))).toBe(false)
  })
})
