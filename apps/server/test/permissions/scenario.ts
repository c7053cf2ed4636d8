import { insertSession } from '../../src/features/auth/session/session.queries.ts'
import { newTokenSecret } from '../../src/access/secret.ts'
import { insertToken, type TokenOwner } from '../../src/features/tokens/tokens.queries.ts'
import { makeProject } from '@caseward/test-support/factories'
import type { OidcProvider } from '@caseward/test-support/oidc-provider'
import type { TestServer } from '@caseward/test-support/test-server'
import { makeMember, makeUser } from '@caseward/test-support/users'
import type { CallerName } from './table.ts'

/** What is there for all rows. */
export interface SharedSetup {
  server: TestServer
  provider: OidcProvider
  /** Of the link by which the first user has set the service up. */
  usedSetupSecret: string
}

interface User {
  id: string
  email: string
}

/** A caller comes up to a project. */
export interface Scenario extends SharedSetup {
  project: Awaited<ReturnType<typeof makeProject>>
  caller: {
    /** Whose token or session it is; null for nobody's and for a CI token. */
    user: User | null
    headers: Record<string, string>
  }
  /** The caller, or else an admin: somebody whose things the caller might reach for. */
  owner: User
}

/** A project and everybody who may knock: how each of them comes in. */
export async function createScenarios(stage: SharedSetup): Promise<Record<CallerName, Scenario>> {
  const { server } = stage
  const { db } = server
  const project = await makeProject(server)
  const viewer = await makeMember(server, project.id, 'viewer')
  const member = await makeMember(server, project.id, 'member')
  const admin = await makeMember(server, project.id, 'admin')
  const otherAdmin = await makeUser(server)
  const otherProject = await makeProject(server, { token: otherAdmin.token })

  const token = async (owner: TokenOwner, access: 'read' | 'write', expiresAt: Date | null = null) =>
    await insertToken(db, owner, { name: access, access, expiresAt, createdBy: admin.id })
  const ofAdmin = { kind: 'personal', userId: admin.id } as const
  const ofProject = { kind: 'ci', projectId: project.id } as const
  const revoked = await token(ofAdmin, 'write')
  const revoking = await server.request('DELETE', `/v1/tokens/${revoked.id}`, { token: revoked.token })
  if (revoking.status !== 204) throw new Error(`Revoking a token answered ${revoking.status}`)
  const reading = await token(ofAdmin, 'read')
  const expired = await token(ofAdmin, 'write', new Date(Date.now() - 1000))
  const ciReading = await token(ofProject, 'read')
  const ciWriting = await token(ofProject, 'write')
  const otherCi = await token({ kind: 'ci', projectId: otherProject.id }, 'write')

  const scene = (user: User | null, headers: Record<string, string>): Scenario => {
    return { ...stage, project, caller: { user, headers }, owner: user ?? admin }
  }
  const bearing = (secret: string, user: User | null = null) => scene(user, { authorization: `Bearer ${secret}` })
  const browsing = async (origin: string) =>
    scene(member, { cookie: `caseward-session=${await insertSession(db, member.id, 'Test browser')}`, origin })
  return {
    none: scene(null, {}),
    wrng: bearing(newTokenSecret('personal')),
    rvkd: bearing(revoked.token),
    expd: bearing(expired.token),
    read: bearing(reading.token, admin),
    view: bearing(viewer.token, viewer),
    memb: bearing(member.token, member),
    admn: bearing(admin.token, admin),
    othr: bearing(otherAdmin.token, otherAdmin),
    'ci-r': bearing(ciReading.token),
    'ci-w': bearing(ciWriting.token),
    'ci-o': bearing(otherCi.token),
    sess: await browsing(server.url),
    csrf: await browsing('https://elsewhere.test'),
  }
}
