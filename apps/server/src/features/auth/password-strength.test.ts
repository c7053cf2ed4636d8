import { describe, expect, it } from 'vitest'

import { openBrowser } from '@caseward/test-support/browser'
import { makeInvitation, makeProject } from '@caseward/test-support/factories'
import { startServerForTest, useTestServer, type TestServer } from '@caseward/test-support/test-server'
import { makeSignedInUser, makeUserWithPassword, PASSWORD } from '@caseward/test-support/users'
import { generateSecret, hashSecret } from '../../access/secret.ts'
import { findPasswordWeakness } from './password-strength.ts'
import { createSetupLink } from './setup/create-setup-link.ts'
import { requireStrongAdminPassword } from './setup/require-strong-admin-password.ts'

const server = useTestServer()

const ada = { email: 'ada.lovelace@mail.analytical.example', name: 'Augusta Ada King' }

describe('findPasswordWeakness', () => {
  it.each([
    ['is common', 'password', 'common passwords'],
    ['is common in upper and lower case', 'PassWord', 'common passwords'],
    ['is common in full-width letters', 'ｐａｓｓｗｏｒｄ', 'common passwords'],
    ['is a common number', '12345678', 'common passwords'],
    ['is a common word with a year', 'Sunshine2026!', 'common passwords'],
    ['is a common word between other characters', '!!dragon99', 'common passwords'],
    ['repeats one character', 'ßßßßßßßßßßßß', 'simple patterns'],
    ['repeats a few characters', 'x7!x7!x7!x', 'simple patterns'],
    ['counts upwards', '₀₁₂₃₄₅₆₇₈', 'simple patterns'],
    ['counts downwards', 'zyxwvutsrqponm', 'simple patterns'],
    ['is the name of the product', 'caseward', '“Caseward”'],
    ['is the name of the product with a year', 'My-Caseward-2026', '“Caseward”'],
    ['is the email address', 'Ada.Lovelace@mail.analytical.example', 'email address'],
    ['is the first part of the email address', 'adalovelace', 'email address'],
    ['contains a part of the email address and a year', 'Lovelace_1815', 'email address'],
    ['contains the domain of the email address', 'analytical1!', 'email address'],
    ['is the name', 'augusta ada king', 'your name'],
    ['contains a part of the name', '1augusta1', 'your name'],
  ])('returns the reason for a password that %s', async (_, password, reason) => {
    expect(await findPasswordWeakness(password, ada)).toContain(reason)
  })

  it.each([
    'correct horse battery staple',
    'k7#vQ2!m',
    'password of the analytical engine',
    'Caseward and three more words',
    'Augusta writes the first program',
    'Canada geese',
    '48291 sunshine 99321',
    'x7!x7!x7?x',
  ])('returns null for %s', async (password) => {
    expect(await findPasswordWeakness(password, ada)).toBeNull()
  })

  it('ignores short words of the name, which other words contain by chance', async () => {
    expect(await findPasswordWeakness('kitchen sink', { email: 'i@x.example', name: 'Li' })).toBeNull()
  })
})

interface NewPasswordRequest {
  path: string
  fields?: Record<string, string>
}

async function makeResetLink(testServer: TestServer): Promise<string> {
  const { id } = await makeUserWithPassword(testServer)
  const secret = generateSecret()
  const expires_at = new Date(Date.now() + 60_000)
  const row = { user_id: id, secret_hash: hashSecret(secret), expires_at }
  await testServer.db.insertInto('password_reset_links').values(row).execute()
  return secret
}

const invite = async (testServer: TestServer) =>
  (await makeInvitation(testServer, await makeProject(testServer))).secret

/** All ways to set a password, in the API and on the pages. */
const requests: Record<string, (testServer: TestServer) => Promise<NewPasswordRequest>> = {
  'POST /v1/setup/:secret': async ({ db }) => ({
    path: `/v1/setup/${await createSetupLink(db)}`,
    fields: { name: 'Ada', email: 'ada@example.test' },
  }),
  'POST /setup/:secret': async ({ db }) => ({
    path: `/setup/${await createSetupLink(db)}`,
    fields: { name: 'Ada', email: 'ada@example.test' },
  }),
  'POST /v1/invitations/:secret/accept': async (testServer) => ({
    path: `/v1/invitations/${await invite(testServer)}/accept`,
    fields: { name: 'Mira' },
  }),
  'POST /join/:secret': async (testServer) => ({ path: `/join/${await invite(testServer)}`, fields: { name: 'Mira' } }),
  'POST /v1/password-resets/:secret': async (testServer) => ({
    path: `/v1/password-resets/${await makeResetLink(testServer)}`,
  }),
  'POST /reset/:secret': async (testServer) => ({ path: `/reset/${await makeResetLink(testServer)}` }),
}

describe.each(Object.entries(requests))('%s', (_, prepare) => {
  it('returns 400 for the field password when it is easy to guess, and accepts another one then', async () => {
    const testServer = await startServerForTest()
    const { path, fields = {} } = await prepare(testServer)
    const browser = openBrowser(testServer)
    const send = (password: string) =>
      path.startsWith('/v1')
        ? browser.api('POST', path, { ...fields, password })
        : browser.post(path, { ...fields, password })
    const { status, text } = await send('Password1')
    expect(status).toBe(400)
    expect(text).toMatch(
      path.startsWith('/v1')
        ? /"code":"weak_password","errors":\[\{"path":"\/password"/
        : /id="password-error">This is too easy to guess: attackers try common passwords/,
    )
    expect((await send('another long password')).status).toBeLessThan(400)
  })
})

describe('PATCH /v1/me', () => {
  it('returns 400 for the field password when the new one is easy to guess', async () => {
    const { browser } = await makeSignedInUser(server)
    const change = { current_password: PASSWORD, password: 'Caseward123' }
    const response = await browser.api('PATCH', '/v1/me', change)
    expect(response.status).toBe(400)
    expect(JSON.parse(response.text)).toMatchObject({ code: 'weak_password', errors: [{ path: '/password' }] })
  })

  it('returns 400 when the password is the name that the same request sets', async () => {
    const { browser } = await makeSignedInUser(server)
    const body = { name: 'Rumpelstiltskin', current_password: PASSWORD, password: 'rumpelstiltskin' }
    expect((await browser.api('PATCH', '/v1/me', body)).status).toBe(400)
  })
})

describe('ADMIN_PASSWORD', () => {
  const settings = { adminEmail: 'admin@example.test', adminPassword: 'Caseward1' }

  it('prevents the first start when it is easy to guess, with the reason and without the password', async () => {
    const { db } = await startServerForTest()
    const error = await requireStrongAdminPassword(db, settings).catch((reason: unknown) => String(reason))
    expect(error).toMatch(/ADMIN_PASSWORD is too easy to guess: it contains “Caseward” and little else\.$/)
    expect(error).not.toContain(settings.adminPassword)
  })

  it('has no effect when a user exists', async () => {
    await makeUserWithPassword(server)
    await expect(requireStrongAdminPassword(server.db, settings)).resolves.toBeUndefined()
  })
})
