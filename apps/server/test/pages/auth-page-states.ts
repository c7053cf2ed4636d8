import { insertPendingIdentity } from '../../src/features/auth/single-sign-on/single-sign-on.queries.ts'
import { createResetLink } from '../../src/features/auth/password-reset/password-reset.queries.ts'
import { generateSecret, hashSecret } from '../../src/access/secret.ts'
import { makeInvitation, makeProject } from '@caseward/test-support/factories'
import type { Tab } from '@caseward/test-support/tab'
import type { TestServer } from '@caseward/test-support/test-server'
import { makeUserWithPassword } from '@caseward/test-support/users'
import { LONG_NAME, openAccount, type PageState, submitUnchecked, visit } from './page-state.ts'

async function openInvitation(tab: Tab, server: TestServer, email?: string): Promise<string> {
  const project = await makeProject(server, { name: LONG_NAME })
  const { secret } = await makeInvitation(server, project, email === undefined ? {} : { email })
  await tab.goto(`${server.url}/join/${secret}`)
  return secret
}

async function openResetLink(tab: Tab, server: TestServer, isEmailConfirmed = true): Promise<void> {
  const { id } = await makeUserWithPassword(server, { isEmailConfirmed })
  const expires_at = new Date(Date.now() + 60_000)
  await server.db.insertInto('password_resets').values({ user_id: id, expires_at }).execute()
  await tab.goto(`${server.url}/reset/${(await createResetLink(server.db, id))?.secret}`)
}

async function openSetupLink(tab: Tab, server: TestServer): Promise<void> {
  // Inserted directly, because the server creates setup links only while it has no users.
  const secret = generateSecret()
  await server.db
    .insertInto('setup_links')
    .values({ secret_hash: hashSecret(secret) })
    .execute()
  await tab.goto(`${server.url}/setup/${secret}`)
}

/** Opens the page on which a user returns from the provider, to give the password of the account. */
async function openLinkPage(tab: Tab, server: TestServer): Promise<void> {
  const { id } = await makeUserWithPassword(server)
  const identity = { issuer: 'https://login.example.test', subject: id }
  const secret = await insertPendingIdentity(server.db, id, identity)
  await tab.goto(`${server.url}/sign-in`)
  await tab.evaluate(`document.cookie = 'caseward-identity=${secret}; path=/'`)
  await tab.goto(`${server.url}/sign-in/oidc/link`)
}

/** The pages of setup, sign-in, invitations and password resets. */
export const authPageStates: PageState[] = [
  { name: 'setup', status: 200, open: openSetupLink },
  {
    name: 'setup-wrong',
    status: 400,
    invalidFields: ['name', 'email', 'password'],
    async open(tab, server) {
      await openSetupLink(tab, server)
      await tab.fill('Email address', 'ada')
      await tab.fill('Password', 'short')
      await submitUnchecked(tab, 'Create account')
    },
  },
  {
    name: 'setup-ended',
    status: 410,
    async open(tab, server) {
      await makeUserWithPassword(server)
      await visit('/setup/used')(tab, server)
    },
  },
  { name: 'sign-in', status: 200, open: visit('/sign-in') },
  {
    name: 'sign-in-wrong',
    status: 401,
    async open(tab, server) {
      await visit('/sign-in')(tab, server)
      await tab.fill('Email address', 'ada@example.test')
      await tab.fill('Password', 'wrong password')
      await tab.follow('button', 'Sign in')
    },
  },
  {
    name: 'sign-in-empty',
    status: 400,
    invalidFields: ['email', 'password'],
    async open(tab, server) {
      await visit('/sign-in')(tab, server)
      await submitUnchecked(tab, 'Sign in')
    },
  },
  { name: 'link-account', status: 200, open: openLinkPage },
  {
    name: 'link-account-wrong',
    status: 400,
    invalidFields: ['password'],
    async open(tab, server) {
      await openLinkPage(tab, server)
      await tab.fill('Password', 'wrong password')
      await tab.follow('button', 'Link account and sign in')
    },
  },
  { name: 'link-account-ended', status: 400, open: visit('/sign-in/oidc/link') },
  { name: 'join-new', status: 200, open: async (tab, server) => void (await openInvitation(tab, server)) },
  {
    name: 'join-new-wrong',
    status: 400,
    invalidFields: ['name', 'password'],
    async open(tab, server) {
      await openInvitation(tab, server)
      await tab.fill('Password', 'short')
      await submitUnchecked(tab, 'Create account and join')
    },
  },
  {
    name: 'join-existing',
    status: 200,
    open: async (tab, server) => void (await openInvitation(tab, server, (await makeUserWithPassword(server)).email)),
  },
  {
    name: 'join-signed-in',
    status: 200,
    async open(tab, server) {
      const { email } = await openAccount(tab, server)
      await openInvitation(tab, server, email)
    },
  },
  {
    name: 'join-other-user',
    status: 200,
    async open(tab, server) {
      await openAccount(tab, server)
      await openInvitation(tab, server)
    },
  },
  {
    name: 'join-ended',
    status: 410,
    async open(tab, server) {
      const secret = await openInvitation(tab, server)
      await server.db.updateTable('invitations').set({ status: 'revoked' }).execute()
      await tab.goto(`${server.url}/join/${secret}`)
    },
  },
  { name: 'reset', status: 200, open: visit('/reset') },
  {
    name: 'reset-wrong',
    status: 400,
    invalidFields: ['email'],
    async open(tab, server) {
      await visit('/reset')(tab, server)
      await tab.fill('Email address', 'ada')
      await submitUnchecked(tab, 'Send link')
    },
  },
  {
    name: 'reset-requested',
    status: 200,
    async open(tab, server) {
      await visit('/reset')(tab, server)
      await tab.fill('Email address', 'ada@example.test')
      await tab.follow('button', 'Send link')
    },
  },
  { name: 'reset-form', status: 200, open: (tab, server) => openResetLink(tab, server) },
  { name: 'reset-form-unconfirmed', status: 200, open: (tab, server) => openResetLink(tab, server, false) },
  {
    name: 'reset-form-wrong',
    status: 400,
    invalidFields: ['password'],
    async open(tab, server) {
      await openResetLink(tab, server)
      await tab.fill('New password', 'short')
      await submitUnchecked(tab, 'Set new password')
    },
  },
  { name: 'reset-ended', status: 410, open: visit('/reset/used') },
]
