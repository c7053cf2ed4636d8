import { gzipSync } from 'node:zlib'

import { v7 as uuidv7 } from 'uuid'
import { describe, expect, it } from 'vitest'

import type { RequestOptions } from '@caseward/test-support/send-request'
import { useTestServer } from '@caseward/test-support/test-server'
import { makeUploadScenario } from '@caseward/test-support/upload-scenario'

const server = useTestServer()

const results = [{ test_case_id: 'WEB-1', status: 'passed' }]
const junit_xml = '<testsuite><testcase name="WEB-1"/></testsuite>'
const [noon, evening] = ['2026-01-05T12:00:00.000Z', '2026-01-05T20:00:00.000Z']

/** A run over one case, and an upload of JSON with a query; the body says no more than it is given. */
async function makeScene() {
  const scene = await makeUploadScenario(server, 1)
  const send = (query: string, body: object) =>
    server.request('POST', `/v1/results?${query}`, { token: scene.ci, body })
  const stored = async () => (await scene.results()).get('WEB-1')
  return { ...scene, send, stored }
}

describe('the query of an upload of JSON', () => {
  it.each([
    ['says nothing of it', { results }],
    ['says nothing of it, with JUnit', { junit_xml }],
    ['says that it is none', { results, dry_run: false }],
    ['says so, too', { results, dry_run: true }],
  ])(
    'makes it a dry run, which stores nothing, where the body %s',
    { tags: ['spec:upload/dry_run-true-stores-nothing'] },
    async (_what, body) => {
      const { run, send, stored } = await makeScene()
      const answer = await send('dry_run=true', { run_id: run.id, ...body })
      expect(answer).toMatchObject({ status: 200, body: { uploaded_count: 1, dry_run: true } })
      expect((await stored())?.status).toBe('not_tested')
    },
  )

  it('does not undo the dry run that the body asks for', async () => {
    const { run, send, stored } = await makeScene()
    const answer = await send('dry_run=false', { run_id: run.id, results, dry_run: true })
    expect(answer).toMatchObject({ status: 200, body: { dry_run: true } })
    expect((await stored())?.status).toBe('not_tested')
  })

  it('names the run where the body does not', async () => {
    const { run, send, stored } = await makeScene()
    expect((await send(`run_id=${run.id}`, { results })).status).toBe(200)
    expect((await stored())?.status).toBe('passed')
  })

  it.each([['another run'], ['a run that is not there']])('gives way to the run of the body: %s', async (what) => {
    const { run, send, stored } = await makeScene()
    const { run: another, results: ofAnother } = await makeUploadScenario(server, 1)
    const named = what === 'another run' ? another.id : uuidv7()
    expect((await send(`run_id=${named}`, { run_id: run.id, results })).status).toBe(200)
    expect([(await stored())?.status, (await ofAnother()).get('WEB-1')?.status]).toEqual(['passed', 'not_tested'])
  })

  it('says when the suite finished where the body does not', async () => {
    const { run, send, stored } = await makeScene()
    await send(`finished_at=${noon}`, { run_id: run.id, results })
    expect((await stored())?.tested_at).toBe(noon)
  })

  it('gives way to the time of the body', async () => {
    const { run, send, stored } = await makeScene()
    await send(`finished_at=${noon}`, { run_id: run.id, results, finished_at: evening })
    expect((await stored())?.tested_at).toBe(evening)
  })

  it.each([
    ['dry_run=maybe', {}, '/dry_run'],
    ['dry_run=true', { dry_run: 'true' }, '/dry_run'],
    ['finished_at=noon', {}, '/finished_at'],
    [`finished_at=${noon}`, { finished_at: null }, '/finished_at'],
    ['finished_at=noon', { finished_at: noon }, '/finished_at'],
  ])('excuses nothing that is wrong in it or in the body: ?%s with %j', async (query, more, path) => {
    const { ci, run, stored } = await makeScene()
    const options = { token: ci, body: { run_id: run.id, results, ...more } }
    const problem = await server.expectProblem(400, 'POST', `/v1/results?${query}`, options)
    expect(problem.errors?.map((error) => error.path)).toEqual([path])
    expect((await stored())?.tested_at).toBeNull()
  })

  it('names a run in place of none, not of what is no name', async () => {
    const { ci, run } = await makeScene()
    for (const run_id of [5, null]) {
      const options = { token: ci, body: { run_id, results } }
      const problem = await server.expectProblem(400, 'POST', `/v1/results?run_id=${run.id}`, options)
      expect(problem.errors?.map((error) => error.path)).toEqual(['/run_id'])
    }
  })
})

describe('the run that the query names', () => {
  const as = (type: string, body: unknown, more = {}): RequestOptions => ({
    body,
    headers: { 'content-type': type, ...more },
  })
  const bodies: [string, RequestOptions][] = [
    ['malformed JSON', as('application/json', '{"results":')],
    ['JSON that is not UTF-8', as('application/json', Buffer.from('"\u00e9"', 'latin1'))],
    ['JSON in another charset', as('application/json; charset=utf-16', '{}')],
    ['a list', as('application/json', '[]')],
    ['no body', as('application/json', '')],
    ['a bad item', as('application/json', '{"results":[{}]}')],
    ['compressed JSON', as('application/json', gzipSync('{}'), { 'content-encoding': 'gzip' })],
    ['another media type', as('image/png', 'x')],
    ['more than 10 MB', as('application/json', ' '.repeat(10 * 1024 * 1024 + 1))],
  ]

  it.each(bodies)('is not found before any word on the body: %s', async (_what, options) => {
    const { ci, token } = await makeScene()
    const { run: foreign } = await makeUploadScenario(server, 0)
    await server.expectProblem(404, 'POST', `/v1/results?run_id=${uuidv7()}`, { token: ci, ...options })
    await server.expectProblem(404, 'POST', `/v1/results?run_id=${foreign.id}`, { token: ci, ...options })
    await server.expectProblem(404, 'POST', `/v1/results?run_id=${uuidv7()}`, { token, ...options })
  })

  it.each(bodies)('is refused to a person before any word on the body: %s', async (_what, options) => {
    const { run, token } = await makeScene()
    const problem = await server.expectProblem(403, 'POST', `/v1/results?run_id=${run.id}`, { token, ...options })
    expect(problem.code).toBe('ci_token_required')
  })
})
