import { request as httpRequest } from 'node:http'
import { setTimeout as sleep } from 'node:timers/promises'

import { sql } from 'kysely'
import { describe, expect, it } from 'vitest'

import { makeCiToken, makeProject, makeRun, makeTestCases } from '@caseward/test-support/factories'
import { useSharedServer } from '@caseward/test-support/test-server'
import { makeSession, makeUserWithPassword } from '@caseward/test-support/users'
import { expiredKeysJob } from './delete-expired-keys.ts'

const server = useSharedServer()

interface Created {
  data: { id: string }
}

/** Sends a POST with a key. */
const post = (path: string, token: string, key: string, body: unknown) =>
  server.request<Created>('POST', path, { token, body, headers: { 'idempotency-key': key } })

async function setUp() {
  const project = await makeProject(server)
  const { token } = project.admin
  const folders = `/v1/projects/${project.id}/folders`
  const countFolders = async () => {
    const { rows } = await sql`select from folders where project_id = ${project.id}`.execute(server.db)
    return rows.length
  }
  return { project, token, folders, countFolders }
}

const countKeys = async (userId: string) =>
  (
    await sql`
      select from idempotency_keys left join api_tokens t on t.id = token_id
      where t.user_id = ${userId} or idempotency_keys.user_id = ${userId}`.execute(server.db)
  ).rows.length

describe('a POST with an Idempotency-Key', () => {
  it('returns the first response again for the same body, and creates once', async () => {
    const { token, folders, countFolders } = await setUp()
    const first = await post(folders, token, 'key', { name: 'Checkout' })
    const second = await post(folders, token, 'key', { name: 'Checkout' })
    expect([first.status, first.headers.get('idempotent-replayed')]).toEqual([201, null])
    expect([second.status, second.headers.get('idempotent-replayed')]).toEqual([201, 'true'])
    expect([second.body, second.headers.get('content-type')]).toEqual([first.body, first.headers.get('content-type')])
    expect(await countFolders()).toBe(1)
  })

  it('returns 422 for another body and another path', async () => {
    const { project, token, folders } = await setUp()
    await post(folders, token, 'key', { name: 'Checkout' })
    for (const [path, body] of [
      [folders, { name: 'Payment' }],
      [`/v1/projects/${project.id}/test-cases`, { name: 'Checkout' }],
    ] as const) {
      const options = { token, body: { title: 'Pays', ...body }, headers: { 'idempotency-key': 'key' } }
      expect((await server.expectProblem(422, 'POST', path, options)).code).toBe('idempotency_key_reused')
    }
  })

  it('has nothing to do with the same key of another token, also of the same user', async () => {
    const { project, token, folders, countFolders } = await setUp()
    const other = await server.request<{ data: { token: string } }>('POST', '/v1/tokens', {
      token,
      body: { name: 'b' },
    })
    await post(folders, token, 'key', { name: 'Checkout' })
    const second = await post(folders, other.body.data.token, 'key', { name: 'Checkout' })
    expect([second.status, second.headers.get('idempotent-replayed')]).toEqual([201, null])
    expect([await countFolders(), project.id]).toEqual([2, project.id])
  })

  it('is shared by the sessions of a user', async () => {
    const user = await makeUserWithPassword(server)
    const send = async () => {
      const { name, value } = await makeSession(server, user.id)
      return await server.request('POST', '/v1/projects', {
        body: { name: 'Mine', prefix: 'MINE' },
        headers: { cookie: `${name}=${value}`, origin: server.url, 'idempotency-key': 'key' },
      })
    }
    const [first, second] = [await send(), await send()]
    expect([first.status, second.status, second.headers.get('idempotent-replayed')]).toEqual([201, 201, 'true'])
  })

  it('creates once when it is sent several times at once', async () => {
    const { token, folders, countFolders } = await setUp()
    const responses = await Promise.all(
      Array.from({ length: 8 }, () => post(folders, token, 'key', { name: 'Checkout' })),
    )
    expect(new Set(responses.map(({ status }) => status))).toEqual(new Set([201]))
    expect(new Set(responses.map(({ body }) => body.data.id)).size).toBe(1)
    expect(responses.filter(({ headers }) => headers.has('idempotent-replayed'))).toHaveLength(7)
    expect(await countFolders()).toBe(1)
  })

  it('returns 409 while the first request takes long, which then succeeds', async () => {
    const { project, token, folders, countFolders } = await setUp()
    let release = () => {}
    const released = new Promise<void>((resolve) => (release = resolve))
    const blocking = server.db.transaction().execute(async (tx) => {
      await sql`select from projects where id = ${project.id} for update`.execute(tx)
      await released
    })
    const first = post(folders, token, 'key', { name: 'Checkout' })
    await sleep(100)
    const second = await post(folders, token, 'key', { name: 'Checkout' })
    expect([second.status, second.headers.get('retry-after')]).toEqual([409, '1'])
    expect(second.body).toMatchObject({ code: 'request_in_progress' })
    release()
    await blocking
    expect((await first).status).toBe(201)
    expect(await countFolders()).toBe(1)
  })

  it('keeps nothing after an error, and the key is free', async () => {
    const { project, token } = await setUp()
    const cases = `/v1/projects/${project.id}/test-cases`
    await server.request('POST', cases, { token, body: { title: 'Pays', automation_key: 'pays' } })
    const refused = await post(cases, token, 'key', { title: 'Pays again', automation_key: 'pays' })
    expect(refused.status).toBe(409)
    const accepted = await post(cases, token, 'key', { title: 'Pays again', automation_key: 'pays again' })
    expect([accepted.status, accepted.headers.get('idempotent-replayed')]).toEqual([201, null])
  })

  it('does not keep a response with a secret, and says what to do', async () => {
    const { project, token } = await setUp()
    const tokens = `/v1/projects/${project.id}/tokens`
    expect((await post(tokens, token, 'key', { name: 'CI' })).status).toBe(201)
    const repeated = await post(tokens, token, 'key', { name: 'CI' })
    expect(repeated.body).toMatchObject({ status: 409, code: 'response_not_kept' })
    const { rows } = await sql`
      select from api_tokens where project_id = ${project.id}
      union all select from idempotency_keys where body like '%cwc\\_%'`.execute(server.db)
    expect(rows).toHaveLength(1)
  })

  it.each([
    ['longer than 255 characters', 'x'.repeat(256)],
    ['empty', ''],
    ['not ASCII', 'schl\u00fcssel'],
  ])('returns 400 for a key that is %s', async (_what, key) => {
    const { token, folders } = await setUp()
    const problem = await server.expectProblem(400, 'POST', folders, {
      token,
      body: { name: 'Checkout' },
      headers: { 'idempotency-key': key },
    })
    expect(problem.errors?.[0]?.path).toBe('/idempotency-key')
  })
})

