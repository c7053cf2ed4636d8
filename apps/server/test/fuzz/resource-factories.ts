import { sql } from 'kysely'

import { createResetLink } from '../../src/features/auth/password-reset/reset-password.ts'
import { insertSession, generateSecret } from '../../src/features/auth/session/session.queries.ts'
import { createSetupLink } from '../../src/features/auth/setup/setup-link.ts'
import { hashSecret } from '../../src/access/secret.ts'
import * as make from '@caseward/test-support/factories'
import type { TestServer } from '@caseward/test-support/test-server'
import * as users from '@caseward/test-support/users'
import type { Thing } from './slots.ts'

export type Project = Awaited<ReturnType<typeof make.makeProject>>

/** What makes one more of each kind: in the project, or the admin's own. */
export function createResourceFactories(server: TestServer, untouched: TestServer, project: Project, adminId: string) {
  const post = async (path: string, body: object): Promise<Thing> => {
    const answer = await server.request<{ data: Thing }>('POST', path, { token: project.admin.token, body })
    if (answer.status !== 201) throw new Error(`POST ${path}: ${answer.status} ${JSON.stringify(answer.body)}`)
    return answer.body.data
  }
  return {
    project: () => post('/v1/projects', { name: 'Spare', prefix: 'SPARE' }),
    folder: async () => getId(await make.makeFolder(server, project)),
    test_case: async () => getId(await make.makeTestCase(server, project)),
    run: async () => getId(await make.makeRun(server, project, { test_case_ids: ['WEB-1'] })),
    milestone: async () => getId(await make.makeMilestone(server, project)),
    bystander: () => users.makeMember(server, project.id, 'viewer'),
    invitation: () => make.makeInvitation(server, project),
    /** Somebody who has an account, and their invitation. */
    invited: async () => {
      const { email, token } = await users.makeUser(server)
      return { ...(await make.makeInvitation(server, project, { email })), token }
    },
    personal_token: () => post('/v1/tokens', { name: 'Spare' }),
    ci_token: () => post(`/v1/projects/${project.id}/tokens`, { name: 'Spare' }),
    session: () => makeSession(server, adminId),
    reset: () => makeReset(server),
    ...setupMakers(untouched),
  }
}

/** Links to set up a service. One that is to be used needs a service without users; one to be read does not. */
const setupMakers = ({ db }: TestServer) => ({
  set_up_link: async () => {
    const secret = generateSecret()
    await sql`insert into setup_links (secret_hash) values (${hashSecret(secret)})`.execute(db)
    return { secret }
  },
  set_up: async () => {
    await sql`delete from users`.execute(db)
    return { secret: (await createSetupLink(db)) ?? '' }
  },
})

/** A session as sign-in makes it, without the price of a password. */
export async function makeSession({ db }: TestServer, userId: string): Promise<Thing> {
  const secret = await insertSession(db, userId, 'fuzz')
  const { rows } = await sql<{ id: string }>`
    select id from sessions where user_id = ${userId} order by id desc limit 1`.execute(db)
  return { secret, id: rows[0]?.id ?? '' }
}

async function makeReset(server: TestServer): Promise<Thing> {
  const { id } = await users.makeUserWithPassword(server)
  await sql`
    insert into password_resets (user_id, expires_at) values (${id}, now() + interval '1 hour')`.execute(server.db)
  return { secret: (await createResetLink(server.db, id))?.secret ?? '' }
}

export const getId = ({ id }: { id: string }): { id: string } => ({ id })
