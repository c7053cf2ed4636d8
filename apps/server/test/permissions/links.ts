import { sql } from 'kysely'

import { generateSecret, hashSecret } from '../../src/access/secret.ts'
import { makeUserWithPassword, PASSWORD } from '@caseward/test-support/users'
import type { Scenario } from './scenario.ts'
import { type Prepare, table } from './table.ts'

/** A link as a mail brings it, for somebody who has forgotten the password. */
export async function resetLink({ server }: Pick<Scenario, 'server'>) {
  const secret = generateSecret()
  const { id } = await makeUserWithPassword(server)
  const expiry = sql<Date>`now() + interval '1 hour'`
  await server.db
    .insertInto('password_reset_links')
    .values({ user_id: id, secret_hash: hashSecret(secret), expires_at: expiry })
    .execute()
  return { secret }
}

const forgotten: Prepare = async ({ server }) => ({ body: { email: (await makeUserWithPassword(server)).email } })
const aReset: Prepare = async (scene) => ({ ids: await resetLink(scene) })
const newPassword: Prepare = async (scene) => ({ ids: await resetLink(scene), body: { password: PASSWORD } })
const usedSetup: Prepare = ({ usedSetupSecret: secret }) => ({ ids: { secret } })
const secondSetup: Prepare = ({ usedSetupSecret: secret }) => ({
  ids: { secret },
  body: { name: 'Mallory', email: 'mallory@example.test', password: PASSWORD },
})

/** For whoever has the link. Nobody can set up what has users: that it works before is for the setup's own tests. */
export const links = table`
  none wrng rvkd expd  read view memb admn othr  ci-r ci-w ci-o  sess csrf
  200  200  200  200   200  200  200  200  200   200  200  200   200  403o  POST   /v1/password-resets ${forgotten}
  200  200  200  200   200  200  200  200  200   200  200  200   200  200   GET    /v1/password-resets/:secret ${aReset}
  200  200  200  200   200  200  200  200  200   200  200  200   200  403o  POST   /v1/password-resets/:secret ${newPassword}
  410s 410s 410s 410s  410s 410s 410s 410s 410s  410s 410s 410s  410s 410s  GET    /v1/setup/:secret ${usedSetup}
  410s 410s 410s 410s  410s 410s 410s 410s 410s  410s 410s 410s  410s 403o  POST   /v1/setup/:secret ${secondSetup}
`
