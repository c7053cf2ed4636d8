import { describe, expect, it } from 'vitest'

import { openBrowser } from '@caseward/test-support/browser'
import { startTestServer, useTestServer } from '@caseward/test-support/test-server'
import { makeUserWithPassword, PASSWORD } from '@caseward/test-support/users'

const server = useTestServer({ rateLimitSignIn: 3, trustProxy: 1 })

let addresses = 0
const newAddress = () => `198.51.100.${(addresses += 1)}`
const signIn = (email: string, from: string, password = 'wrong password') =>
  server.request('POST', '/v1/session', { headers: { 'x-forwarded-for': from }, body: { email, password } })

describe('signing in', () => {
  it('is tried so often a minute from one address, whatever the account', async () => {
    const from = newAddress()
    const statuses: number[] = []
    for (let round = 0; round < 4; round += 1) {
      statuses.push((await signIn(`somebody${round}@address.test`, from)).status)
    }
    expect(statuses).toEqual([401, 401, 401, 429])
  })

  it('is tried so often a minute for one account, wherever it comes from and however it is written', async () => {
    const { email } = await makeUserWithPassword(server)
    for (const each of [email, email.toUpperCase(), ` ${email}`])
      expect((await signIn(each, newAddress())).status).toBe(401)
    const answer = await signIn(email, newAddress(), PASSWORD)
    expect(answer.status).toBe(429)
    expect(answer.headers.get('retry-after')).toMatch(/^[1-9]\d?$/)
    expect(answer.body).toMatchObject({ code: 'rate_limit_exceeded' })
  })

  it('is held back for an account that is not there just the same', async () => {
    for (let round = 0; round < 3; round += 1) await signIn('nobody@account.test', newAddress())
    expect((await signIn('nobody@account.test', newAddress())).status).toBe(429)
  })

  it('is held back in the form as well, which says when to try again', async () => {
    const { email } = await makeUserWithPassword(server)
    for (let round = 0; round < 3; round += 1) await signIn(email, newAddress())
    const browser = openBrowser(server, { 'x-forwarded-for': newAddress() })
    const answer = await browser.post('/sign-in', { email, password: PASSWORD })
    expect([answer.status, browser.cookies.size]).toEqual([429, 0])
    expect(answer.headers.get('retry-after')).toMatch(/^[1-9]\d?$/)
    expect(answer.text).toMatch(/role="alert">Too many requests\. Try again in \d+ seconds\./)
  })
})

describe('the address that a try to sign in counts against', () => {
  it.each([
    [0, 'that of the connection, whatever is forwarded', '198.51.100.1', '198.51.100.2', 429],
    [1, 'the one that the proxy added', '198.51.100.1', '198.51.100.2', 401],
    [1, 'the same, whatever a client wrote before it', '192.0.2.1, 198.51.100.1', '192.0.2.2, 198.51.100.1', 429],
    [2, 'the one that the first of two added', '198.51.100.1, 10.0.0.1', '198.51.100.2, 10.0.0.1', 401],
    [2, 'the same, whichever the second is', '192.0.2.1, 198.51.100.1, 10.0.0.1', '198.51.100.1, 10.0.0.2', 429],
    [2, 'the first that is told where there are fewer', '198.51.100.1', '198.51.100.1', 429],
  ])('is, behind %s proxies, %s', async (trustProxy, _which, first, second, status) => {
    const strict = await startTestServer({ rateLimitSignIn: 1, trustProxy })
    try {
      const answers: number[] = []
      for (const [index, from] of [first, second].entries()) {
        const body = { email: `somebody${index}@address.test`, password: 'wrong password' }
        const options = { headers: { 'x-forwarded-for': from }, body }
        answers.push((await strict.request('POST', '/v1/session', options)).status)
      }
      expect(answers).toEqual([401, status])
    } finally {
      await strict.close()
    }
  })
})

describe('the current password', () => {
  it('is guessed no faster by who has found a session open', async () => {
    const { email } = await makeUserWithPassword(server)
    const browser = openBrowser(server, { 'x-forwarded-for': newAddress() })
    await browser.api('POST', '/v1/session', { email, password: PASSWORD })
    const guess = async (current_password: string) =>
      (await browser.api('PATCH', '/v1/me', { password: 'another long one', current_password })).status
    expect([await guess('one'), await guess('two'), await guess(PASSWORD)]).toEqual([400, 400, 429])
  })
})

describe('asking for a reset', () => {
  it('is held back by account', async () => {
    const { email } = await makeUserWithPassword(server)
    const ask = async () =>
      (await openBrowser(server, { 'x-forwarded-for': newAddress() }).post('/reset', { email })).status
    expect([await ask(), await ask(), await ask(), await ask()]).toEqual([200, 200, 200, 429])
  })
})