describe('an upload with an Idempotency-Key', () => {
  it.each([
    ['JSON', 'application/json', 200, '{"run_id":"RUN","results":[{"test_case_id":"WEB-1","status":"passed"}]}'],
    [
      'JSON with errors',
      'application/json',
      207,
      '{"run_id":"RUN","results":[{"test_case_id":"WEB-9","status":"passed"}]}',
    ],
    ['XML', 'application/xml', 200, '<testsuite><testcase name="WEB-1 pays"/></testsuite>'],
  ])('of %s returns the first receipt again', async (_what, type, status, text) => {
    const { project } = await setUp()
    await makeTestCases(server, project, 2)
    const run = await makeRun(server, project)
    const token = await makeCiToken(server, project)
    const send = () =>
      server.request('POST', `/v1/results?run_id=${run.id}`, {
        token,
        body: text.replace('RUN', run.id),
        headers: { 'content-type': type, 'idempotency-key': 'key' },
      })
    const [first, second] = [await send(), await send()]
    expect([first.status, first.headers.get('idempotent-replayed')]).toEqual([status, null])
    expect([second.status, second.headers.get('idempotent-replayed')]).toEqual([status, 'true'])
    expect(second.body).toEqual(first.body)
  })

  it('does not delay others while its body arrives slowly', async () => {
    const { project } = await setUp()
    const run = await makeRun(server, project)
    const token = await makeCiToken(server, project)
    const slow = Array.from({ length: 8 }, (_, index) => {
      const headers = {
        authorization: `Bearer ${token}`,
        'content-type': 'application/xml',
        'idempotency-key': `${index}`,
      }
      const request = httpRequest(`${server.url}/v1/results?run_id=${run.id}`, {
        method: 'POST',
        headers,
        agent: false,
      })
      request.on('error', () => {}).write('<testsuite>')
      return request
    })
    await sleep(200)
    const { status } = await post(`/v1/projects/${project.id}/folders`, project.admin.token, 'key', {
      name: 'Checkout',
    })
    for (const request of slow) request.destroy()
    expect(status).toBe(201)
  })
})

describe('slow requests of one user with keys', () => {
  // slow-idempotent-requests.test.ts waits until they end with 503.
  it('do not delay those of another user', async () => {
    const { project, token, folders } = await setUp()
    const other = await setUp()
    let release = () => {}
    const released = new Promise<void>((resolve) => (release = resolve))
    const blocking = server.db.transaction().execute(async (tx) => {
      await sql`select from projects where id = ${project.id} for update`.execute(tx)
      await released
    })
    const slow = Array.from({ length: 8 }, (_, index) => post(folders, token, `key ${index}`, { name: `${index}` }))
    await sleep(100)
    const first = await Promise.race([post(other.folders, other.token, 'key', { name: 'Checkout' }), ...slow])
    expect(first.status).toBe(201)
    release()
    await blocking
    const statuses = (await Promise.all(slow)).map(({ status }) => status)
    expect(new Set(statuses)).toEqual(new Set([201]))
  })
})

describe('kept responses', () => {
  it('are deleted with their token, and with their user', async () => {
    const { project, folders } = await setUp()
    const { id: userId } = project.admin
    await post(folders, project.admin.token, 'key', { name: 'Checkout' })
    expect(await countKeys(userId)).toBe(1)
    await sql`delete from api_tokens where user_id = ${userId}`.execute(server.db)
    expect(await countKeys(userId)).toBe(0)
  })

  it('are not used after 24 hours, and then deleted', async () => {
    const { token, folders, countFolders } = await setUp()
    await post(folders, token, 'a', { name: 'Checkout' })
    await post(folders, token, 'b', { name: 'Payment' })
    await sql`update idempotency_keys set created_at = now() - interval '25 hours'`.execute(server.db)
    const again = await post(folders, token, 'a', { name: 'Checkout again' })
    expect([again.status, again.headers.get('idempotent-replayed')]).toEqual([201, null])
    await expiredKeysJob.run(server.db, new AbortController().signal)
    const { rows } = await sql`select from idempotency_keys`.execute(server.db)
    expect([rows.length, await countFolders()]).toEqual([1, 3])
  })
})
