import { gzipSync } from 'node:zlib'

import { v7 as uuidv7 } from 'uuid'
import { describe, expect, it } from 'vitest'

import { makeCiToken, makeProject } from '@caseward/test-support/factories'
import { startTestServer, useTestServer } from '@caseward/test-support/test-server'
import { makeUploadScenario } from '@caseward/test-support/upload-scenario'
import { makeMember, makeUser } from '@caseward/test-support/users'

const server = useTestServer()

const json = { 'content-type': 'application/json' }

describe('who may upload', () => {
  it('is nobody without a token', { tags: ['spec:errors/401-milestones-members-ci-upload-no-token'] }, async () => {
    const { run } = await makeUploadScenario(server)
    await server.expectProblem(401, 'POST', '/v1/results', { body: { run_id: run.id, results: [] } })
    await server.expectProblem(401, 'POST', '/v1/results', { body: '{', headers: json })
  })

  it(
    'is no person, not even an admin, and the answer says what is needed',
    { tags: ['spec:authentication/the-ci-upload-needs-a-ci-token'] },
    async () => {
      const { project, run, token } = await makeUploadScenario(server)
      const viewer = await makeMember(server, project.id, 'viewer')
      for (const of of [
        token,
        viewer.token,
        (await makeUser(server)).token,
        (await makeUser(server, { access: 'read' })).token,
      ]) {
        const body = { run_id: run.id, results: [] }
        const problem = await server.expectProblem(403, 'POST', '/v1/results', { token: of, body })
        expect(problem.code).toBe('ci_token_required')
      }
    },
  )

  it(
    'is no CI token that only reads',
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
    'is no CI token of another project, for which the run does not exist',
    {
      tags: [
        'spec:authentication/a-ci-token-is-scoped-to-its-project',
        'spec:errors/404-ci-upload-a-run-of-another-project',
      ],
    },
    async () => {
      const { run } = await makeUploadScenario(server)
      const other = await makeProject(server)
      const unknown = { run_id: uuidv7(), results: [] }
      for (const access of ['read', 'write'] as const) {
        const token = await makeCiToken(server, other, access)
        const foreign = await server.expectProblem(404, 'POST', '/v1/results', {
          token,
          body: { ...unknown, run_id: run.id },
        })
        expect(foreign).toEqual(await server.expectProblem(404, 'POST', '/v1/results', { token, body: unknown }))
      }
    },
  )
})

describe('a caller without the right to upload', () => {
  const bodies: [string, string, string][] = [
    ['malformed JSON', '{"run_id":', 'application/json'],
    ['a body that is not valid', '{"run_id":5,"results":[{}]}', 'application/json'],
    ['no body', '', 'application/json'],
    ['malformed XML', '<testsuite', 'application/xml'],
    ['a media type that is not taken', 'x', 'image/png'],
    ['a body that is too large', ' '.repeat(10 * 1024 * 1024 + 1), 'application/json'],
    ['XML that is too large', ' '.repeat(10 * 1024 * 1024 + 1), 'application/xml'],
  ]

  it.each(bodies)('learns nothing from %s', async (_what, body, type) => {
    const { project, token } = await makeUploadScenario(server)
    const reader = await makeCiToken(server, project, 'read')
    const headers = { 'content-type': type }
    const asPerson = await server.expectProblem(403, 'POST', '/v1/results', { token, body, headers })
    expect(asPerson.code).toBe('ci_token_required')
    const asReader = await server.expectProblem(403, 'POST', '/v1/results', { token: reader, body, headers })
    expect(asReader.code).toBe('read_only_token')
  })

  it('is told that a run does not exist before anything else', async () => {
    const { token } = await makeUploadScenario(server)
    await server.expectProblem(404, 'POST', '/v1/results', { token, body: { run_id: uuidv7(), results: 5 } })
    const xml = { token, body: '<x', headers: { 'content-type': 'application/xml' } }
    await server.expectProblem(404, 'POST', `/v1/results?run_id=${uuidv7()}`, xml)
  })

  it('learns nothing from malformed XML or a bad item for a run that exists', async () => {
    const { run, token } = await makeUploadScenario(server)
    const body = { run_id: run.id, results: [{ status: 'nonsense' }] }
    await server.expectProblem(403, 'POST', '/v1/results', { token, body })
    const xml = { token, body: '<x', headers: { 'content-type': 'application/xml' } }
    await server.expectProblem(403, 'POST', `/v1/results?run_id=${run.id}`, xml)
  })
})

describe('a caller with the right to upload', () => {
  it(
    'is told what is wrong with malformed JSON',
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
    'is told that %s is not taken, and that JSON and XML are',
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
    'is told that compressed bodies are not taken: %s',
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

  it('may say that the body is not compressed', async () => {
    const { ci, run } = await makeUploadScenario(server)
    const answer = await server.request('POST', `/v1/results?run_id=${run.id}`, {
      token: ci,
      body: '<testsuite/>',
      headers: { 'content-type': 'application/xml', 'content-encoding': 'identity' },
    })
    expect(answer.status).toBe(200)
  })
})

describe('the rate limit of uploads', () => {
  it(
    'is one of its own, and says when to try again',
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
