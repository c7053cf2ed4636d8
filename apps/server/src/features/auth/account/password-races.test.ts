import { setTimeout as sleep } from 'node:timers/promises'

import { describe, expect, it } from 'vitest'

import { type Browser, openBrowser, type Page } from '@caseward/test-support/browser'
import { useTestServer } from '@caseward/test-support/test-server'
import { makeSignedInUser, openSignedInBrowser, PASSWORD } from '@caseward/test-support/users'
import { createResetLink } from '../password-reset/reset-password.ts'

const server = useTestServer()

/** What happens by chance happens in some of so many rounds. */
const ROUNDS = 8
const TRIES = 8
/** Hashing costs its time on purpose, and a busy machine takes several times as long. */
const PATIENCE = { timeout: 90_000 }
const next = 'another long password'
const code = ({ text }: Page) => (JSON.parse(text) as { code?: string }).code ?? null

const canSignIn = async (email: string, password: string) =>
  (await openBrowser(server).api('POST', '/v1/session', { email, password })).status === 201

const change = (browser: Browser, password: string) =>
  browser.api('PATCH', '/v1/me', { password, current_password: PASSWORD })

async function resetLinkFor({ id, email }: { id: string; email: string }): Promise<string> {
  await server.request('POST', '/v1/password-resets', { body: { email } })
  return `/v1/password-resets/${(await createResetLink(server.db, id))?.secret}`
}

/**
 * Signs in with the old password, one time after the other, while the password is changed.
 * @returns how many of the sessions that began meanwhile outlived the change
 */
async function sessionsThatOutlive(email: string, changing: Promise<Page>): Promise<number> {
  const browsers = Array.from({ length: TRIES }, () => openBrowser(server))
  const trying = browsers.map(async (browser, index) => {
    await sleep(15 * index)
    await browser.api('POST', '/v1/session', { email, password: PASSWORD })
  })
  expect((await changing).status).toBe(200)
  await Promise.all(trying)
  const answers = await Promise.all(browsers.map((browser) => browser.get('/v1/me')))
  return answers.filter((answer) => answer.status === 200).length
}

describe('what began with the old password', PATIENCE, () => {
  it('ends with a change of it, also a session that began at the same moment', async () => {
    for (let round = 0; round < ROUNDS; round += 1) {
      const { browser, email } = await makeSignedInUser(server)
      expect(await sessionsThatOutlive(email, change(browser, next))).toBe(0)
    }
  })

  it('ends with a reset of it, also a session that began at the same moment', async () => {
    for (let round = 0; round < ROUNDS; round += 1) {
      const person = await makeSignedInUser(server)
      const [link, browser] = [await resetLinkFor(person), openBrowser(server)]
      expect(await sessionsThatOutlive(person.email, browser.api('POST', link, { password: next }))).toBe(0)
      expect((await browser.get('/v1/me')).status).toBe(200)
    }
  })

  it('undoes no reset: of it and a change by a thief at the same moment one is done, and the other refused', async () => {
    for (let round = 0; round < ROUNDS; round += 1) {
      const { browser: thief, ...person } = await makeSignedInUser(server)
      const link = await resetLinkFor(person)
      const [reset, theft] = await Promise.all([
        openBrowser(server).api('POST', link, { password: next }),
        change(thief, 'the thief’s password'),
      ])
      const told = [reset.status, code(reset), theft.status, code(theft)]
      expect([
        [200, null, 400, 'wrong_password'],
        [410, 'reset_link_ended', 200, null],
      ]).toContainEqual(told)
      expect(await canSignIn(person.email, next)).toBe(reset.status === 200)
    }
  })
})

describe('a current password', PATIENCE, () => {
  it('is good for one change, of several at the same moment', async () => {
    for (let round = 0; round < ROUNDS; round += 1) {
      const { browser, email } = await makeSignedInUser(server)
      const browsers = [browser, await openSignedInBrowser(server, email), await openSignedInBrowser(server, email)]
      const answers = await Promise.all(browsers.map((each, index) => change(each, `${next} ${index}`)))
      const winner = answers.findIndex(({ status }) => status === 200)
      const losers = answers.filter((_, index) => index !== winner)
      // One that comes when all is done finds that its session has ended.
      for (const loser of losers) expect(['wrong_password', 'unauthenticated']).toContain(code(loser))
      expect(await canSignIn(email, `${next} ${winner}`)).toBe(true)
    }
  })
})
