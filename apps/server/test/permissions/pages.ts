import { hashPassword } from '../../src/features/auth/password.ts'
import { stylesheetPath } from '../../src/platform/pages/layout.ts'
import { openBrowser } from '@caseward/test-support/browser'
import { makeProject } from '@caseward/test-support/factories'
import { signInAtProvider } from '@caseward/test-support/oidc-provider'
import { makeUserWithPassword, PASSWORD } from '@caseward/test-support/users'
import { resetLink } from './links.ts'
import { runOverOneCase } from './runs.ts'
import { invitationFor, createOwnerSession, createOwnerToken } from './accounts.ts'
import type { Scenario } from './scenario.ts'
import { type Prepare, table } from './table.ts'

const asset: Prepare = () => ({ ids: { '*': 'swagger-ui.css' } })

const nowhere: Prepare = () => ({ ids: { '*': 'nowhere' }, headers: { accept: 'text/html' } })

/** What is open to everybody, and takes no notice of tokens. */
export const open = table`
  none wrng rvkd expd  read view memb admn othr  ci-r ci-w ci-o  sess csrf
  200  200  200  200   200  200  200  200  200   200  200  200   200  200   GET /healthz
  200  200  200  200   200  200  200  200  200   200  200  200   200  200   GET /readyz
  200  200  200  200   200  200  200  200  200   200  200  200   200  200   GET /metrics
  200  200  200  200   200  200  200  200  200   200  200  200   200  200   GET /openapi.json
  302  302  302  302   302  302  302  302  302   302  302  302   302  302   GET /
  200  200  200  200   200  200  200  200  200   200  200  200   200  200   GET /docs
  200  200  200  200   200  200  200  200  200   200  200  200   200  200   GET /docs/
  200  200  200  200   200  200  200  200  200   200  200  200   200  200   GET /docs/json
  200  200  200  200   200  200  200  200  200   200  200  200   200  200   GET /docs/yaml
  302  302  302  302   302  302  302  302  302   302  302  302   302  302   GET /docs/static/index.html
  200  200  200  200   200  200  200  200  200   200  200  200   200  200   GET /docs/static/swagger-initializer.js
  200  200  200  200   200  200  200  200  200   200  200  200   200  200   GET /docs/static/* ${asset}
  200  200  200  200   200  200  200  200  200   200  200  200   200  200   GET ${stylesheetPath}
  404  404  404  404   404  404  404  404  404   404  404  404   404  404   GET /* ${nowhere}
`

const credentials: Prepare = async ({ server }) => ({
  form: { email: (await makeUserWithPassword(server)).email, password: PASSWORD },
})
const noFields: Prepare = () => ({ form: {} })
/** Somebody comes back from the provider in the caller's browser. */
const backFromProvider: Prepare = async ({ server, provider }) => {
  provider.claims = { email: (await makeUserWithPassword(server)).email, email_verified: true }
  const browser = openBrowser(server)
  const { location } = await browser.get('/sign-in/oidc')
  const back = new URL(await signInAtProvider(provider, location ?? ''))
  return { query: back.search, cookie: `caseward-oidc=${browser.cookies.get('caseward-oidc')}` }
}
const usedSetup: Prepare = ({ usedSetupSecret: secret }) => ({ ids: { secret } })
const secondSetup: Prepare = ({ usedSetupSecret: secret }) => ({
  ids: { secret },
  form: { name: 'Mallory', email: 'mallory@example.test', password: PASSWORD },
})
const forgotten: Prepare = async ({ server }) => ({ form: { email: (await makeUserWithPassword(server)).email } })
const aReset: Prepare = async (scene) => ({ ids: await resetLink(scene) })
const newPassword: Prepare = async (scene) => ({ ids: await resetLink(scene), form: { password: PASSWORD } })
const invitation: Prepare = async (scene) => ({ ids: await invitationFor(getVisitor(scene)) })
const joining: Prepare = async (scene) => ({
  ids: await invitationFor(getVisitor(scene)),
  form: { name: 'Mira', password: PASSWORD },
})

