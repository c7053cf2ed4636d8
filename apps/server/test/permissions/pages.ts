import { insertTotp, makePendingSignIn } from '@caseward/test-support/second-factors'
import { randomUUID } from 'node:crypto'

import { insertSignInLink } from '../../src/features/auth/session/sign-in-link.queries.ts'
import { createEmailChangeLink, saveEmailChange } from '../../src/features/auth/email-change/email-changes.queries.ts'
import { insertPendingIdentity } from '../../src/features/auth/single-sign-on/single-sign-on.queries.ts'
import { createSecondFactorLinks } from '../../src/features/auth/second-factors/second-factor-links.queries.ts'
import { passkeyScript } from '../../src/features/auth/second-factors/passkey-script.ts'
import { signOutScript } from '../../src/features/auth/session/sign-out.pages.ts'
import { stylesheet } from '../../src/platform/pages/layout.ts'
import { openBrowser } from '@caseward/test-support/browser'
import { signInAtProvider } from '@caseward/test-support/oidc-provider'
import { makeSignedInUser, makeUserWithPassword, PASSWORD } from '@caseward/test-support/users'
import { createResetLink } from './links.ts'
import { createInvitationFor } from './accounts.ts'
import type { Scenario } from './scenario.ts'
import { type Prepare, table } from './table.ts'

/** A file of the web app's build. */
const appAsset: Prepare = async ({ server }) => {
  const { browser } = await makeSignedInUser(server)
  const [, name = ''] = /src="\/assets\/([^"]+)"/.exec((await browser.get('/')).text) ?? []
  return { ids: { '*': name } }
}
const assetFile: Prepare = () => ({ ids: { '*': 'swagger-ui.css' } })

const unknownPath: Prepare = () => ({ ids: { '*': 'nowhere' }, headers: { accept: 'text/html' } })

/** Pages and documents that need no sign-in and ignore tokens. */
export const publicPages = table`
    none  bad-token  read-only  viewer   member   admin    outsider  ci-read    ci-write  ci-other  session  cross-site
  GET /healthz
    everyone 200
  GET /readyz
    everyone 200
  GET /metrics
    everyone 200
  GET /openapi.json
    everyone 200
  GET /assets/* ${appAsset}
    everyone 200
  GET /docs
    everyone 200
  GET /docs/
    everyone 200
  GET /docs/json
    everyone 200
  GET /docs/yaml
    everyone 200
  GET /docs/static/index.html
    everyone 302
  GET /docs/static/swagger-initializer.js
    everyone 200
  GET /docs/static/theme/favicon.svg
    everyone 200
  GET /docs/static/theme/reference.css
    everyone 200
  GET /docs/static/* ${assetFile}
    everyone 200
  GET ${passkeyScript.path}
    everyone 200
  GET ${signOutScript.path}
    everyone 200
  GET ${stylesheet.path}
    everyone 200
  GET /* ${unknownPath}
    everyone 404
`

const credentials: Prepare = async ({ server }) => ({
  form: { email: (await makeUserWithPassword(server)).email, password: PASSWORD },
})
const noFields: Prepare = () => ({ form: {} })
/** A user without a password returns from the OpenID Connect provider in the caller's browser. */
const providerCallback: Prepare = async ({ server, provider }) => {
  const { email } = await makeUserWithPassword(server, { password: null })
  provider.claims = { email, email_verified: true }
  const browser = openBrowser(server)
  const { location } = await browser.get('/sign-in/oidc')
  const back = new URL(await signInAtProvider(provider, location ?? ''))
  return { query: back.search, cookie: `caseward-oidc=${browser.cookies.get('caseward-oidc')}` }
}
/** The single sign-on of the caller's browser waits for a password. */
const pendingSignOn: Prepare = async ({ server }) => {
  const { id } = await makeUserWithPassword(server)
  const identity = { issuer: `https://${randomUUID()}.example.test`, subject: 'ada', sessionDigest: null }
  return { cookie: `caseward-identity=${await insertPendingIdentity(server.db, id, identity)}` }
}
const accountPassword: Prepare = async (scenario) => ({
  ...(await pendingSignOn(scenario)),
  form: { password: PASSWORD },
})
const pendingSignIn: Prepare = async ({ server }) => ({
  cookie: `caseward-sign-in=${(await makePendingSignIn(server)).secret}`,
})
const secondFactor: Prepare = async ({ server }) => {
  const { secret, code } = await makePendingSignIn(server)
  return { cookie: `caseward-sign-in=${secret}`, form: { code } }
}
const existingSignInLink: Prepare = async ({ server }) => {
  const { id } = await makeUserWithPassword(server)
  return { ids: { secret: await insertSignInLink(server.db, id) } }
}
const usedSignInLink: Prepare = async (scenario) => ({ ...(await existingSignInLink(scenario)), form: {} })
const firstCode: Prepare = async ({ server, owner }) => {
  const { id, code } = await insertTotp(server, owner.id, { isPending: true })
  return { ids: { id }, form: { code } }
}
const usedSetupLink: Prepare = ({ usedSetupSecret: secret }) => ({ ids: { secret } })
const secondSetup: Prepare = ({ usedSetupSecret: secret }) => ({
  ids: { secret },
  form: { name: 'Mallory', email: 'mallory@example.test', password: PASSWORD },
})
const resetRequest: Prepare = async ({ server }) => ({ form: { email: (await makeUserWithPassword(server)).email } })
const existingResetLink: Prepare = async (scenario) => ({ ids: await createResetLink(scenario) })
const newPassword: Prepare = async (scenario) => ({
  ids: await createResetLink(scenario),
  form: { password: PASSWORD },
})
const emailChange: Prepare = async ({ server: { db }, owner }) => {
  await saveEmailChange(db, owner.id, `${randomUUID()}@example.test`)
  return { ids: { secret: (await createEmailChangeLink(db, owner.id))?.secret ?? '' } }
}
const emailConfirmation: Prepare = async (scenario) => ({ ...(await emailChange(scenario)), form: {} })
const newFactor: Prepare = async ({ server }) => {
  const { id } = await makeUserWithPassword(server)
  await insertTotp(server, id)
  await server.db.updateTable('second_factors').set({ is_first: true }).where('user_id', '=', id).execute()
  return { ids: { secret: (await createSecondFactorLinks(server.db, id))[0]?.secret ?? '' } }
}
const factorRemoval: Prepare = async (scenario) => ({ ...(await newFactor(scenario)), form: { password: PASSWORD } })
const invitation: Prepare = async (scenario) => ({ ids: await createInvitationFor(getVisitor(scenario)) })
const acceptance: Prepare = async (scenario) => ({
  ids: await createInvitationFor(getVisitor(scenario)),
  form: { name: 'Mira', password: PASSWORD },
})

