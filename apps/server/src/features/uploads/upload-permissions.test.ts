import { gzipSync } from 'node:zlib'

import { v7 as uuidv7 } from 'uuid'
import { describe, expect, it } from 'vitest'

import { makeCiToken, makeProject } from '@caseward/test-support/factories'
import { startTestServer, useSharedServer } from '@caseward/test-support/test-server'
import { makeUploadScenario } from '@caseward/test-support/upload-scenario'
import { makeMember, makeUser } from '@caseward/test-support/users'

const server = useSharedServer()

const json = { 'content-type': 'application/json' }

describe('POST /v1/results', () => {
  it('returns 401 without a token', { tags: ['spec:errors/401-milestones-members-ci-upload-no-token'] }, async () => {
    const { run } = await makeUploadScenario(server)
    await server.expectProblem(401, 'POST', '/v1/results', { body: { run_id: run.id, results: [] } })
    await server.expectProblem(401, 'POST', '/v1/results', { body: '{', headers: json })
  })

  it(
    'returns 403 ci_token_required to users, even to admins',
    { tags: ['spec:authentication/the-ci-upload-needs-a-ci-token'] },
    async () => {
      const { project, run, token } = await makeUploadScenario(server)
      const viewer = await makeMember(server, project.id, 'viewer')
      const others = [(await makeUser(server)).token, (await makeUser(server, { access: 'read' })).token]
      for (const userToken of [token, viewer.token, ...others]) {
        const body = { run_id: run.id, results: [] }
        const problem = await server.expectProblem(403, 'POST', '/v1/results', { token: userToken, body })
        expect(problem.code).toBe('ci_token_required')
      }
    },
  )

  it(
    'returns 403 read_only_token for a CI token with read access',
    { tags: ['spec:authentication/a-ci-token-must-have-write-access', 'spec:errors/403-ci-upload-no-write-access'] },
    async () => {
      const { project, run } = await makeUploadScenario(server)
      const token = await makeCiToken(server, project, 'read')
      const problem = await server.expectProblem(403, 'POST', '/v1/results', {
        token,
        body: { run_id: run.id, results: [] },
      })
      expect(problem.code).toBe('read_only_token')
    },
  )

  it(
    'returns 404 for a CI token of another project, as for a run that does not exist',
    {
      tags: [
        'spec:authentication/a-ci-token-is-scoped-to-its-project',
        'spec:errors/404-ci-upload-a-run-of-another-project',
      ],
    },
    async () => {
      const { run } = await makeUploadScenario(server)
      const otherProject = await makeProject(server)
      const unknown = { run_id: uuidv7(), results: [] }
      for (const access of ['read', 'write'] as const) {
        const token = await makeCiToken(server, otherProject, access)
        const foreign = await server.expectProblem(404, 'POST', '/v1/results', {
          token,
          body: { ...unknown, run_id: run.id },
        })
        expect(foreign).toEqual(await server.expectProblem(404, 'POST', '/v1/results', { token, body: unknown }))
      }
    },
  )
})

