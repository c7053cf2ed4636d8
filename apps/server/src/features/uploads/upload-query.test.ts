import { gzipSync } from 'node:zlib'

import { v7 as uuidv7 } from 'uuid'
import { describe, expect, it } from 'vitest'

import type { RequestOptions } from '@caseward/test-support/send-request'
import { useSharedServer } from '@caseward/test-support/test-server'
import { makeUploadScenario } from '@caseward/test-support/upload-scenario'

const server = useSharedServer()

const results = [{ test_case_id: 'WEB-1', status: 'passed' }]
const junit_xml = '<testsuite><testcase name="WEB-1"/></testsuite>'
const [noon, evening] = ['2026-01-05T12:00:00.000Z', '2026-01-05T20:00:00.000Z']

/** A run with one test case, and a function that uploads JSON with a query. The body has only the given fields. */
async function makeScenario() {
  const scenario = await makeUploadScenario(server, 1)
  const send = (query: string, body: object) =>
    server.request('POST', `/v1/results?${query}`, { token: scenario.ci, body })
  const stored = async () => (await scenario.results()).get('WEB-1')
  return { ...scenario, send, stored }
}

describe('POST /v1/results with JSON and a query', () => {
  it.each([
    ['does not contain dry_run', { results }],
    ['contains JUnit and no dry_run', { junit_xml }],
    ['contains dry_run false', { results, dry_run: false }],
    ['contains dry_run true', { results, dry_run: true }],
  ])(
    'stores nothing with ?dry_run=true when the body %s',
    { tags: ['spec:upload/dry_run-true-stores-nothing'] },
    async (_what, body) => {
      const { run, send, stored } = await makeScenario()
      const response = await send('dry_run=true', { run_id: run.id, ...body })
      expect(response).toMatchObject({ status: 200, body: { uploaded_count: 1, dry_run: true } })
      expect((await stored())?.status).toBe('not_tested')
    },
  )

  it('stores nothing with ?dry_run=false when the body contains dry_run true', async () => {
    const { run, send, stored } = await makeScenario()
    const response = await send('dry_run=false', { run_id: run.id, results, dry_run: true })
    expect(response).toMatchObject({ status: 200, body: { dry_run: true } })
    expect((await stored())?.status).toBe('not_tested')
  })

  it('uses run_id of the query when the body has none', async () => {
    const { run, send, stored } = await makeScenario()
    expect((await send(`run_id=${run.id}`, { results })).status).toBe(200)
    expect((await stored())?.status).toBe('passed')
  })

  it.each([['another run'], ['an unknown run']])(
    'prefers run_id of the body when the query names %s',
    async (runName) => {
      const { run, send, stored } = await makeScenario()
      const { run: otherRun, results: otherResults } = await makeUploadScenario(server, 1)
      const queryRunId = runName === 'another run' ? otherRun.id : uuidv7()
      expect((await send(`run_id=${queryRunId}`, { run_id: run.id, results })).status).toBe(200)
      expect([(await stored())?.status, (await otherResults()).get('WEB-1')?.status]).toEqual(['passed', 'not_tested'])
    },
  )

  it('uses finished_at of the query when the body has none', async () => {
    const { run, send, stored } = await makeScenario()
    await send(`finished_at=${noon}`, { run_id: run.id, results })
    expect((await stored())?.tested_at).toBe(noon)
  })

  it('prefers finished_at of the body', async () => {
    const { run, send, stored } = await makeScenario()
    await send(`finished_at=${noon}`, { run_id: run.id, results, finished_at: evening })
    expect((await stored())?.tested_at).toBe(evening)
  })

  it.each([
    ['dry_run=maybe', {}, '/dry_run'],
    ['dry_run=true', { dry_run: 'true' }, '/dry_run'],
    ['finished_at=noon', {}, '/finished_at'],
    [`finished_at=${noon}`, { finished_at: null }, '/finished_at'],
    ['finished_at=noon', { finished_at: noon }, '/finished_at'],
  ])('returns 400 when the query or the body is invalid: ?%s with the body fields %j', async (query, more, path) => {
    const { ci, run, stored } = await makeScenario()
    const options = { token: ci, body: { run_id: run.id, results, ...more } }
    const problem = await server.expectProblem(400, 'POST', `/v1/results?${query}`, options)
    expect(problem.errors?.map((error) => error.path)).toEqual([path])
    expect((await stored())?.tested_at).toBeNull()
  })

  it('returns 400 for an invalid run_id of the body although the query names a run', async () => {
    const { ci, run } = await makeScenario()
    for (const run_id of [5, null]) {
      const options = { token: ci, body: { run_id, results } }
      const problem = await server.expectProblem(400, 'POST', `/v1/results?run_id=${run.id}`, options)
      expect(problem.errors?.map((error) => error.path)).toEqual(['/run_id'])
    }
  })
})

describe('POST /v1/results with run_id in the query', () => {
  const toOptions = (type: string, body: unknown, more = {}): RequestOptions => ({
    body,
    headers: { 'content-type': type, ...more },
  })
  const bodies: [string, RequestOptions][] = [
    ['malformed JSON', toOptions('application/json', '{"results":')],
    ['JSON that is not UTF-8', toOptions('application/json', Buffer.from('"\u00e9"', 'latin1'))],
    ['JSON in another charset', toOptions('application/json; charset=utf-16', '{}')],
    ['a list', toOptions('application/json', '[]')],
    ['no body', toOptions('application/json', '')],
    ['a bad item', toOptions('application/json', '{"results":[{}]}')],
    ['compressed JSON', toOptions('application/json', gzipSync('{}'), { 'content-encoding': 'gzip' })],
    ['another media type', toOptions('image/png', 'x')],
    ['more than 10 MB', toOptions('application/json', ' '.repeat(10 * 1024 * 1024 + 1))],
  ]

  it.each(bodies)('returns 404 for an unknown run before any error in the body: %s', async (_what, options) => {
    const { ci, token } = await makeScenario()
    const { run: foreign } = await makeUploadScenario(server, 0)
    await server.expectProblem(404, 'POST', `/v1/results?run_id=${uuidv7()}`, { token: ci, ...options })
    await server.expectProblem(404, 'POST', `/v1/results?run_id=${foreign.id}`, { token: ci, ...options })
    await server.expectProblem(404, 'POST', `/v1/results?run_id=${uuidv7()}`, { token, ...options })
  })

  it.each(bodies)('returns 403 to a user before any error in the body: %s', async (_what, options) => {
    const { run, token } = await makeScenario()
    const problem = await server.expectProblem(403, 'POST', `/v1/results?run_id=${run.id}`, { token, ...options })
    expect(problem.code).toBe('ci_token_required')
  })
})
