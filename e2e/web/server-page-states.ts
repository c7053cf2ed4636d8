import { generateSecret, hashSecret } from '@caseward/server/access/secret'
import {
  createEmailChangeLink,
  saveEmailChange,
} from '@caseward/server/features/auth/email-change/email-changes.queries'
import { createResetLink } from '@caseward/server/features/auth/password-reset/password-reset.queries'
import { createSecondFactorLinks } from '@caseward/server/features/auth/second-factors/second-factor-links.queries'
import { insertPendingIdentity } from '@caseward/server/features/auth/single-sign-on/single-sign-on.queries'
import { makeInvitation, makeProject } from '@caseward/test-support/factories'
import { insertTotp } from '@caseward/test-support/second-factors'
import type { TestServer } from '@caseward/test-support/test-server'
import { makeUserWithPassword, PASSWORD } from '@caseward/test-support/users'
import type { Page } from 'playwright-core'

/** A page that the server renders, in one state. */
export interface PageState {
  name: string
  /** The HTTP status of the page. */
  status: number
  /** Opens the page in this state, in a browser without cookies. */
  open(page: Page, server: TestServer): Promise<unknown>
  /** The ids of the fields with errors, in order. */
  invalidFields?: string[]
}

/** A name that is longer than most, to test the layout. */
const LONG_NAME = 'A name that goes on for longer than most, as names of projects will'

const visit = (path: string) => async (page: Page, server: TestServer) => await page.goto(server.url + path)

/** Fills in fields by their labels, submits the form, and waits until the next page has loaded. */
async function submit(page: Page, button: string, fields: Record<string, string> = {}): Promise<void> {
  for (const [label, text] of Object.entries(fields)) await page.getByLabel(label).fill(text)
  await Promise.all([page.waitForEvent('load'), page.getByRole('button', { name: button, exact: true }).click()])
}

/** The same without the checks of the browser, so that the server has to check the fields. */
async function submitUnchecked(page: Page, button: string, fields: Record<string, string> = {}): Promise<void> {
  await page.locator('form').evaluateAll((forms) => {
    for (const form of forms) (form as HTMLFormElement).noValidate = true
  })
  await submit(page, button, fields)
}

/** Signs a new user in. */
async function signIn(page: Page, server: TestServer): Promise<{ id: string; email: string }> {
  const { id, email } = await makeUserWithPassword(server)
  const headers = { origin: server.url }
  const response = await page.request.post(`${server.url}/v1/session`, { data: { email, password: PASSWORD }, headers })
  if (!response.ok()) throw new Error(`POST /v1/session returned ${response.status()}`)
  return { id, email }
}

async function openInvitation(page: Page, server: TestServer, email?: string): Promise<string> {
  const project = await makeProject(server, { name: LONG_NAME })
  const { secret } = await makeInvitation(server, project, email === undefined ? {} : { email })
  await visit(`/join/${secret}`)(page, server)
  return secret
}

async function openFactorLink(page: Page, server: TestServer, { isFirst = true, password }: FactorLinkState = {}) {
  const { id } = await makeUserWithPassword(server, password === null ? { password } : {})
  await insertTotp(server, id)
  await server.db.updateTable('second_factors').set({ is_first: isFirst }).where('user_id', '=', id).execute()
  await visit(`/remove-factor/${(await createSecondFactorLinks(server.db, id))[0]?.secret}`)(page, server)
}
interface FactorLinkState {
  /** Whether the account had no factor before. */
  isFirst?: boolean
  /** Null for an account without one. */
  password?: null
}

async function openResetLink(page: Page, server: TestServer, isEmailConfirmed = true): Promise<void> {
  const { id } = await makeUserWithPassword(server, { isEmailConfirmed })
  const expires_at = new Date(Date.now() + 60_000)
  await server.db.insertInto('password_resets').values({ user_id: id, expires_at }).execute()
  await visit(`/reset/${(await createResetLink(server.db, id))?.secret}`)(page, server)
}

/** Opens the link in the email to a new address, and returns the address. */
async function openEmailLink(page: Page, server: TestServer): Promise<string> {
  const { id } = await makeUserWithPassword(server)
  const email = `somebody.with.a.long.name.${id}@example.test`
  await saveEmailChange(server.db, id, email)
  await visit(`/confirm-email/${(await createEmailChangeLink(server.db, id))?.secret}`)(page, server)
  return email
}

async function openSetupLink(page: Page, server: TestServer): Promise<void> {
  // Inserted directly, because the server creates setup links only while it has no users.
  const secret = generateSecret()
  await server.db
    .insertInto('setup_links')
    .values({ secret_hash: hashSecret(secret) })
    .execute()
  await visit(`/setup/${secret}`)(page, server)
}

/** Opens the page on which a user returns from the provider, to give the password of the account. */
async function openLinkPage(page: Page, server: TestServer): Promise<void> {
  const { id } = await makeUserWithPassword(server)
  const identity = { issuer: 'https://login.example.test', subject: id, sessionDigest: null }
  const secret = await insertPendingIdentity(server.db, id, identity)
  await page.context().addCookies([{ name: 'caseward-identity', value: secret, url: server.url }])
  await visit('/sign-in/oidc/link')(page, server)
}

