import { request as httpRequest } from 'node:http'

import { getRunResults, makeFolder, makeProject, makeRun, makeTestCases } from '@caseward/test-support/factories'
import { useSharedServer } from '@caseward/test-support/test-server'
import { makeUser } from '@caseward/test-support/users'
import { beforeAll, describe, expect, it } from 'vitest'

const server = useSharedServer()
let token: string
beforeAll(async () => {
  token = (await makeUser(server)).token
})

const MEBIBYTE = 1024 * 1024

describe('request bodies', () => {
  it.each([
    ['JSON', 'application/json', '{}'],
    ['malformed JSON', 'application/json', '{"name":'],
    ['a form', 'application/x-www-form-urlencoded', ''],
    ['an invalid media type', 'nonsense', 'x'],
    ['more than 1 MB', 'application/json', ' '.repeat(MEBIBYTE + 1)],
  ])('are ignored by endpoints that take none: %s', async (_, type, body) => {
    const project = await makeProject(server, { token })
    const options = { token, body, headers: { 'content-type': type, 'content-encoding': 'gzip' } }
    const { id } = await makeFolder(server, project)
    expect((await server.request('DELETE', `/v1/projects/${project.id}/folders/${id}`, options)).status).toBe(200)
  })

  it.each([
    ['malformed JSON', 'application/json', '{"name":'],
    ['more than 1 MB', 'application/json', ' '.repeat(MEBIBYTE + 1)],
    ['an unsupported media type', 'application/xml', '<a/>'],
  ])('are ignored by endpoints that do not exist: %s', async (_, type, body) => {
    const options = { body, headers: { 'content-type': type } }
    expect((await server.expectProblem(404, 'POST', '/v1/nothing', options)).code).toBe('no_such_endpoint')
  })

  it('may be empty with a JSON content type for endpoints that take none', async () => {
    const project = await makeProject(server, { token })
    const folder = await makeFolder(server, project)
    const headers = { 'content-type': 'application/json' }
    const path = `/v1/projects/${project.id}/folders/${folder.id}`
    expect((await server.request('DELETE', path, { token, headers })).status).toBe(200)
    expect((await server.request('DELETE', `/v1/projects/${project.id}`, { token, headers, body: '' })).status).toBe(
      200,
    )
  })

  it(
    'return 400 when empty for endpoints that require one',
    { tags: ['spec:conventions/a-body-that-is-stated-is-required'] },
    async () => {
      for (const options of [{}, { headers: { 'content-type': 'application/json' } }]) {
        const problem = await server.expectProblem(400, 'POST', '/v1/projects', { token, ...options })
        expect(problem.errors).toEqual([{ path: '', message: 'must be a JSON object' }])
      }
    },
  )

  it(
    'are accepted up to 1 MB and return 413 above',
    { tags: ['spec:limits/sizes-of-other-bodies-decided'] },
    async () => {
      const makeBody = (bytes: number) => {
        const rest = JSON.stringify({ name: 'x', prefix: 'WEB', future: '' }).length
        return { name: 'x', prefix: 'WEB', future: 'x'.repeat(bytes - rest) }
      }
      expect((await server.request('POST', '/v1/projects', { token, body: makeBody(MEBIBYTE) })).status).toBe(201)
      const problem = await server.expectProblem(413, 'POST', '/v1/projects', { token, body: makeBody(MEBIBYTE + 1) })
      expect(problem).toMatchObject({ code: 'body_too_large', detail: expect.stringContaining('1 MB') })
    },
  )

  it(
    'are accepted up to 10 MB by endpoints for results and new runs, and return 413 above',
    { tags: ['spec:limits/sizes-of-other-bodies-decided'] },
    async () => {
      const run = await makeRun(server, await makeProject(server, { token }))
      const path = `/v1/runs/${run.id}/results/bulk`
      const makeBody = (bytes: number) => ({
        results: [],
        future: 'x'.repeat(bytes - '{"results":[],"future":""}'.length),
      })
      expect((await server.request('POST', path, { token, body: makeBody(10 * MEBIBYTE) })).status).toBe(200)
      await server.expectProblem(413, 'POST', path, { token, body: makeBody(10 * MEBIBYTE + 1) })

      const runsPath = `/v1/projects/${(await makeProject(server, { token })).id}/runs`
      const makeRunBody = (bytes: number) => ({
        name: 'x',
        future: 'x'.repeat(bytes - '{"name":"x","future":""}'.length),
      })
      const { status } = await server.request('POST', runsPath, { token, body: makeRunBody(10 * MEBIBYTE) })
      expect(status).toBe(201)
      await server.expectProblem(413, 'POST', runsPath, { token, body: makeRunBody(10 * MEBIBYTE + 1) })
    },
  )

  it('return 413 above the limit when sent in chunks without a length', async () => {
    const { hostname, port } = new URL(server.url)
    const status = await new Promise<number | undefined>((resolve, reject) => {
      const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' }
      const outgoing = httpRequest({ hostname, port, method: 'POST', path: '/v1/projects', headers }, (response) => {
        response.resume()
        response.on('end', () => resolve(response.statusCode))
      })
      outgoing.on('error', reject)
      for (let sent = 0; sent < 40; sent += 1) outgoing.write(' '.repeat(64 * 1024))
      outgoing.end()
    })
    expect(status).toBe(413)
  })

  it.each([
    ['a million empty items', `{"results":[${'{},'.repeat(1_000_000)}{}]}`, 'json_too_many_values'],
    ['400,000 empty items', `{"results":[${'{},'.repeat(400_000)}{}]}`, 'invalid_request'],
    ['10 MB of opening brackets', '['.repeat(10 * MEBIBYTE), 'json_too_deep'],
    ['a million keys', `{${'"a":0,'.repeat(1_000_000)}"a":0}`, 'json_too_many_keys'],
  ])('with %s return 400 within seconds and do not block other requests', async (_what, body, code) => {
    const run = await makeRun(server, await makeProject(server, { token }))
    const headers = { 'content-type': 'application/json' }
    const startedAt = performance.now()
    const problem = server.expectProblem(400, 'POST', `/v1/runs/${run.id}/results/bulk`, { token, headers, body })
    expect((await server.request('GET', '/healthz')).status).toBe(200)
    expect((await problem).code).toBe(code)
    expect(performance.now() - startedAt).toBeLessThan(5000)
  })

  it.each([
    ['with an escape in one item', String.raw`caf\u00e9`],
    ['with a key of prototypes in one item', '__proto__'],
    ['in characters of several bytes', '\u20AC'],
  ])('of several megabytes are stored completely: %s', async (_what, text) => {
    const project = await makeProject(server, { token })
    await makeTestCases(server, project, 100)
    const run = await makeRun(server, project)
    const items = Array.from({ length: 100 }, (_, index) => {
      const note = `${'\u00E9'.repeat(15_000)}${index % 7 === 0 ? text : ''}`
      return `{"test_case_id":"WEB-${index + 1}","status":"passed","note":"${note}","elapsed":${index}}`
    })
    const headers = { 'content-type': 'application/json' }
    const body = `{"results":[${items.join(' , ')}]}`
    expect((await server.request('POST', `/v1/runs/${run.id}/results/bulk`, { token, headers, body })).status).toBe(200)
    const results = [...(await getRunResults(server, run.id, token)).values()]
    expect(results.map(({ elapsed }) => elapsed)).toEqual(Array.from({ length: 100 }, (_, index) => index))
    const expected = JSON.parse(`[${items.join(',')}]`) as { note: string }[]
    // Not toEqual, which would print all of them.
    expect(results.filter(({ note }, index) => note !== expected[index]?.note)).toEqual([])
  })
})
