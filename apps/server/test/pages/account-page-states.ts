import { insertIdentity } from '../../src/features/auth/single-sign-on/single-sign-on.queries.ts'
import { makeProject } from '@caseward/test-support/factories'
import type { Tab } from '@caseward/test-support/tab'
import { openSignedInBrowser, PASSWORD } from '@caseward/test-support/users'
import { LONG_NAME, openAccount, type PageState, submitUnchecked } from './page-state.ts'

async function createToken(tab: Tab, name: string): Promise<void> {
  await tab.fill('Token name', name)
  await tab.follow('button', 'Create token')
}

/** The account page. */
export const accountPageStates: PageState[] = [
  { name: 'account', status: 200, open: async (tab, server) => void (await openAccount(tab, server)) },
  {
    name: 'account-new-token',
    status: 200,
    async open(tab, server) {
      await openAccount(tab, server)
      await createToken(tab, 'laptop')
    },
  },
  {
    name: 'account-full',
    status: 200,
    async open(tab, server) {
      const { id, email } = await openAccount(tab, server)
      for (const name of ['laptop', LONG_NAME]) await createToken(tab, name)
      await server.db.updateTable('api_tokens').set({ access: 'read' }).where('name', '=', LONG_NAME).execute()
      for (const role of ['admin', 'member', 'viewer'] as const) {
        const project = await makeProject(server, role === 'member' ? { name: LONG_NAME } : {})
        await server.db.insertInto('memberships').values({ project_id: project.id, user_id: id, role }).execute()
      }
      await openSignedInBrowser(server, email)
      await tab.goto(`${server.url}/plain/account`)
    },
  },
  {
    name: 'account-token-wrong',
    status: 400,
    invalidFields: ['name'],
    async open(tab, server) {
      await openAccount(tab, server)
      await submitUnchecked(tab, 'Create token')
    },
  },
  {
    name: 'account-password-wrong',
    status: 400,
    invalidFields: ['current_password'],
    async open(tab, server) {
      await openAccount(tab, server)
      await tab.fill('Current password', 'wrong password')
      await tab.fill('New password', 'another long password')
      await tab.follow('button', 'Change password')
    },
  },
  {
    name: 'account-password-changed',
    status: 200,
    async open(tab, server) {
      await openAccount(tab, server)
      await tab.fill('Current password', PASSWORD)
      await tab.fill('New password', 'another long password')
      await tab.follow('button', 'Change password')
    },
  },
  {
    name: 'account-linked',
    status: 200,
    async open(tab, server) {
      const { id } = await openAccount(tab, server)
      await insertIdentity(server.db, id, { issuer: 'https://login.example.test', subject: id })
      await tab.goto(`${server.url}/plain/account`)
    },
  },
  {
    name: 'account-password-weak',
    status: 400,
    invalidFields: ['password'],
    async open(tab, server) {
      await openAccount(tab, server)
      await tab.fill('Current password', PASSWORD)
      await tab.fill('New password', 'caseward')
      await tab.follow('button', 'Change password')
    },
  },
  {
    name: 'account-without-password',
    status: 200,
    async open(tab, server) {
      const { id } = await openAccount(tab, server)
      await server.db.updateTable('users').set({ password_hash: null }).where('id', '=', id).execute()
      await tab.goto(`${server.url}/plain/account`)
    },
  },
]
