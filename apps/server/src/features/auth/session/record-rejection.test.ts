import { randomUUID } from 'node:crypto'

import { sql } from 'kysely'
import { describe, expect, it } from 'vitest'

import { openBrowser } from '@caseward/test-support/browser'
import { makeCiToken, makeProject } from '@caseward/test-support/factories'
import { insertPasskey } from '@caseward/test-support/passkeys'
import { startServerForTest, useTestServer } from '@caseward/test-support/test-server'
import { makeMember, makeSignedInUser, makeUser, makeUserWithPassword, PASSWORD } from '@caseward/test-support/users'
import { recordRejection } from './record-rejection.ts'
import { insertChallenge, SIGN_IN_PURPOSE } from '../second-factors/passkeys.queries.ts'

const server = useTestServer({ trustProxy: 1 })

const guess = async (email: string, address: string, password = 'a wrong guess') =>
  (
    await server.request('POST', '/v1/session', {
      body: { email, password },
      headers: { 'x-forwarded-for': address },
    })
  ).status

interface Entry {
  actor_id: string | null
  subject_id: string | null
  subject_name: string
  address: string
  detail: Record<string, string>
}

const selectEntries = async (userId: string | null): Promise<Entry[]> => {
  const { rows } = await sql<Entry>`
    select actor_id, subject_id, subject_name, address, detail from audit_log
    where action = 'session.reject' and subject_id is not distinct from ${userId} order by id`.execute(server.db)
  return rows
}
/** Entries about public requests are written beside the response. */
const expectCount = async (userId: string | null, count: number) =>
  await expect.poll(async () => (await selectEntries(userId)).length).toBe(count)

describe('a wrong password', () => {
  it('is recorded once by transactions that run at the same time', async () => {
    const { id } = await makeUserWithPassword(server)
    const rejection = { userId: id, method: 'password', purpose: 'sign-in' } as const
    const request = { ip: '198.51.100.4', headers: {} }
    // Every connection of the pool is open, so that the transactions overlap.
    await Promise.all(Array.from({ length: 5 }, () => sql`select pg_sleep(0.2)`.execute(server.db)))
    await Promise.all(Array.from({ length: 10 }, () => recordRejection(server.db, request, rejection)))
    expect(await selectEntries(id)).toHaveLength(1)
  })

  it('leaves one entry for an account, address and minute, also of parallel guesses', async () => {
    const { id, email } = await makeUserWithPassword(server)
    const statuses = await Promise.all(Array.from({ length: 8 }, () => guess(email, '198.51.100.1')))
    expect(new Set(statuses)).toEqual(new Set([401]))
    expect(await guess(email, '198.51.100.2')).toBe(401)
    await expectCount(id, 2)
    const [first, second] = await selectEntries(id)
    const detail = { method: 'password', purpose: 'sign-in' }
    expect(first).toMatchObject({ actor_id: id, subject_id: id, address: '198.51.100.1', detail })
    expect(second?.address).toBe('198.51.100.2')
  })

  it('leaves an entry without what was typed for an account that does not exist, at most 20 in a minute', async () => {
    const before = (await selectEntries(null)).length
    const typed = `my-password-${randomUUID()}`
    expect(await guess(typed, '203.0.113.1')).toBe(401)
    await expectCount(null, before + 1)
    for (let number = 2; number < 24; number += 1) await guess(`${randomUUID()}@example.test`, `203.0.113.${number}`)
    const { id, email } = await makeUserWithPassword(server)
    await guess(email, '203.0.113.1')
    // It is the last one, and is recorded all the same.
    await expectCount(id, 1)
    await expectCount(null, 20)
    const entries = await selectEntries(null)
    expect(entries.every(({ subject_name: name }) => name === 'Unknown account')).toBe(true)
    const all = await sql<{ entry: string }>`select a::text as entry from audit_log a`.execute(server.db)
    expect(all.rows.map(({ entry }) => entry).join()).not.toContain(typed)
  })

  it('is recorded when a session is confirmed and when the password is changed, also with an Idempotency-Key', async () => {
    const confirming = await makeSignedInUser(server)
    const headers = {
      origin: server.url,
      'content-type': 'application/json',
      'idempotency-key': `"${randomUUID()}"`,
    }
    const body = JSON.stringify({ password: 'a wrong guess' })
    expect((await confirming.browser.send('POST', '/v1/session/confirm', { headers, body })).status).toBe(400)
    const changing = await makeSignedInUser(server)
    const change = { password: 'another long password', current_password: 'a wrong guess' }
    expect((await changing.browser.api('PATCH', '/v1/me', change)).status).toBe(400)
    const purposes = [...(await selectEntries(confirming.id)), ...(await selectEntries(changing.id))]
    expect(purposes.map(({ detail }) => detail['purpose'])).toEqual(['confirmation', 'password change'])
  })
})

