import { useTestServer } from '@caseward/test-support/test-server'
import { makeUserWithPassword } from '@caseward/test-support/users'
import { expect, it } from 'vitest'

import { SYSTEM_ACTOR } from '../../audit/record-audit.ts'
import { insertIdentity, selectIdentities } from './single-sign-on.queries.ts'
import { unlinkIdentity } from './unlink-identity.ts'

const server = useTestServer()

it('unlinkIdentity keeps the last sign-in method, also when the password was removed after the request was checked', async () => {
  const { id: userId } = await makeUserWithPassword(server, { password: null })
  await insertIdentity(server.db, userId, { issuer: 'https://provider.test', subject: 'ada' })
  const [identity] = await selectIdentities(server.db, userId)
  const unlinking = unlinkIdentity(server.db, SYSTEM_ACTOR, userId, identity?.id ?? '')
  await expect(unlinking).rejects.toMatchObject({ statusCode: 422, code: 'last_sign_in_method' })
  expect(await selectIdentities(server.db, userId)).toHaveLength(1)
})
