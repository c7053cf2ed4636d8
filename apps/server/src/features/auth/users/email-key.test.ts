import { sql } from 'kysely'
import { describe, expect, it } from 'vitest'

import { openBrowser } from '@caseward/test-support/browser'
import { makeInvitation, makeProject } from '@caseward/test-support/factories'
import { useSingleSignOn } from '@caseward/test-support/single-sign-on'
import { makeUserWithPassword, PASSWORD } from '@caseward/test-support/users'
import { getEmailKeySql, toEmailKey } from './email-key.ts'
import { findUserByEmail } from './users.queries.ts'

const { server, signOn } = useSingleSignOn()

/** Spellings that `lower()` of PostgreSQL or `toLowerCase()` of JavaScript converts to an ASCII letter. */
const lookAlikes = [
  ['U+0130, a capital I with a dot', 'i', '\u0130'],
  ['U+212A, the Kelvin sign', 'k', '\u212a'],
] as const

let accountCount = 0
/** Creates an account whose address contains the letter, and returns the address and another spelling of it. */
async function makeAccount(letter: string, lookAlike: string) {
  accountCount += 1
  const email = `adm${letter}n${accountCount}@example.test`
  await makeUserWithPassword(server, { email })
  return { email, spelling: email.replace(letter, lookAlike) }
}

const signIn = async (email: string) =>
  (await openBrowser(server).api('POST', '/v1/session', { email, password: PASSWORD })).status

describe('toEmailKey', () => {
  it('converts the same letters as the database, which are those of ASCII', async () => {
    const codes = Array.from({ length: 0x20000 }, (_, code) => code).filter((code) => code > 0 && code >> 11 !== 0x1b)
    const characters = codes.map((code) => String.fromCodePoint(code)).join('')
    const query = sql<{ key: string }>`
      select ${getEmailKeySql('characters')} as key from (select ${characters}::text as characters) as all_characters`
    const [row] = (await query.execute(server.db)).rows
    expect(row?.key === toEmailKey(characters)).toBe(true)
    expect(toEmailKey(characters)).toBe(characters.replace('ABCDEFGHIJKLMNOPQRSTUVWXYZ', 'abcdefghijklmnopqrstuvwxyz'))
  })
})

describe.each(lookAlikes)('an email address with %s', (_name, letter, lookAlike) => {
  it('does not sign in to the account of the ASCII address, whose own upper case does', async () => {
    const { email, spelling } = await makeAccount(letter, lookAlike)
    expect(await signIn(spelling)).toBe(401)
    expect(await signIn(email.toUpperCase())).toBe(201)
  })

  it('does not sign in to the account of the ASCII address when a provider has verified it', async () => {
    const { spelling } = await makeAccount(letter, lookAlike)
    const browser = openBrowser(server)
    expect((await signOn(browser, { email: spelling })).status).toBe(403)
    expect((await browser.get('/v1/me')).status).toBe(401)
  })

  it('can be invited and gets an account of its own', async () => {
    const { email, spelling } = await makeAccount(letter, lookAlike)
    const { secret } = await makeInvitation(server, await makeProject(server), { email: spelling })
    const body = { name: 'Mira', password: 'correct horse' }
    const { status } = await server.request('POST', `/v1/invitations/${secret}/accept`, { body })
    expect(status).toBe(200)
    const users = [await findUserByEmail(server.db, email), await findUserByEmail(server.db, spelling)]
    expect(users.map((user) => user?.email)).toEqual([email, spelling])
  })

  it('does not accept an invitation of the ASCII address', async () => {
    const { email, spelling } = await makeAccount(letter, lookAlike)
    await makeUserWithPassword(server, { email: spelling })
    const { secret } = await makeInvitation(server, await makeProject(server), { email })
    const browser = openBrowser(server)
    await browser.api('POST', '/v1/session', { email: spelling, password: PASSWORD })
    const accepted = await browser.api('POST', `/v1/invitations/${secret}/accept`)
    expect([accepted.status, accepted.text.includes('other_email')]).toEqual([403, true])
    expect((await browser.get(`/join/${secret}`)).text).toContain('You are signed in as')
  })
})
