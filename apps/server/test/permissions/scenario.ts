import { insertSession } from '../../src/features/auth/session/session.queries.ts'
import { generateTokenSecret } from '../../src/access/secret.ts'
import { insertToken, type TokenOwner } from '../../src/features/tokens/tokens.queries.ts'
import { makeProject } from '@caseward/test-support/factories'
import type { OidcProvider } from '@caseward/test-support/oidc-provider'
import type { TestServer } from '@caseward/test-support/test-server'
import { makeInstanceAdmin, makeMember, makeUser } from '@caseward/test-support/users'
import type { CallerName } from './columns.ts'

/** What all rows share. */
export interface SharedSetup {
  server: TestServer
  provider: OidcProvider
  /** The secret of the link with which the first user was created. */
  usedSetupSecret: string
}

interface User {
  id: string
  email: string
}

/** A caller and the project that the request is about. */
export interface Scenario extends SharedSetup {
  project: Awaited<ReturnType<typeof makeProject>>
  caller: {
    /** The owner of the token or session; null without one and for a CI token. */
    user: User | null
    headers: Record<string, string>
  }
  /** The owner of the resource that the request is about: the caller, or an admin if the caller is no user. */
  owner: User
}

export type Scenarios = Record<CallerName, Scenario>

/** Creates a project and, for each caller, the headers that it sends. */
export async function createScenarios(shared: SharedSetup): Promise<Scenarios> {
  const { server } = shared
  const { db } = server
  const project = await makeProject(server)
  const viewer = await makeMember(server, project.id, 'viewer')
  const member = await makeMember(server, project.id, 'member')
  // Not the member with the token: a caller can end the sessions of its user.
  const memberWithSession = await makeMember(server, project.id, 'member')
  const admin = await makeMember(server, project.id, 'admin')
  const outsider = await makeUser(server)
  const otherProject = await makeProject(server, { token: outsider.token })
  const instanceAdmin = await makeInstanceAdmin(server)

  const createToken = async (owner: TokenOwner, access: 'read' | 'write', expiresAt: Date | null = null) =>
    await insertToken(db, owner, { name: access, access, expiresAt, createdBy: admin.id })
  const ofAdmin = { kind: 'personal', userId: admin.id } as const
  const ofProject = { kind: 'ci', projectId: project.id } as const
  const revoked = await createToken(ofAdmin, 'write')
  const { status } = await server.request('DELETE', `/v1/tokens/${revoked.id}`, { token: revoked.token })
  if (status !== 204) throw new Error(`DELETE /v1/tokens/:id returned ${status}`)
  const readOnly = await createToken(ofAdmin, 'read')
  const instanceReadOnly = await createToken({ kind: 'personal', userId: instanceAdmin.id }, 'read')
  const expired = await createToken(ofAdmin, 'write', new Date(Date.now() - 1000))
  const ciRead = await createToken(ofProject, 'read')
  const ciWrite = await createToken(ofProject, 'write')
  const ciOther = await createToken({ kind: 'ci', projectId: otherProject.id }, 'write')

  const toScenario = (user: User | null, headers: Record<string, string>): Scenario => {
    return { ...shared, project, caller: { user, headers }, owner: user ?? admin }
  }
  const withToken = (secret: string, user: User | null = null) =>
    toScenario(user, { authorization: `Bearer ${secret}` })
  const withSession = async (user: User, origin: string) =>
    toScenario(user, { cookie: `caseward-session=${await insertSession(db, user.id, 'Test browser')}`, origin })
  const otherSite = 'https://other-site.test'
  return {
    none: toScenario(null, {}),
    unknown: withToken(generateTokenSecret('personal')),
    revoked: withToken(revoked.token),
    expired: withToken(expired.token),
    readOnly: withToken(readOnly.token, admin),
    viewer: withToken(viewer.token, viewer),
    member: withToken(member.token, member),
    admin: withToken(admin.token, admin),
    outsider: withToken(outsider.token, outsider),
    ciRead: withToken(ciRead.token),
    ciWrite: withToken(ciWrite.token),
    ciOther: withToken(ciOther.token),
    session: await withSession(memberWithSession, server.url),
    crossSite: await withSession(memberWithSession, otherSite),
    instanceAdmin: withToken(instanceAdmin.token, instanceAdmin),
    instanceReadOnly: withToken(instanceReadOnly.token, instanceAdmin),
    instanceSession: await withSession(instanceAdmin, server.url),
    instanceCrossSite: await withSession(instanceAdmin, otherSite),
  }
}
