import { randomUUID } from 'node:crypto'

import { sql } from 'kysely'

import { createResetLink } from '../../src/features/auth/password-reset/password-reset.queries.ts'
import { insertChallenge, SIGN_IN_PURPOSE } from '../../src/features/auth/second-factors/passkeys.queries.ts'
import { insertSession } from '../../src/features/auth/session/session.queries.ts'
import { createSetupLink } from '../../src/features/auth/setup/create-setup-link.ts'
import { generateSecret, hashSecret } from '../../src/access/secret.ts'
import { createAuthenticator, insertPasskey } from '@caseward/test-support/passkeys'
import { insertTotp, makePendingSignIn } from '@caseward/test-support/second-factors'
import type { TestServer } from '@caseward/test-support/test-server'
import * as users from '@caseward/test-support/users'
import type { Resource } from './slots.ts'

/** Setup links. To use a link, the server must have no users; to read it, any server will do. */
export const setupFactories = ({ db }: TestServer) => ({
  setup_link: async () => {
    const secret = generateSecret()
    await sql`insert into setup_links (secret_hash) values (${hashSecret(secret)})`.execute(db)
    return { secret }
  },
  first_user_link: async () => {
    await sql`delete from users`.execute(db)
    return { secret: (await createSetupLink(db)) ?? '' }
  },
})

/** Creates a session without a password, because hashing is slow. */
export async function makeSession({ db }: TestServer, userId: string): Promise<Resource> {
  const secret = await insertSession(db, userId, 'fuzz')
  const { rows } = await sql<{ id: string }>`
    select id from sessions where user_id = ${userId} order by id desc limit 1`.execute(db)
  return { secret, id: rows[0]?.id ?? '' }
}

/** Creates a user with an authenticator app and a session. */
export async function makeFactor(server: TestServer, options: { isPending: boolean }): Promise<Resource> {
  const user = await users.makeUser(server)
  return {
    ...(await insertTotp(server, user.id, options)),
    secret: (await makeSession(server, user.id))['secret'] ?? '',
  }
}

/** Creates a sign-in that waits for any second factor. */
export async function makePasskeySignIn(server: TestServer): Promise<Resource> {
  const { secret, code, userId } = await makePendingSignIn(server)
  await insertPasskey(server, userId)
  return { secret, code }
}

export async function makePasskeyUser(server: TestServer): Promise<Resource> {
  const { id } = await users.makeUser(server)
  await insertPasskey(server, id)
  return await makeSession(server, id)
}

/** Creates a session, and what an authenticator answers to its request for a passkey. */
export async function makePasskeyAnswer(server: TestServer): Promise<Resource> {
  const { id: userId } = await users.makeUser(server)
  const { id: sessionId = '', secret = '' } = await makeSession(server, userId)
  const challenge = generateSecret()
  await insertChallenge(server.db, challenge, { purpose: 'registration', userId, boundTo: sessionId })
  const { id, response } = createAuthenticator(server).create({ challenge })
  return { secret, id, client_data: response.clientDataJSON, attestation: response.attestationObject }
}

/** Creates a user, and what an authenticator answers when the user signs in with the passkey alone. */
export async function makePasskeyAssertion(server: TestServer): Promise<Resource> {
  const authenticator = await insertPasskey(server, (await users.makeUser(server)).id)
  const challenge = generateSecret()
  await insertChallenge(server.db, challenge, SIGN_IN_PURPOSE)
  const { id, response } = authenticator.get({ challenge })
  return {
    id,
    client_data: response.clientDataJSON,
    authenticator_data: response.authenticatorData,
    signature: response.signature,
    user_handle: response.userHandle,
  }
}

/** Links the account with a user of a provider of its own, because an account has one link for each provider. */
export async function makeIdentity({ db }: TestServer, userId: string): Promise<Resource> {
  const { rows } = await sql<{ id: string }>`
    insert into sign_in_identities (id, user_id, issuer, subject)
    values (gen_random_uuid(), ${userId}, ${`https://${randomUUID()}.example.test`}, 'ada')
    returning id`.execute(db)
  return { id: rows[0]?.id ?? '' }
}

export async function makeReset(server: TestServer): Promise<Resource> {
  const { id } = await users.makeUserWithPassword(server)
  await sql`
    insert into password_resets (user_id, expires_at) values (${id}, now() + interval '1 hour')`.execute(server.db)
  return { secret: (await createResetLink(server.db, id))?.secret ?? '' }
}
