import { sql } from 'kysely'

import { generateSecret, hashSecret } from '../../src/access/secret.ts'
import { makeUserWithPassword, PASSWORD } from '@caseward/test-support/users'
import type { Scenario } from './scenario.ts'
import { type Prepare, table } from './table.ts'

/** Creates a password reset link without sending it. */
export async function createResetLink({ server }: Pick<Scenario, 'server'>) {
  const secret = generateSecret()
  const { id } = await makeUserWithPassword(server)
  const expiry = sql<Date>`now() + interval '1 hour'`
  await server.db
    .insertInto('password_reset_links')
    .values({ user_id: id, secret_hash: hashSecret(secret), expires_at: expiry })
    .execute()
  return { secret }
}

const resetRequest: Prepare = async ({ server }) => ({ body: { email: (await makeUserWithPassword(server)).email } })
const existingResetLink: Prepare = async (scenario) => ({ ids: await createResetLink(scenario) })
const newPassword: Prepare = async (scenario) => ({
  ids: await createResetLink(scenario),
  body: { password: PASSWORD },
})
const usedSetupLink: Prepare = ({ usedSetupSecret: secret }) => ({ ids: { secret } })
const secondSetup: Prepare = ({ usedSetupSecret: secret }) => ({
  ids: { secret },
  body: { name: 'Mallory', email: 'mallory@example.test', password: PASSWORD },
})

/** Links work for everyone with the secret. Setup links end with the first user; `setup.test.ts` tests valid ones. */
export const links = table`
    none  bad-token  read-only  viewer   member   admin    outsider  ci-read    ci-write  ci-other  session  cross-site
  POST /v1/password-resets ${resetRequest}
    200   200        200        200      200      200      200       200        200       200       200      origin
  GET /v1/password-resets/:secret ${existingResetLink}
    everyone 200
  POST /v1/password-resets/:secret ${newPassword}
    200   200        200        200      200      200      200       200        200       200       200      origin
  GET /v1/setup/:secret ${usedSetupLink}
    everyone 410
  POST /v1/setup/:secret ${secondSetup}
    410   410        410        410      410      410      410       410        410       410       410      origin
`