describe('POST /v1/results without permission', () => {
  const bodies: [string, string, string][] = [
    ['malformed JSON', '{"run_id":', 'application/json'],
    ['an invalid body', '{"run_id":5,"results":[{}]}', 'application/json'],
    ['no body', '', 'application/json'],
    ['malformed XML', '<testsuite', 'application/xml'],
    ['an unsupported media type', 'x', 'image/png'],
    ['a body that is too large', ' '.repeat(10 * 1024 * 1024 + 1), 'application/json'],
    ['XML that is too large', ' '.repeat(10 * 1024 * 1024 + 1), 'application/xml'],
  ]

  it.each(bodies)('returns 403 before any error in the body: %s', async (_what, body, type) => {
    const { project, token } = await makeUploadScenario(server)
    const reader = await makeCiToken(server, project, 'read')
    const headers = { 'content-type': type }
    const asPerson = await server.expectProblem(403, 'POST', '/v1/results', { token, body, headers })
    expect(asPerson.code).toBe('ci_token_required')
    const asReader = await server.expectProblem(403, 'POST', '/v1/results', { token: reader, body, headers })
    expect(asReader.code).toBe('read_only_token')
  })

  it('returns 404 for an unknown run before any other error', async () => {
    const { token } = await makeUploadScenario(server)
    await server.expectProblem(404, 'POST', '/v1/results', { token, body: { run_id: uuidv7(), results: 5 } })
    const xml = { token, body: '<x', headers: { 'content-type': 'application/xml' } }
    await server.expectProblem(404, 'POST', `/v1/results?run_id=${uuidv7()}`, xml)
  })

  it('returns 403 for an existing run before an error in the XML or in an item', async () => {
    const { run, token } = await makeUploadScenario(server)
    const body = { run_id: run.id, results: [{ status: 'nonsense' }] }
    await server.expectProblem(403, 'POST', '/v1/results', { token, body })
    const xml = { token, body: '<x', headers: { 'content-type': 'application/xml' } }
    await server.expectProblem(403, 'POST', `/v1/results?run_id=${run.id}`, xml)
  })
})

describe('POST /v1/results with permission', () => {
  it(
    'returns 400 invalid_json for malformed JSON',
    { tags: ['spec:errors/400-ci-upload-invalid-structure'] },
    async () => {
      const { ci } = await makeUploadScenario(server)
      const problem = await server.expectProblem(400, 'POST', '/v1/results', {
        token: ci,
        body: '{"run_id":',
        headers: json,
      })
      expect(problem.code).toBe('invalid_json')
    },
  )

  it.each(['image/png', 'text/plain', 'application/x-www-form-urlencoded'])(
    'returns 415 for the media type %s, with the supported ones',
    async (type) => {
      const { ci } = await makeUploadScenario(server)
      const options = { token: ci, body: 'x', headers: { 'content-type': type } }
      const { code, detail } = await server.expectProblem(415, 'POST', '/v1/results', options)
      expect([code, detail]).toEqual([
        'unsupported_media_type',
        'Send the body as `Content-Type: application/json` or `Content-Type: application/xml`.',
      ])
    },
  )

  it.each(['application/json', 'application/xml', 'text/xml'])(
    'returns 415 for a compressed body of the type %s',
    async (type) => {
      const { ci, run } = await makeUploadScenario(server)
      const problem = await server.expectProblem(415, 'POST', `/v1/results?run_id=${run.id}`, {
        token: ci,
        body: gzipSync(type.endsWith('json') ? JSON.stringify({ run_id: run.id, results: [] }) : '<testsuite/>'),
        headers: { 'content-type': type, 'content-encoding': 'gzip' },
      })
      expect(problem.code).toBe('unsupported_content_encoding')
    },
  )

  it('accepts Content-Encoding: identity', async () => {
    const { ci, run } = await makeUploadScenario(server)
    const response = await server.request('POST', `/v1/results?run_id=${run.id}`, {
      token: ci,
      body: '<testsuite/>',
      headers: { 'content-type': 'application/xml', 'content-encoding': 'identity' },
    })
    expect(response.status).toBe(200)
  })
})

describe('the rate limit of POST /v1/results', () => {
  it(
    'is separate from other limits, and returns 429 with Retry-After',
    { tags: ['spec:errors/429-ci-upload-sends-retry-after'] },
    async () => {
      const limited = await startTestServer({ rateLimit: 2 })
      try {
        const { project, run, ci, upload } = await makeUploadScenario(limited)
        expect((await upload({ results: [] })).headers.get('ratelimit-remaining')).toBe('1')
        await upload({ results: [] })
        const third = await limited.request('POST', '/v1/results', { token: ci, body: { run_id: run.id, results: [] } })
        expect([third.status, Number(third.headers.get('retry-after')) > 0]).toEqual([429, true])
        const read = await limited.request('GET', `/v1/projects/${project.id}/runs`, { token: ci })
        expect(read.status).toBe(200)
      } finally {
        await limited.close()
      }
    },
  )
})
