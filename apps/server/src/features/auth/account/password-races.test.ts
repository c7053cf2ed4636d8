import { setTimeout as sleep } from 'node:timers/promises'

import { describe, expect, it } from 'vitest'

import { type Browser, openBrowser, type Page } from '@caseward/test-support/browser'
import { useSharedServer } from '@caseward/test-support/test-server'
import { makeSignedInUser, openSignedInBrowser, PASSWORD } from '@caseward/test-support/users'
import { createResetLink } from '../password-reset/password-reset.queries.ts'

const server = useSharedServer()

/** An error in the locking shows up only by chance, so that each test runs several rounds. */
const ROUNDS = 4
const SIGN_INS = 8
const newPassword = 'another long password'
const getCode = ({ text }: Page) => (JSON.parse(text) as { code?: string }).code ?? null

const canSignIn = async (email: string, password: string) =>
  (await openBrowser(server).api('POST', '/v1/session', { email, password })).status === 201

const changePassword = (browser: Browser, password: string) =>
  browser.api('PATCH', '/v1/me', { password, current_password: PASSWORD })

async function createResetPath({ id, email }: { id: string; email: string }): Promise<string> {
  await server.request('POST', '/v1/password-resets', { body: { email } })
  return `/v1/password-resets/${(await createResetLink(server.db, id))?.secret}`
}

/**
 * Signs in with the old password several times while the password is changed.
 * @returns how many of the new sessions are still valid after the change
 */
async function countSurvivingSessions(email: string, passwordChange: Promise<Page>): Promise<number> {
  const browsers = Array.from({ length: SIGN_INS }, () => openBrowser(server))
  const signIns = browsers.map(async (browser, index) => {
    await sleep(15 * index)
    await browser.api('POST', '/v1/session', { email, password: PASSWORD })
  })
  expect((await passwordChange).status).toBe(200)
  await Promise.all(signIns)
  const responses = await Promise.all(browsers.map((browser) => browser.get('/v1/me')))
  return responses.filter(({ status }) => status === 200).length
}

describe('changing the password', () => {
  it('ends sessions that start at the same moment with the old password', async () => {
    for (let round = 0; round < ROUNDS; round += 1) {
      const { browser, email } = await makeSignedInUser(server)
      expect(await countSurvivingSessions(email, changePassword(browser, newPassword))).toBe(0)
    }
  })

  it('succeeds only once when several requests give the same current password at the same moment', async () => {
    for (let round = 0; round < ROUNDS; round += 1) {
      const { browser, email } = await makeSignedInUser(server)
      const browsers = [browser, await openSignedInBrowser(server, email), await openSignedInBrowser(server, email)]
      const responses = await Promise.all(
        browsers.map((sender, index) => changePassword(sender, `${newPassword} ${index}`)),
      )
      const winner = responses.findIndex(({ status }) => status === 200)
      const losers = responses.filter((_, index) => index !== winner)
      // A request that arrives after the change finds that its session has ended.
      for (const loser of losers) expect(['wrong_password', 'unauthenticated']).toContain(getCode(loser))
      expect(await canSignIn(email, `${newPassword} ${winner}`)).toBe(true)
    }
  })
})

describe('resetting the password', () => {
  it('ends sessions that start at the same moment with the old password, and keeps its own', async () => {
    for (let round = 0; round < ROUNDS; round += 1) {
      const user = await makeSignedInUser(server)
      const [path, browser] = [await createResetPath(user), openBrowser(server)]
      const reset = browser.api('POST', path, { password: newPassword })
      expect(await countSurvivingSessions(user.email, reset)).toBe(0)
      expect((await browser.get('/v1/me')).status).toBe(200)
    }
  })

  it('is not undone by a change with the old password at the same moment: one succeeds, the other fails', async () => {
    for (let round = 0; round < ROUNDS; round += 1) {
      const { browser: thief, ...user } = await makeSignedInUser(server)
      const path = await createResetPath(user)
      const [reset, change] = await Promise.all([
        openBrowser(server).api('POST', path, { password: newPassword }),
        changePassword(thief, 'the thief’s password'),
      ])
      const outcome = [reset.status, getCode(reset), change.status, getCode(change)]
      expect([
        [200, null, 400, 'wrong_password'],
        [410, 'reset_link_ended', 200, null],
      ]).toContainEqual(outcome)
      expect(await canSignIn(user.email, newPassword)).toBe(reset.status === 200)
    }
  })
})
