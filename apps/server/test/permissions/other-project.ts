import { insertToken } from '../../src/features/tokens/tokens.queries.ts'
import {
  makeFolder,
  makeInvitation,
  makeMilestone,
  makeProject,
  makeRun,
  makeTestCase,
} from '@caseward/test-support/factories'
import { makeMember } from '@caseward/test-support/users'
import { createOwnerSession, createOwnerToken } from './accounts.ts'
import type { Scenario } from './scenario.ts'
import { type Prepare, table } from './table.ts'

type Project = Awaited<ReturnType<typeof makeProject>>

/** A thing of another project, in the place of one of the caller's. */
const inOtherProject = async ({ server }: Scenario, make: (project: Project) => Promise<{ id: string }>) => ({
  ids: { id: (await make(await makeProject(server, { prefix: 'OTHER' }))).id },
})

const folder: Prepare = async (scene) => ({
  ...(await inOtherProject(scene, (project) => makeFolder(scene.server, project))),
  body: { name: 'Payment' },
})
const testCase: Prepare = (scene) => inOtherProject(scene, (project) => makeTestCase(scene.server, project))
const retitled: Prepare = async (scene) => ({ ...(await testCase(scene)), body: { title: 'Pays by voucher' } })
const milestone: Prepare = (scene) => inOtherProject(scene, (project) => makeMilestone(scene.server, project))
const archived: Prepare = async (scene) => ({ ...(await milestone(scene)), body: { status: 'archived' } })
const member: Prepare = (scene) => inOtherProject(scene, (project) => makeMember(scene.server, project.id, 'member'))
const demoted: Prepare = async (scene) => ({ ...(await member(scene)), body: { role: 'viewer' } })
const invitation: Prepare = (scene) => inOtherProject(scene, (project) => makeInvitation(scene.server, project))
const ciToken: Prepare = (scene) => {
  const input = { name: 'CI', access: 'write', expiresAt: null, createdBy: null } as const
  return inOtherProject(scene, (project) => insertToken(scene.server.db, { kind: 'ci', projectId: project.id }, input))
}
/** A result of another run of the same project. */
const result: Prepare = async ({ server, project }) => {
  const [one, other] = [await makeTestCase(server, project), await makeTestCase(server, project)]
  const run = await makeRun(server, project, { test_case_ids: [one.id] })
  const otherRun = await makeRun(server, project, { test_case_ids: [other.id] })
  const query = server.db.selectFrom('test_results').select('id').where('run_id', '=', otherRun.id)
  const { id } = await query.executeTakeFirstOrThrow()
  return { ids: { rid: run.id, id }, body: { status: 'passed' } }
}
/** Whoever is not an admin of the project reaches for an admin's. */
const stranger = async (scene: Scenario) => ({
  ...scene,
  owner: await makeMember(scene.server, scene.project.id, 'admin'),
})
const token: Prepare = async (scene) => ({ ids: await createOwnerToken(await stranger(scene)) })
const session: Prepare = async (scene) => ({ ids: await createOwnerSession(await stranger(scene)) })

/** What is somebody else's is not there: who may do the like with their own is told 404. */
export const ofOthers = table`
  none wrng rvkd expd  read view memb admn othr  ci-r ci-w ci-o  sess csrf
  401  401  401  401   403t 403r 404  404  403m  403p 403p 403m  404  403o  PATCH  /v1/projects/:pid/folders/:id ${folder}
  401  401  401  401   403t 403r 404  404  403m  403p 403p 403m  404  403o  DELETE /v1/projects/:pid/folders/:id ${folder}
  401  401  401  401   404  404  404  404  403m  404  404  403m  404  404   GET    /v1/projects/:pid/test-cases/:id ${testCase}
  401  401  401  401   404  404  404  404  403m  404  404  403m  404  404   GET    /v1/projects/:pid/test-cases/:id/results ${testCase}
  401  401  401  401   403t 403r 404  404  403m  403p 403p 403m  404  403o  PATCH  /v1/projects/:pid/test-cases/:id ${retitled}
  401  401  401  401   403t 403r 404  404  403m  403p 403p 403m  404  403o  PUT    /v1/projects/:pid/test-cases/:id ${retitled}
  401  401  401  401   403t 403r 404  404  403m  403p 403p 403m  404  403o  DELETE /v1/projects/:pid/test-cases/:id ${testCase}
  401  401  401  401   403t 403r 404  404  403m  403p 403p 403m  404  403o  PUT    /v1/runs/:rid/results/:id ${result}
  401  401  401  401   404  404  404  404  403m  404  404  403m  404  404   GET    /v1/projects/:pid/milestones/:id ${milestone}
  401  401  401  401   403t 403r 404  404  403m  403p 403p 403m  404  403o  PATCH  /v1/projects/:pid/milestones/:id ${archived}
  401  401  401  401   403t 403r 404  404  403m  403p 403p 403m  404  403o  DELETE /v1/projects/:pid/milestones/:id ${milestone}
  401  401  401  401   403t 403r 403r 404  403m  403p 403p 403m  403r 403o  PATCH  /v1/projects/:pid/members/:id ${demoted}
  401  401  401  401   403t 403r 403r 404  403m  403p 403p 403m  403r 403o  DELETE /v1/projects/:pid/members/:id ${member}
  401  401  401  401   403t 403r 403r 404  403m  403p 403p 403m  403r 403o  DELETE /v1/projects/:pid/invitations/:id ${invitation}
  401  401  401  401   403t 403r 403r 404  403m  403p 403p 403m  403r 403o  POST   /v1/projects/:pid/invitations/:id/resend ${invitation}
  401  401  401  401   403t 403r 403r 404  403m  403p 403p 403m  403r 403o  DELETE /v1/projects/:pid/tokens/:id ${ciToken}
  401  401  401  401   403t 404  404  404  404   403p 403p 403p  404  403o  DELETE /v1/tokens/:id ${token}
  401  401  401  401   403t 404  404  404  404   403p 403p 403p  404  403o  DELETE /v1/sessions/:id ${session}
`
