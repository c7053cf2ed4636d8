import { describe, expect, it } from 'vitest'

import { makeProject, makeRun, makeTestCase } from '@caseward/test-support/factories'
import type { RequestOptions } from '@caseward/test-support/send-request'
import { startTestServer, useTestServer } from '@caseward/test-support/test-server'
import { makeMember, makeUser } from '@caseward/test-support/users'

const server = useTestServer()

const unknownId = '01a1fc2b-5f29-7584-9e03-d27674921b66'
const json = { 'content-type': 'application/json' }

/** Invalid bodies, with the problem that a caller with the permission gets. */
const badBodies: [string, number, string, RequestOptions][] = [
  ['an invalid field', 400, 'invalid_request', { body: { name: 5 } }],
  ['no body', 400, 'invalid_request', {}],
  ['malformed JSON', 400, 'invalid_json', { headers: json, body: '{"name":' }],
  ['another media type', 415, 'unsupported_media_type', { headers: { 'content-type': 'text/plain' }, body: 'name' }],
  ['no media type', 415, 'unsupported_media_type', { body: new Uint8Array([1]) }],
  ['a body of more than 1 MB', 413, 'body_too_large', { body: { name: 'x'.repeat(1024 * 1024) } }],
]

describe.each(badBodies)('a request with %s', (_, status, code, options) => {
  it(
    'is checked for the token, the project, the permission and then the body',
    { tags: ['spec:errors/errors-of-the-other-endpoints-decided'] },
    async () => {
      const project = await makeProject(server)
      const path = (id: string) => `/v1/projects/${id}/folders`
      const { token: viewer } = await makeMember(server, project.id, 'viewer')
      const { token: stranger } = await makeUser(server)
      await server.expectProblem(401, 'POST', path(unknownId), options)
      await server.expectProblem(401, 'POST', path(project.id), { ...options, token: 'wrong' })
      await server.expectProblem(404, 'POST', path(unknownId), { ...options, token: stranger })
      await server.expectProblem(404, 'POST', path('no-id'), { ...options, token: stranger })
      await server.expectProblem(403, 'POST', path(project.id), { ...options, token: stranger })
      await server.expectProblem(403, 'POST', path(project.id), { ...options, token: viewer })
      const problem = await server.expectProblem(status, 'POST', path(project.id), {
        ...options,
        token: project.admin.token,
      })
      expect(problem.code).toBe(code)
    },
  )

  it(
    'is checked for the body before the resource is looked up',
    { tags: ['spec:errors/errors-of-the-other-endpoints-decided'] },
    async () => {
      const project = await makeProject(server)
      const path = `/v1/projects/${project.id}/folders/${unknownId}`
      await server.expectProblem(404, 'PATCH', path, { token: project.admin.token, body: { name: 'x' } })
      if (options.body === undefined) return
      await server.expectProblem(status, 'PATCH', path, { ...options, token: project.admin.token })
    },
  )
})

describe('a caller without the permission', () => {
  it('gets the same 403 for any query', async () => {
    const project = await makeProject(server)
    const { token } = await makeUser(server)
    const problems = await Promise.all(
      ['', '?page=0', '?priority=x&search=%00'].map((query) =>
        server.expectProblem(403, 'GET', `/v1/projects/${project.id}/test-cases${query}`, { token }),
      ),
    )
    expect(new Set(problems.map((problem) => JSON.stringify(problem))).size).toBe(1)
  })

  it('gets the same 403 whether or not the resource exists', async () => {
    const project = await makeProject(server)
    const { id } = await makeTestCase(server, project)
    const { token } = await makeUser(server)
    const problems = await Promise.all(
      [id, 'WEB-999', 'nonsense'].map((testCaseId) =>
        server.expectProblem(403, 'GET', `/v1/projects/${project.id}/test-cases/${testCaseId}`, { token }),
      ),
    )
    expect(new Set(problems.map((problem) => JSON.stringify(problem))).size).toBe(1)
  })

  it('gets 404 for an unknown run and 403 for a run of another project', async () => {
    const project = await makeProject(server)
    const run = await makeRun(server, project)
    const { token } = await makeUser(server)
    await server.expectProblem(404, 'PATCH', `/v1/runs/${unknownId}`, { token, body: { status: 5 } })
    await server.expectProblem(404, 'PATCH', '/v1/runs/nonsense', { token, body: { status: 5 } })
    await server.expectProblem(403, 'PATCH', `/v1/runs/${run.id}`, { token, body: { status: 5 } })
  })

  it('gets 404 after another server has deleted the project', async () => {
    const project = await makeProject(server)
    const run = await makeRun(server, project)
    const { token } = project.admin
    expect((await server.request('GET', `/v1/runs/${run.id}`, { token })).status).toBe(200)
    await server.db.deleteFrom('projects').where('id', '=', project.id).execute()
    await new Promise((resolve) => setTimeout(resolve, 1000))
    await server.expectProblem(404, 'GET', `/v1/projects/${project.id}`, { token })
    await server.expectProblem(404, 'GET', `/v1/runs/${run.id}`, { token })
  })

  it('gets 403 within a second after another server has removed the role', async () => {
    const project = await makeProject(server)
    const { id, token } = await makeMember(server, project.id, 'member')
    expect((await server.request('GET', `/v1/projects/${project.id}`, { token })).status).toBe(200)
    await server.db.deleteFrom('memberships').where('user_id', '=', id).execute()
    await new Promise((resolve) => setTimeout(resolve, 1000))
    await server.expectProblem(403, 'GET', `/v1/projects/${project.id}`, { token })
  })
})