describe('the right password of a disabled account', () => {
  it('leaves an entry that says so', async () => {
    const { id, email } = await makeUserWithPassword(server)
    await server.db.updateTable('users').set({ disabled_at: new Date() }).where('id', '=', id).execute()
    expect(await guess(email, '198.51.100.3', PASSWORD)).toBe(403)
    await expectCount(id, 1)
    expect((await selectEntries(id))[0]?.detail).toEqual({
      method: 'password',
      purpose: 'sign-in',
      reason: 'account disabled',
    })
  })
})

describe('a wrong passkey', () => {
  it('leaves an entry about the account that it belongs to', async () => {
    const { id } = await makeUserWithPassword(server)
    const authenticator = await insertPasskey(server, id)
    authenticator.verifiesUser = false
    const challenge = randomUUID()
    await insertChallenge(server.db, challenge, SIGN_IN_PURPOSE)
    const { status } = await openBrowser(server).api('POST', '/v1/session/passkey', {
      passkey: authenticator.get({ challenge }),
    })
    expect(status).toBe(401)
    await expectCount(id, 1)
    expect((await selectEntries(id))[0]?.detail).toEqual({ method: 'passkey', purpose: 'sign-in' })
  })
})

describe('the line of a refused request in the log', () => {
  const findLine = (requestId: string) =>
    server.logged
      .map((line) => JSON.parse(line) as Record<string, unknown>)
      .find(({ request_id: id, msg }) => id === requestId && msg === 'request')

  async function getLine(method: string, path: string, options: { token?: string; body?: unknown } = {}) {
    const requestId = randomUUID()
    await server.request(method, path, { ...options, headers: { 'x-request-id': requestId } })
    await expect.poll(() => findLine(requestId)).toBeDefined()
    return findLine(requestId)
  }

  it('says who it was from with 401 and 403, and other lines do not', async () => {
    const project = await makeProject(server)
    const path = `/v1/projects/${project.id}`
    const { id: userId, token } = await makeMember(server, project.id, 'viewer')
    const { id: tokenId } = await server.db
      .selectFrom('api_tokens')
      .select('id')
      .where('user_id', '=', userId)
      .executeTakeFirstOrThrow()
    expect(await getLine('DELETE', path, { token })).toMatchObject({ status: 403, user_id: userId, token_id: tokenId })
    const ciToken = await makeCiToken(server, project)
    const ofCi = await getLine('DELETE', path, { token: ciToken })
    expect([ofCi?.['token_id'], ofCi?.['user_id']]).toEqual([expect.any(String), undefined])
    const { id, email } = await makeUserWithPassword(server)
    const wrong = await getLine('POST', '/v1/session', { body: { email, password: 'a wrong guess' } })
    expect(wrong).toMatchObject({ status: 401, user_id: id })
    const unknown = await getLine('POST', '/v1/session', { body: { email: 'x@example.test', password: 'x' } })
    expect(unknown).not.toHaveProperty('user_id')
    expect(await getLine('GET', path, { token })).not.toHaveProperty('user_id')
    expect(server.logged.join()).not.toContain(email)
  })

  it('says who it was from with 429', async () => {
    const strict = await startServerForTest({ rateLimitOther: 1 })
    const { id, token } = await makeUser(strict)
    await strict.request('GET', '/v1/me', { token })
    expect((await strict.request('GET', '/v1/me', { token })).status).toBe(429)
    await expect.poll(() => strict.logged.filter((line) => line.includes(`"user_id":"${id}"`)).length).toBe(1)
    expect(strict.logged.join()).not.toContain(token)
  })
})