/** Who calls, as far as a page can tell. */
const getVisitor = ({ server, caller: { user, headers } }: Scenario) => ({
  server,
  user: 'cookie' in headers ? user : null,
})

/** Tokens are for the API: to a page, whoever has no session is nobody. */
export const comingIn = table`
  none wrng rvkd expd  read view memb admn othr  ci-r ci-w ci-o  sess csrf
  200  200  200  200   200  200  200  200  200   200  200  200   303  303   GET  /sign-in
  303  303  303  303   303  303  303  303  303   303  303  303   303  403   POST /sign-in ${credentials}
  303= 303= 303= 303=  303= 303= 303= 303= 303=  303= 303= 303=  303  403   POST /sign-out ${noFields}
  303  303  303  303   303  303  303  303  303   303  303  303   303  303   GET  /sign-in/oidc
  303+ 303+ 303+ 303+  303+ 303+ 303+ 303+ 303+  303+ 303+ 303+  303+ 303+  GET  /sign-in/oidc/callback ${backFromProvider}
  410  410  410  410   410  410  410  410  410   410  410  410   410  410   GET  /setup/:secret ${usedSetup}
  410  410  410  410   410  410  410  410  410   410  410  410   410  403   POST /setup/:secret ${secondSetup}
  200  200  200  200   200  200  200  200  200   200  200  200   200  200   GET  /reset
  200  200  200  200   200  200  200  200  200   200  200  200   200  403   POST /reset ${forgotten}
  200  200  200  200   200  200  200  200  200   200  200  200   200  200   GET  /reset/:secret ${aReset}
  303  303  303  303   303  303  303  303  303   303  303  303   303  403   POST /reset/:secret ${newPassword}
  200  200  200  200   200  200  200  200  200   200  200  200   200  200   GET  /join/:secret ${invitation}
  303  303  303  303   303  303  303  303  303   303  303  303   303  403   POST /join/:secret ${joining}
`

const aRun: Prepare = async (scene) => ({ ids: { id: (await runOverOneCase(scene)).rid } })
/** A run of another project, which the callers don't belong to. */
const foreignRun: Prepare = async ({ server }) => {
  const project = await makeProject(server, { prefix: 'OTHER' })
  return { ids: { id: (await runOverOneCase({ server, project })).rid } }
}

export const runPages = table`
  none wrng rvkd expd  read view memb admn othr  ci-r ci-w ci-o  sess csrf
  303  303  303  303   303  303  303  303  303   303  303  303   200  200   GET  /runs/:id ${aRun}
  303  303  303  303   303  303  303  303  303   303  303  303   403  403   GET  /runs/:id ${foreignRun}
`

const ownNewPassword: Prepare = async ({ server: { db }, owner }) => {
  const password_hash = await hashPassword(PASSWORD)
  await db.updateTable('users').set({ password_hash }).where('id', '=', owner.id).execute()
  return { form: { current_password: PASSWORD, password: 'another long password' } }
}
const newOwnToken: Prepare = () => ({ form: { name: 'Laptop', access: 'write', days: '30' } })
const ownToken: Prepare = async (scene) => ({ ids: await createOwnerToken(scene), form: {} })
const ownSession: Prepare = async (scene) => ({ ids: await createOwnerSession(scene), form: {} })

export const accountPages = table`
  none wrng rvkd expd  read view memb admn othr  ci-r ci-w ci-o  sess csrf
  303  303  303  303   303  303  303  303  303   303  303  303   200  200   GET  /account
  303  303  303  303   303  303  303  303  303   303  303  303   303  303   GET  /account/password
  303  303  303  303   303  303  303  303  303   303  303  303   303  303   GET  /account/tokens
  401  401  401  401   401  401  401  401  401   401  401  401   200  403   POST /account/password ${ownNewPassword}
  401  401  401  401   401  401  401  401  401   401  401  401   200  403   POST /account/tokens ${newOwnToken}
  401  401  401  401   401  401  401  401  401   401  401  401   303  403   POST /account/tokens/:id/revoke ${ownToken}
  401  401  401  401   401  401  401  401  401   401  401  401   303  403   POST /account/sessions/:id/end ${ownSession}
`