/** Pages identify callers by their session only. */
const getVisitor = ({ server, caller: { user, headers } }: Scenario) => ({
  server,
  user: 'cookie' in headers ? user : null,
})

/** Pages ignore tokens: a caller without a session is not signed in. */
export const signInPages = table`
    none  bad-token  read-only  viewer   member   admin    outsider  ci-read    ci-write  ci-other  session  cross-site
  GET /sign-in
    200   200        200        200      200      200      200       200        200       200       303      303
  POST /sign-in ${credentials}
    303   303        303        303      303      303      303       303        303       303       303      403
  GET /sign-out
    everyone 200
  POST /sign-out ${noFields}
    303=  303=       303=       303=     303=     303=     303=      303=       303=      303=      303      403
  GET /sign-in/oidc
    everyone 303
  GET /sign-in/oidc/callback ${providerCallback}
    everyone 303+
  POST /sign-in/oidc/backchannel-logout ${noFields}
    everyone 400
  GET /sign-in/oidc/link ${pendingSignOn}
    everyone 200
  POST /sign-in/oidc/link ${accountPassword}
    303   303        303        303      303      303      303       303        303       303       303      403
  GET /sign-in/second-factor ${pendingSignIn}
    everyone 200
  POST /sign-in/second-factor ${secondFactor}
    303   303        303        303      303      303      303       303        303       303       303      403
  GET /sign-in/set-up-second-factor
    303   303        303        303      303      303      303       303        303       303       200      200
  POST /sign-in/set-up-second-factor ${noFields}
    303=  303=       303=       303=     303=     303=     303=      303=       303=      303=      200      403
  POST /sign-in/set-up-second-factor/:id ${firstCode}
    303=  303=       303=       303=     303=     303=     303=      303=       303=      303=      200      403
  GET /sign-in/link/:secret ${existingSignInLink}
    everyone 200
  POST /sign-in/link/:secret ${usedSignInLink}
    303   303        303        303      303      303      303       303        303       303       303      403
  GET /setup/:secret ${usedSetupLink}
    everyone 410
  POST /setup/:secret ${secondSetup}
    410   410        410        410      410      410      410       410        410       410       410      403
  GET /reset
    everyone 200
  POST /reset ${resetRequest}
    200   200        200        200      200      200      200       200        200       200       200      403
  GET /confirm-email/:secret ${emailChange}
    everyone 200
  POST /confirm-email/:secret ${emailConfirmation}
    200   200        200        200      200      200      200       200        200       200       200      403
  GET /remove-factor/:secret ${newFactor}
    everyone 200
  POST /remove-factor/:secret ${factorRemoval}
    200   200        200        200      200      200      200       200        200       200       200      403
  GET /reset/:secret ${existingResetLink}
    everyone 200
  POST /reset/:secret ${newPassword}
    303   303        303        303      303      303      303       303        303       303       303      403
  GET /join/:secret ${invitation}
    everyone 200
  POST /join/:secret ${acceptance}
    303   303        303        303      303      303      303       303        303       303       303      403
`

const anyPage: Prepare = () => ({ ids: { '*': 'anything' } })
const testCaseId: Prepare = () => ({ ids: { '*': 'WEB-1' }, headers: { accept: 'text/html' } })

/** The web app, which is the same page for all of its addresses. */
export const webAppPages = table`
    none  bad-token  read-only  viewer   member   admin    outsider  ci-read    ci-write  ci-other  session  cross-site
  GET /
    303   303        303        303      303      303      303       303        303       303       200      200
  GET /projects/* ${anyPage}
    303   303        303        303      303      303      303       303        303       303       200      200
  GET /runs/* ${anyPage}
    303   303        303        303      303      303      303       303        303       303       200      200
  GET /files/* ${anyPage}
    303   303        303        303      303      303      303       303        303       303       200      200
  GET /account
    303   303        303        303      303      303      303       303        303       303       200      200
  GET /account/* ${anyPage}
    303   303        303        303      303      303      303       303        303       303       200      200
  GET /admin
    303   303        303        303      303      303      303       303        303       303       200      200
  GET /admin/* ${anyPage}
    303   303        303        303      303      303      303       303        303       303       200      200
  GET /work
    303   303        303        303      303      303      303       303        303       303       200      200
  GET /help
    303   303        303        303      303      303      303       303        303       303       200      200
  GET /help/* ${anyPage}
    303   303        303        303      303      303      303       303        303       303       200      200
  GET /search
    303   303        303        303      303      303      303       303        303       303       200      200
  GET /* ${testCaseId}
    303   303        303        303      303      303      303       303        303       303       200      200
`
