import type { OidcProvider } from '@caseward/test-support/oidc-provider'
import type { TestServer } from '@caseward/test-support/test-server'
import { v7 as uuidv7 } from 'uuid'

import { generateTokenSecret, hashSecret } from '../../src/access/secret.ts'
import { insertSession } from '../../src/features/auth/session/session.queries.ts'
import { insertProject } from '../../src/features/projects/projects.queries.ts'
import type { TokenOwner } from '../../src/features/tokens/tokens.queries.ts'
import type { Database } from '../../src/platform/database/connect.ts'
import type { CallerName } from './columns.ts'

/** What all rows share. */
export interface SharedSetup {
  server: TestServer
  provider: OidcProvider
  /** The secret of the link with which the first user was created. */
  usedSetupSecret: string
  /** A token that an admin has revoked. */
  revokedToken: string
}

interface User {
  id: string
  email: string
}

/** A caller and the project that the request is about. */
export interface Scenario extends SharedSetup {
  project: { id: string; admin: { id: string; token: string } }
  caller: {
    /** The owner of the token or session; null without one and for a CI token. */
    user: User | null
    headers: Record<string, string>
  }
  /** The owner of the resource that the request is about: the caller, or an admin if the caller is no user. */
  owner: User
}

export type Scenarios = Record<CallerName, Scenario>

/**
 * Creates a project and, for each caller, the headers that it sends. Most rows have callers of their own: that is why these are
 * inserted together, and not through the API as elsewhere.
 */
export async function createScenarios(shared: SharedSetup): Promise<Scenarios> {
  const { db } = shared.server
  const users = await insertUsers(db)
  const { viewer, member, memberWithSession, admin, outsider, instanceAdmin } = users
  const create = (creator: User) =>
    insertProject(db, { name: 'Web shop', prefix: 'WEB', description: '', adminId: creator.id })
  const [project, otherProject] = [await create(users.creator), await create(outsider)]
  await insertMembers(db, project.id, [
    [viewer, 'viewer'],
    [member, 'member'],
    [memberWithSession, 'member'],
    [admin, 'admin'],
  ])
  const of = ({ id }: User): TokenOwner => ({ kind: 'personal', userId: id })
  const ofProject = ({ id }: { id: string }): TokenOwner => ({ kind: 'ci', projectId: id })
  const tokens = await insertTokens(db, admin.id, {
    creator: { owner: of(users.creator) },
    viewer: { owner: of(viewer) },
    member: { owner: of(member) },
    admin: { owner: of(admin) },
    outsider: { owner: of(outsider) },
    instanceAdmin: { owner: of(instanceAdmin) },
    readOnly: { owner: of(admin), access: 'read' },
    instanceReadOnly: { owner: of(instanceAdmin), access: 'read' },
    expired: { owner: of(admin), expiresAt: new Date(Date.now() - 1000) },
    ciRead: { owner: ofProject(project), access: 'read' },
    ciWrite: { owner: ofProject(project) },
    ciOther: { owner: ofProject(otherProject) },
  })

  const madeProject = { id: project.id, admin: { id: users.creator.id, token: tokens.creator } }
  const toScenario = (user: User | null, headers: Record<string, string>): Scenario => {
    return { ...shared, project: madeProject, caller: { user, headers }, owner: user ?? admin }
  }
  const withToken = (secret: string, user: User | null = null) =>
    toScenario(user, { authorization: `Bearer ${secret}` })
  const withSession = async (user: User, origin: string) =>
    toScenario(user, { cookie: `caseward-session=${await insertSession(db, user.id, 'Test browser')}`, origin })
  const otherSite = 'https://other-site.test'
  return {
    none: toScenario(null, {}),
    unknown: withToken(generateTokenSecret('personal')),
    revoked: withToken(shared.revokedToken),
    expired: withToken(tokens.expired),
    readOnly: withToken(tokens.readOnly, admin),
    viewer: withToken(tokens.viewer, viewer),
    member: withToken(tokens.member, member),
    admin: withToken(tokens.admin, admin),
    outsider: withToken(tokens.outsider, outsider),
    ciRead: withToken(tokens.ciRead),
    ciWrite: withToken(tokens.ciWrite),
    ciOther: withToken(tokens.ciOther),
    session: await withSession(memberWithSession, shared.server.url),
    crossSite: await withSession(memberWithSession, otherSite),
    instanceAdmin: withToken(tokens.instanceAdmin, instanceAdmin),
    instanceReadOnly: withToken(tokens.instanceReadOnly, instanceAdmin),
    instanceSession: await withSession(instanceAdmin, shared.server.url),
    instanceCrossSite: await withSession(instanceAdmin, otherSite),
  }
}

async function insertUsers(db: Database) {
  const make = (): User => {
    const id = uuidv7()
    return { id, email: `person-${id}@example.test` }
  }
  const users = {
    creator: make(),
    viewer: make(),
    member: make(),
    // Not the member with the token: a caller can end the sessions of its user.
    memberWithSession: make(),
    admin: make(),
    outsider: make(),
    instanceAdmin: make(),
  }
  const rows = Object.entries(users).map(([name, user]) => ({
    ...user,
    name,
    email_confirmed_at: new Date(),
    is_instance_admin: name === 'instanceAdmin',
  }))
  await db.insertInto('users').values(rows).execute()
  return users
}

async function insertMembers(db: Database, projectId: string, members: [User, 'admin' | 'member' | 'viewer'][]) {
  const rows = members.map(([{ id }, role]) => ({ project_id: projectId, user_id: id, role }))
  await db.insertInto('memberships').values(rows).execute()
  await db
    .updateTable('projects')
    .set((row) => ({ member_count: row('member_count', '+', rows.length) }))
    .where('id', '=', projectId)
    .execute()
}

/** Inserts tokens that an admin has created, by default with write access, and returns their secrets. */
async function insertTokens<Name extends string>(
  db: Database,
  createdBy: string,
  tokens: Record<Name, { owner: TokenOwner; access?: 'read' | 'write'; expiresAt?: Date }>,
): Promise<Record<Name, string>> {
  const names = Object.keys(tokens) as Name[]
  const secrets = names.map((name) => [name, generateTokenSecret(tokens[name].owner.kind)] as const)
  const rows = secrets.map(([name, secret]) => {
    const { owner, access = 'write', expiresAt = null } = tokens[name]
    return {
      id: uuidv7(),
      kind: owner.kind,
      user_id: owner.kind === 'personal' ? owner.userId : null,
      project_id: owner.kind === 'ci' ? owner.projectId : null,
      name: access,
      access,
      secret_hash: hashSecret(secret),
      created_by: createdBy,
      expires_at: expiresAt,
    }
  })
  await db.insertInto('api_tokens').values(rows).execute()
  return Object.fromEntries(secrets) as Record<Name, string>
}
