import { createClient } from '@caseward/client'
import { getMe, updateMe } from '@caseward/client/endpoints'
import { describe, expect, it, onTestFinished } from 'vitest'

import { describeFailure, formatCountdown } from './problems.ts'
import { request } from './request-failed.ts'
import { startServer } from './start-server.test.helper.ts'

/** Returns the error of a request to which a server responds so. */
async function fail(status: number, body: object | string, headers: Record<string, string> = {}): Promise<unknown> {
  const type = typeof body === 'string' ? 'text/html' : 'application/problem+json'
  const { url, close } = await startServer((_, response) => {
    response
      .writeHead(status, { 'content-type': type, ...headers })
      .end(typeof body === 'string' ? body : JSON.stringify(body))
  })
  onTestFinished(close)
  const client = createClient({ url, retries: { limit: 0 } })
  return await request(client, getMe).catch((error: unknown) => error)
}

const problem = (status: number, code: string, more: object = {}) => ({
  type: 'about:blank',
  title: 'Title',
  status,
  detail: `The server says ${code}.`,
  code,
  ...more,
})

describe('describeFailure', () => {
  it('says that the server does not answer, and after a write that input is kept', async () => {
    const { url, close } = await startServer(() => {})
    await close()
    const client = createClient({ url, retries: { limit: 0 } })
    const write = await request(client, updateMe, { body: { name: 'Ada' } }).catch((error: unknown) => error)
    expect(describeFailure(write)).toMatchObject({
      kind: 'unreachable',
      message: 'The server does not answer. What you typed is kept.',
      canRetry: true,
    })
    const read = await request(client, getMe).catch((error: unknown) => error)
    expect(describeFailure(read).message).toBe('The server does not answer. Check your connection, and try again.')
  })

  it.each([
    [500, problem(500, 'internal_error')],
    [401, problem(401, 'unauthenticated')],
    [200, '<html>Hello</html>'],
  ])('does not speak of input after a read that was answered with %i', async (status, body) => {
    expect(describeFailure(await fail(status, body)).message).not.toContain('typed')
  })

  it('counts down to when a rate limit ends', async () => {
    const error = await fail(429, problem(429, 'rate_limit_exceeded'), { 'retry-after': '12' })
    const failure = describeFailure(error, { now: 1000 })
    expect(failure).toMatchObject({ kind: 'too-many-requests', canRetry: true, retryAt: 13_000 })
    expect(formatCountdown(failure.retryAt ?? 0, 1500)).toBe('Trying again in 12 s.')
    expect(formatCountdown(failure.retryAt ?? 0, 13_000)).toBe('Trying again…')
  })

  it('has the request id of a server error', async () => {
    const error = await fail(500, problem(500, 'internal_error', { request_id: 'req-7' }))
    const failure = describeFailure(error)
    expect(failure).toMatchObject({ kind: 'server-error', requestId: 'req-7', canRetry: true })
    expect(failure.message).toContain('req-7')
  })

  it('names what does not exist', async () => {
    const failure = describeFailure(await fail(404, problem(404, 'not_found')), { noun: 'run' })
    expect(failure).toMatchObject({ kind: 'not-found', canRetry: false })
    expect(failure.message).toContain('This run does not exist')
  })

  it.each([
    [401, 'unauthenticated', 'session-ended'],
    [403, 'forbidden', 'forbidden'],
    [409, 'run_completed', 'run-completed'],
    [409, 'newer_result', 'newer-result'],
    [409, 'automation_key_taken', 'refused'],
    [412, 'changed_meanwhile', 'changed-meanwhile'],
    [422, 'token_limit', 'refused'],
    [413, 'body_too_large', 'refused'],
    [503, 'database_unavailable', 'unreachable'],
  ])('turns %i %s into "%s"', async (status, code, kind) => {
    expect(describeFailure(await fail(status, problem(status, code))).kind).toBe(kind)
  })

  it('returns the first message of each invalid field', async () => {
    const errors = [
      { path: '/name', message: 'is required' },
      { path: '/steps/3/action', message: 'is too long' },
      { path: '/passkey', message: 'was not accepted: try again' },
      { path: '/name', message: 'must be text' },
    ]
    const failure = describeFailure(await fail(400, problem(400, 'invalid_request', { errors })))
    expect(failure.kind).toBe('invalid')
    expect(Object.fromEntries(failure.fields)).toEqual({
      name: 'This is required.',
      'steps/3/action': 'This is too long.',
      passkey: 'This was not accepted: try again.',
    })
  })

  it('recognizes the page of a proxy', async () => {
    expect(describeFailure(await fail(200, '<html>Hello</html>'))).toMatchObject({
      kind: 'unreachable',
      canRetry: true,
    })
  })

  it('accepts a reply that was not thrown', async () => {
    const { url, close } = await startServer((_, response) => {
      response.writeHead(403, { 'content-type': 'application/json' }).end(JSON.stringify(problem(403, 'forbidden')))
    })
    onTestFinished(close)
    const reply = await createClient({ url }).call(updateMe, { body: {} })
    expect(describeFailure(reply).message).toBe('The server says forbidden.')
  })

  it('asks for a reload after a mistake of the app itself', () => {
    expect(describeFailure(new TypeError('x is undefined'))).toMatchObject({ kind: 'bug', canRetry: false })
  })
})