/** The pages of setup, sign-in, invitations and password resets, and the one for unknown addresses. */
export const pageStates: PageState[] = [
  { name: 'setup', status: 200, open: openSetupLink },
  {
    name: 'setup-wrong',
    status: 400,
    invalidFields: ['name', 'email', 'password'],
    async open(page, server) {
      await openSetupLink(page, server)
      await submitUnchecked(page, 'Create account', { 'Email address': 'ada', Password: 'short' })
    },
  },
  {
    name: 'setup-ended',
    status: 410,
    async open(page, server) {
      await makeUserWithPassword(server)
      await visit('/setup/used')(page, server)
    },
  },
  { name: 'sign-in', status: 200, open: visit('/sign-in') },
  {
    name: 'sign-in-wrong',
    status: 401,
    async open(page, server) {
      await visit('/sign-in')(page, server)
      await submit(page, 'Sign in', { 'Email address': 'ada@example.test', Password: 'wrong password' })
    },
  },
  {
    name: 'sign-in-empty',
    status: 400,
    invalidFields: ['email', 'password'],
    async open(page, server) {
      await visit('/sign-in')(page, server)
      await submitUnchecked(page, 'Sign in')
    },
  },
  {
    name: 'sign-out',
    status: 200,
    async open(page, server) {
      await signIn(page, server)
      await visit('/sign-out')(page, server)
    },
  },
  {
    name: 'sign-out-unsent',
    status: 200,
    async open(page, server) {
      const { id } = await signIn(page, server)
      await visit('/sign-out')(page, server)
      await page.evaluate((key) => localStorage.setItem(key, '{}'), `caseward:draft:${id}:note`)
      await page.reload()
    },
  },
  { name: 'link-account', status: 200, open: openLinkPage },
  {
    name: 'link-account-wrong',
    status: 400,
    invalidFields: ['password'],
    async open(page, server) {
      await openLinkPage(page, server)
      await submit(page, 'Link account and sign in', { Password: 'wrong password' })
    },
  },
  { name: 'link-account-ended', status: 400, open: visit('/sign-in/oidc/link') },
  { name: 'join-new', status: 200, open: (page, server) => openInvitation(page, server) },
  {
    name: 'join-new-wrong',
    status: 400,
    invalidFields: ['name', 'password'],
    async open(page, server) {
      await openInvitation(page, server)
      await submitUnchecked(page, 'Create account and join', { Password: 'short' })
    },
  },
  {
    name: 'join-existing',
    status: 200,
    open: async (page, server) => await openInvitation(page, server, (await makeUserWithPassword(server)).email),
  },
  {
    name: 'join-signed-in',
    status: 200,
    async open(page, server) {
      const { email } = await signIn(page, server)
      await openInvitation(page, server, email)
    },
  },
  {
    name: 'join-other-user',
    status: 200,
    async open(page, server) {
      await signIn(page, server)
      await openInvitation(page, server)
    },
  },
  {
    name: 'join-ended',
    status: 410,
    async open(page, server) {
      const secret = await openInvitation(page, server)
      await server.db.updateTable('invitations').set({ status: 'revoked' }).execute()
      await visit(`/join/${secret}`)(page, server)
    },
  },
  { name: 'remove-factor', status: 200, open: (page, server) => openFactorLink(page, server) },
  {
    name: 'remove-factor-wrong',
    status: 400,
    invalidFields: ['password'],
    async open(page, server) {
      await openFactorLink(page, server)
      await submit(page, 'Remove and sign out everywhere', { Password: 'a wrong guess' })
    },
  },
  {
    name: 'remove-factor-refused',
    status: 200,
    open: (page, server) => openFactorLink(page, server, { isFirst: false }),
  },
  {
    name: 'remove-factor-without-password',
    status: 200,
    open: (page, server) => openFactorLink(page, server, { password: null }),
  },
  {
    name: 'remove-factor-done',
    status: 200,
    async open(page, server) {
      await openFactorLink(page, server)
      await submit(page, 'Remove and sign out everywhere', { Password: PASSWORD })
    },
  },
  { name: 'remove-factor-ended', status: 410, open: visit('/remove-factor/used') },
  { name: 'reset', status: 200, open: visit('/reset') },
  {
    name: 'reset-wrong',
    status: 400,
    invalidFields: ['email'],
    async open(page, server) {
      await visit('/reset')(page, server)
      await submitUnchecked(page, 'Send link', { 'Email address': 'ada' })
    },
  },
  {
    name: 'reset-requested',
    status: 200,
    async open(page, server) {
      await visit('/reset')(page, server)
      await submit(page, 'Send link', { 'Email address': 'ada@example.test' })
    },
  },
  { name: 'reset-form', status: 200, open: (page, server) => openResetLink(page, server) },
  { name: 'reset-form-unconfirmed', status: 200, open: (page, server) => openResetLink(page, server, false) },
  {
    name: 'reset-form-wrong',
    status: 400,
    invalidFields: ['password'],
    async open(page, server) {
      await openResetLink(page, server)
      await submitUnchecked(page, 'Set new password', { 'New password': 'short' })
    },
  },
  { name: 'reset-ended', status: 410, open: visit('/reset/used') },
  { name: 'confirm-email', status: 200, open: openEmailLink },
  {
    name: 'confirm-email-done',
    status: 200,
    async open(page, server) {
      await openEmailLink(page, server)
      await submit(page, 'Confirm this address')
    },
  },
  {
    name: 'confirm-email-taken',
    status: 409,
    async open(page, server) {
      await makeUserWithPassword(server, { email: await openEmailLink(page, server) })
      await submit(page, 'Confirm this address')
    },
  },
  { name: 'confirm-email-ended', status: 410, open: visit('/confirm-email/used') },
  { name: 'not-found', status: 404, open: visit('/nothing/here') },
]
