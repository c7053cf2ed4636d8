import type { Me } from '@caseward/contract/session'
import { describe, expect, it } from 'vitest'

import { openBrowser } from '@caseward/test-support/browser'
import { startTestServer, useTestServer } from '@caseward/test-support/test-server'
import { makeSignedInUser, makeUser, makeUserWithPassword, PASSWORD } from '@caseward/test-support/users'
import { createResetLink } from './reset-password.ts'

const server = useTestServer()

const next = 'another long password'

const ask = (email: string) => server.request<{ message: string }>('POST', '/v1/password-resets', { body: { email } })

/** The path of a link that was asked for, as its mail would say it. */
async function linkFor({ id, email }: { id: string; email: string }): Promise<string> {
  await ask(email)
  return await resentLink({ id })
}

/** The path of the link in the same mail, sent again. */
const resentLink = async ({ id }: { id: string }) =>
  `/v1/password-resets/${(await createResetLink(server.db, id))?.secret}`

const signIn = async (email: string, password: string) =>
  (await server.request('POST', '/v1/session', { body: { email, password } })).status

const openResets = (id: string) =>
  server.db.selectFrom('password_resets').select('user_id').where('user_id', '=', id).execute()

describe('POST /v1/password-resets', () => {
  it('queues a mail for who has the address, in upper or lower case', async () => {
    const { id, email } = await makeUserWithPassword(server)
    expect((await ask(email.toUpperCase())).status).toBe(200)
    expect(await openResets(id)).toHaveLength(1)
  })

  it('is answered alike, and takes as long, for an address that nobody has', async () => {
    const { email } = await makeUserWithPassword(server)
    const timed = async (each: string) => {
      const start = performance.now()
      const { status, body } = await ask(each)
      return { told: { status, body }, ms: performance.now() - start }
    }
    const [known, unknown] = [await timed(email), await timed('nobody@example.test')]
    expect(known.told).toEqual(unknown.told)
    for (const { ms } of [known, unknown]) expect(ms).toBeGreaterThanOrEqual(245)
    expect(Math.abs(known.ms - unknown.ms)).toBeLessThan(150)
  })

  it('names the address that is none', async () => {
    const problem = await server.expectProblem(400, 'POST', '/v1/password-resets', { body: { email: 'ada' } })
    expect(problem.errors).toEqual([{ path: '/email', message: 'must be an e-mail address' }])
  })

  it('is held back by account, and like sign-in by address', async () => {
    const strict = await startTestServer({ rateLimitSignIn: 3, trustProxy: 1 })
    const from = async (address: string, email: string) =>
      (
        await strict.request('POST', '/v1/password-resets', {
          headers: { 'x-forwarded-for': address },
          body: { email },
        })
      ).status
    for (const n of [1, 2, 3]) expect(await from(`198.51.100.${n}`, 'ada@example.test')).toBe(200)
    expect(await from('198.51.100.4', 'Ada@example.test')).toBe(429)
    for (const n of [1, 2, 3]) expect(await from('198.51.100.9', `${n}@example.test`)).toBe(200)
    expect(await from('198.51.100.9', '4@example.test')).toBe(429)
    await strict.close()
  })
})

describe('/v1/password-resets/:secret', () => {
  it('tells whose password it sets and until when, to whoever has the link', async () => {
    const person = await makeUserWithPassword(server)
    const { status, body } = await server.request('GET', await linkFor(person))
    expect([status, body]).toEqual([200, { data: { email: person.email, expires_at: expect.any(String) } }])
  })

  it('sets the password, ends all sessions and signs in', async () => {
    const { browser: other, ...person } = await makeSignedInUser(server)
    const browser = openBrowser(server)
    const answer = await browser.api('POST', await linkFor(person), { password: next })
    expect([answer.status, (JSON.parse(answer.text) as { data: Me }).data.email]).toEqual([200, person.email])
    expect([(await browser.get('/v1/me')).status, (await other.get('/v1/me')).status]).toEqual([200, 401])
    expect([await signIn(person.email, PASSWORD), await signIn(person.email, next)]).toEqual([401, 201])
  })

  it('leaves tokens as they are', async () => {
    const user = await makeUser(server)
    await server.request('POST', await linkFor(user), { body: { password: next } })
    expect((await server.request('GET', '/v1/me', { token: user.token })).status).toBe(200)
  })

  it('works once, and is the same link as that of the page', async () => {
    const path = await linkFor(await makeUserWithPassword(server))
    const page = path.replace('/v1/password-resets/', '/reset/')
    expect((await openBrowser(server).get(page)).status).toBe(200)
    await server.request('POST', path, { body: { password: next } })
    expect((await openBrowser(server).get(page)).status).toBe(410)
    expect((await server.expectProblem(410, 'GET', path)).code).toBe('reset_link_ended')
    await server.expectProblem(410, 'POST', path, { body: { password: 'a third long password' } })
  })

  it('works in each of the mails, when one is sent again since nobody knows whether it arrived', async () => {
    const person = await makeUserWithPassword(server)
    const paths = [await linkFor(person), await resentLink(person)]
    for (const path of paths) expect((await server.request('GET', path)).status).toBe(200)
    expect((await server.request('POST', paths[0] ?? '', { body: { password: next } })).status).toBe(200)
  })

  it('sets one password when two of them are used at once', async () => {
    for (let round = 0; round < 8; round += 1) {
      const person = await makeUserWithPassword(server)
      const paths = [await linkFor(person), await resentLink(person)]
      const answers = await Promise.all(
        paths.map((path, index) => server.request('POST', path, { body: { password: `${next} ${index}` } })),
      )
      expect(answers.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([200, 410])
      const used = answers.findIndex(({ status }) => status === 200)
      expect(await signIn(person.email, `${next} ${used}`)).toBe(201)
    }
  })

  it('is made no more once the password is changed', async () => {
    const { id, email, browser } = await makeSignedInUser(server)
    await ask(email)
    await browser.api('PATCH', '/v1/me', { password: next, current_password: PASSWORD })
    expect(await createResetLink(server.db, id)).toBeNull()
  })

  it('stays good when the new password is too short', async () => {
    const path = await linkFor(await makeUserWithPassword(server))
    await server.expectProblem(400, 'POST', path, { body: { password: 'short' } })
    expect((await server.request('POST', path, { body: { password: next } })).status).toBe(200)
  })

  it('is the one in the address, whatever a field of the body is called', async () => {
    const path = await linkFor(await makeUserWithPassword(server))
    expect((await server.request('POST', path, { body: { password: next, secret: 5 } })).status).toBe(200)
  })

  it('is nothing when it is made up', async () => {
    await server.expectProblem(410, 'GET', '/v1/password-resets/nonsense')
    await server.expectProblem(410, 'POST', '/v1/password-resets/nonsense', { body: { password: next } })
  })

  it('is not for another site to use or to ask for', async () => {
    const person = await makeUserWithPassword(server)
    const path = await linkFor(person)
    const evil = openBrowser(server, { origin: 'https://evil.test' })
    expect((await evil.api('POST', '/v1/password-resets', { email: person.email })).status).toBe(403)
    expect((await evil.api('POST', path, { password: next })).status).toBe(403)
    expect([evil.cookies.size, await signIn(person.email, PASSWORD)]).toEqual([0, 201])
  })
})