describe('authentication', () => {
  it.each([
    [{}],
    [{ authorization: '' }],
    [{ authorization: 'Bearer' }],
    [{ authorization: 'Bearer ' }],
    [{ authorization: 'Basic YTpi' }],
    [{ authorization: 'Bearer a b' }],
    [{ authorization: `Bearer cwp_${'x'.repeat(49)}` }],
    [{ authorization: `Bearer ${'x'.repeat(5000)}` }],
    [{ authorization: 'Bearer caf\u00e9' }],
  ])(
    'returns 401 with WWW-Authenticate for the headers %j',
    { tags: ['spec:authentication/every-request-carries-authorization-bearer'] },
    async (headers) => {
      const answer = await server.request('GET', '/v1/projects', { headers })
      expect(answer.status).toBe(401)
      expect(answer.headers.get('www-authenticate')).toBe('Bearer')
      expect(answer.body).toMatchObject({ status: 401, code: 'unauthenticated', title: 'Unauthorized' })
    },
  )

  it('accepts the scheme Bearer in any case', async () => {
    const { token } = await makeUser(server)
    for (const scheme of ['bearer', 'BEARER', 'Bearer ']) {
      const { status } = await server.request('GET', '/v1/projects', {
        headers: { authorization: `${scheme} ${token}` },
      })
      expect(status).toBe(200)
    }
  })

  it('returns 401 for a token with a wrong checksum without querying the database', async () => {
    const { token } = await makeUser(server)
    const mistyped = token.slice(0, 10) + (token[10] === 'a' ? 'b' : 'a') + token.slice(11)
    const broken = await startTestServer()
    await broken.db.schema.dropTable('api_tokens').cascade().execute()
    await broken.expectProblem(401, 'GET', '/v1/projects', { token: mistyped })
    await broken.expectProblem(500, 'GET', '/v1/projects', { token })
    await broken.close()
  })
})

describe('a problem response', () => {
  it(
    'has exactly the fields of RFC 9457, code and errors',
    { tags: ['spec:projects/post-name-is-required', 'spec:errors/shape-of-errors-decided'] },
    async () => {
      const { token } = await makeUser(server)
      const problem = await server.expectProblem(400, 'POST', '/v1/projects', { token, body: { prefix: 'WEB' } })
      expect(problem).toEqual({
        type: 'about:blank',
        title: 'Bad Request',
        status: 400,
        detail: expect.stringContaining('/name'),
        code: 'invalid_request',
        errors: [{ path: '/name', message: 'is required' }],
      })
      expect(await server.expectProblem(404, 'GET', '/v1/nothing', { token })).toEqual({
        type: 'about:blank',
        title: 'Not Found',
        status: 404,
        detail: expect.any(String),
        code: 'no_such_endpoint',
      })
    },
  )

  it(
    'for an unexpected error contains the request id and no internal details',
    { tags: ['spec:errors/500-ci-upload-unexpected-error'] },
    async () => {
      const broken = await startTestServer()
      const { token } = await makeUser(broken)
      await broken.db.schema.dropTable('projects').cascade().execute()
      const problem = await broken.expectProblem(500, 'GET', '/v1/projects', {
        token,
        headers: { 'x-request-id': 'find-me' },
      })
      expect(problem).toMatchObject({ code: 'internal_error', request_id: 'find-me' })
      expect(JSON.stringify(problem)).not.toMatch(/relation|projects|sql|node_modules/i)
      expect(broken.logged.join('')).toMatch(/find-me.*relation|relation.*find-me/)
      await broken.close()
    },
  )
})
