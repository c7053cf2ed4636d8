import { insertImport, insertImportedPerson } from '@caseward/test-support/import-scenario'
import { makeSharedStep } from '@caseward/test-support/shared-step-scenario'
import { insertToken } from '../../src/features/tokens/tokens.queries.ts'
import {
  makeConfigurations,
  makeField,
  makeFolder,
  makeInvitation,
  makeMilestone,
  makeProject,
  makeRun,
  makeTestCase,
} from '@caseward/test-support/factories'
import { insertTotp } from '@caseward/test-support/second-factors'
import { makeMember, makeUser } from '@caseward/test-support/users'
import { createOwnerIdentity, createOwnerSession, createOwnerToken } from './accounts.ts'
import type { Scenario } from './scenario.ts'
import { type Prepare, table } from './table.ts'
import { makeTestOfRun } from './tests.ts'

type Project = Awaited<ReturnType<typeof makeProject>>

/** Returns the id of a resource of another project, to use in a path of the caller's project. */
const inOtherProject = async ({ server }: Scenario, make: (project: Project) => Promise<{ id: string }>) => ({
  ids: { id: (await make(await makeProject(server, { prefix: 'OTHER' }))).id },
})

const folderOfOtherProject: Prepare = async (scenario) => ({
  ...(await inOtherProject(scenario, (project) => makeFolder(scenario.server, project))),
  body: { name: 'Payment' },
})
const caseOfOtherProject: Prepare = (scenario) =>
  inOtherProject(scenario, (project) => makeTestCase(scenario.server, project))
const newTitleForOther: Prepare = async (scenario) => ({
  ...(await caseOfOtherProject(scenario)),
  body: { title: 'Pays by voucher' },
})
const versionOfOther: Prepare = async (scenario) => {
  const { ids } = await caseOfOtherProject(scenario)
  return { ids: { ...ids, version: '1' } }
}
const copyOfOther: Prepare = async (scenario) => ({ ...(await caseOfOtherProject(scenario)), body: {} })
const restoredOfOther: Prepare = async (scenario) => ({ ...(await versionOfOther(scenario)), body: {} })
const milestoneOfOtherProject: Prepare = (scenario) =>
  inOtherProject(scenario, (project) => makeMilestone(scenario.server, project))
const archiveOther: Prepare = async (scenario) => ({
  ...(await milestoneOfOtherProject(scenario)),
  body: { status: 'archived' },
})
const fieldOfOtherProject: Prepare = async (scenario) => ({
  ...(await inOtherProject(scenario, (project) => makeField(scenario.server, project))),
  body: { name: 'Chance' },
})
const optionsOfOther: Prepare = async (scenario) => ({
  ...(await fieldOfOtherProject(scenario)),
  body: { from: 'low', into: 'minor' },
})
const configurationOfOtherProject: Prepare = async (scenario) => ({
  ...(await inOtherProject(scenario, async (project) => {
    const [made] = await makeConfigurations(scenario.server, project, { browser: ['chrome'] })
    return { id: made?.id ?? '' }
  })),
  body: { name: 'Edge' },
})
const sharedStepOfOther: Prepare = (scenario) =>
  inOtherProject(scenario, (project) =>
    makeSharedStep(scenario.server, project, { title: 'Sign in', steps: [{ action: 'Sign in' }] }),
  )
const titleOfOtherSharedStep: Prepare = async (scenario) => ({
  ...(await sharedStepOfOther(scenario)),
  body: { title: 'Sign out', apply_to: 'all' },
})
const detachedOfOther: Prepare = async (scenario) => ({
  ...(await sharedStepOfOther(scenario)),
  body: { test_case_ids: [] },
})
const importOfOther: Prepare = (scenario) =>
  inOtherProject(scenario, (project) => insertImport(scenario.server, project.id, { state: 'planned' }))
const personOfOther: Prepare = (scenario) =>
  inOtherProject(scenario, (project) => insertImportedPerson(scenario.server, project.id))
const joinedOfOther: Prepare = async (scenario) => ({
  ...(await personOfOther(scenario)),
  body: { user_id: scenario.project.admin.id },
})
const planOfOther: Prepare = async (scenario) => ({ ...(await importOfOther(scenario)), body: { plan: 'a' } })
const settingsOfOther: Prepare = async (scenario) => ({ ...(await importOfOther(scenario)), body: {} })
const withoutBody =
  (prepare: Prepare): Prepare =>
  async (scenario) => {
    const { body: _, ...prepared } = await prepare(scenario)
    return prepared
  }
const memberOfOtherProject: Prepare = (scenario) =>
  inOtherProject(scenario, (project) => makeMember(scenario.server, project.id, 'member'))
const demoteOther: Prepare = async (scenario) => ({
  ...(await memberOfOtherProject(scenario)),
  body: { role: 'viewer' },
})
const invitationOfOtherProject: Prepare = (scenario) =>
  inOtherProject(scenario, (project) => makeInvitation(scenario.server, project))
const tokenOfOtherProject: Prepare = (scenario) => {
  const input = { name: 'CI', access: 'write', expiresAt: null, createdBy: null } as const
  return inOtherProject(scenario, (project) =>
    insertToken(scenario.server.db, { kind: 'ci', projectId: project.id }, input),
  )
}
const testOfOtherProject: Prepare = (scenario) =>
  inOtherProject(scenario, (project) => makeTestOfRun({ server: scenario.server, project }))
const linkOfOtherProject: Prepare = async (scenario) => ({
  ...(await testOfOtherProject(scenario)),
  body: { test_case_id: null },
})
/** The result belongs to another run of the same project. */
const resultOfOtherRun: Prepare = async ({ server, project }) => {
  const [firstCase, secondCase] = [await makeTestCase(server, project), await makeTestCase(server, project)]
  const run = await makeRun(server, project, { test_case_ids: [firstCase.id] })
  const otherRun = await makeRun(server, project, { test_case_ids: [secondCase.id] })
  const query = server.db.selectFrom('test_results').select('id').where('run_id', '=', otherRun.id)
  const { id } = await query.executeTakeFirstOrThrow()
  return { ids: { runId: run.id, id }, body: { status: 'passed' } }
}
/** Replaces the owner, so that the request is about a token, a session or a link of another user. */
const withOtherOwner = async (scenario: Scenario) => ({
  ...scenario,
  owner: await makeMember(scenario.server, scenario.project.id, 'admin'),
})
const tokenOfOtherUser: Prepare = async (scenario) => ({ ids: await createOwnerToken(await withOtherOwner(scenario)) })
const sessionOfOtherUser: Prepare = async (scenario) => ({
  ids: await createOwnerSession(await withOtherOwner(scenario)),
})

const factorOfOtherUser: Prepare = async ({ server }) => ({
  ids: { id: (await insertTotp(server, (await makeUser(server)).id)).id },
})
const identityOfOtherUser: Prepare = async (scenario) => ({
  ids: await createOwnerIdentity(await withOtherOwner(scenario)),
})

/** Resources of other projects and users: callers with the permission receive 404, as for an unknown id. */
export const otherOwners = table`
    none  bad-token  read-only  viewer   member   admin    outsider  ci-read    ci-write  ci-other  session  cross-site
  PATCH /v1/projects/:projectId/folders/:id ${folderOfOtherProject}
    401   401        read-only  role     404      404      outsider  personal   personal  outsider  404      origin
  DELETE /v1/projects/:projectId/folders/:id ${folderOfOtherProject}
    401   401        read-only  role     404      404      outsider  personal   personal  outsider  404      origin
  GET /v1/projects/:projectId/test-cases/:id ${caseOfOtherProject}
    401   401        404        404      404      404      outsider  404        404       outsider  404      404
  GET /v1/projects/:projectId/test-cases/:id/results ${caseOfOtherProject}
    401   401        404        404      404      404      outsider  404        404       outsider  404      404
  GET /v1/projects/:projectId/test-cases/:id/versions ${caseOfOtherProject}
    401   401        404        404      404      404      outsider  404        404       outsider  404      404
  GET /v1/projects/:projectId/test-cases/:id/versions/:version ${versionOfOther}
    401   401        404        404      404      404      outsider  404        404       outsider  404      404
  POST /v1/projects/:projectId/test-cases/:id/versions/:version/restore ${restoredOfOther}
    401   401        read-only  role     404      404      outsider  personal   personal  outsider  404      origin
  POST /v1/projects/:projectId/test-cases/:id/copies ${copyOfOther}
    401   401        read-only  role     404      404      outsider  personal   personal  outsider  404      origin
  PATCH /v1/projects/:projectId/test-cases/:id ${newTitleForOther}
    401   401        read-only  role     404      404      outsider  personal   personal  outsider  404      origin
  PUT /v1/projects/:projectId/test-cases/:id ${newTitleForOther}
    401   401        read-only  role     404      404      outsider  personal   personal  outsider  404      origin
  DELETE /v1/projects/:projectId/test-cases/:id ${caseOfOtherProject}
    401   401        read-only  role     404      404      outsider  personal   personal  outsider  404      origin
  GET /v1/projects/:projectId/tests/:id ${testOfOtherProject}
    401   401        404        404      404      404      outsider  404        404       outsider  404      404
  GET /v1/projects/:projectId/tests/:id/outcomes ${testOfOtherProject}
    401   401        404        404      404      404      outsider  404        404       outsider  404      404
  PATCH /v1/projects/:projectId/tests/:id ${linkOfOtherProject}
    401   401        read-only  role     404      404      outsider  personal   personal  outsider  404      origin
  PUT /v1/runs/:runId/results/:id ${resultOfOtherRun}
    401   401        read-only  role     404      404      outsider  personal   personal  outsider  404      origin
  PATCH /v1/runs/:runId/results/:id ${resultOfOtherRun}
    401   401        read-only  role     404      404      outsider  personal   personal  outsider  404      origin
  GET /v1/projects/:projectId/milestones/:id ${milestoneOfOtherProject}
    401   401        404        404      404      404      outsider  404        404       outsider  404      404
  GET /v1/projects/:projectId/milestones/:id/readiness ${milestoneOfOtherProject}
    401   401        404        404      404      404      outsider  404        404       outsider  404      404
  GET /v1/projects/:projectId/milestones/:id/burn-up ${milestoneOfOtherProject}
    401   401        404        404      404      404      outsider  404        404       outsider  404      404
  GET /v1/projects/:projectId/milestones/:id/blockers ${milestoneOfOtherProject}
    401   401        404        404      404      404      outsider  404        404       outsider  404      404
  PATCH /v1/projects/:projectId/milestones/:id ${archiveOther}
    401   401        read-only  role     404      404      outsider  personal   personal  outsider  404      origin
  DELETE /v1/projects/:projectId/milestones/:id ${milestoneOfOtherProject}
    401   401        read-only  role     404      404      outsider  personal   personal  outsider  404      origin
  PATCH /v1/projects/:projectId/fields/:id ${fieldOfOtherProject}
    401   401        read-only  role     role     404      outsider  personal   personal  outsider  role     origin
  POST /v1/projects/:projectId/fields/:id/options/merge ${optionsOfOther}
    401   401        read-only  role     role     404      outsider  personal   personal  outsider  role     origin
  POST /v1/projects/:projectId/fields/:id/retire ${withoutBody(fieldOfOtherProject)}
    401   401        read-only  role     role     404      outsider  personal   personal  outsider  role     origin
  POST /v1/projects/:projectId/fields/:id/restore ${withoutBody(fieldOfOtherProject)}
    401   401        read-only  role     role     404      outsider  personal   personal  outsider  role     origin
  DELETE /v1/projects/:projectId/fields/:id ${withoutBody(fieldOfOtherProject)}
    401   401        read-only  role     role     404      outsider  personal   personal  outsider  role     origin
  PATCH /v1/projects/:projectId/configurations/:id ${configurationOfOtherProject}
    401   401        read-only  role     role     404      outsider  personal   personal  outsider  role     origin
  DELETE /v1/projects/:projectId/configurations/:id ${withoutBody(configurationOfOtherProject)}
    401   401        read-only  role     role     404      outsider  personal   personal  outsider  role     origin
  PATCH /v1/projects/:projectId/imported-people/:id ${joinedOfOther}
    401   401        read-only  role     role     404      outsider  personal   personal  outsider  role     origin
  DELETE /v1/projects/:projectId/imported-people/:id ${personOfOther}
    401   401        read-only  role     role     404      outsider  personal   personal  outsider  role     origin
  GET /v1/projects/:projectId/imports/:id ${importOfOther}
    401   401        404        role     404      404      outsider  personal   personal  outsider  404      404
  GET /v1/projects/:projectId/imports/:id/records ${importOfOther}
    401   401        404        role     404      404      outsider  personal   personal  outsider  404      404
  POST /v1/projects/:projectId/imports/:id/plan ${settingsOfOther}
    401   401        read-only  role     404      404      outsider  personal   personal  outsider  404      origin
  POST /v1/projects/:projectId/imports/:id/apply ${planOfOther}
    401   401        read-only  role     404      404      outsider  personal   personal  outsider  404      origin
  POST /v1/projects/:projectId/imports/:id/cancel ${importOfOther}
    401   401        read-only  role     404      404      outsider  personal   personal  outsider  404      origin
  POST /v1/projects/:projectId/imports/:id/resume ${importOfOther}
    401   401        read-only  role     404      404      outsider  personal   personal  outsider  404      origin
  POST /v1/projects/:projectId/imports/:id/undo ${importOfOther}
    401   401        read-only  role     role     404      outsider  personal   personal  outsider  role     origin
  DELETE /v1/projects/:projectId/imports/:id ${importOfOther}
    401   401        read-only  role     404      404      outsider  personal   personal  outsider  404      origin
  GET /v1/projects/:projectId/test-cases/:id/source ${caseOfOtherProject}
    401   401        404        404      404      404      outsider  404        404       outsider  404      404
  GET /v1/projects/:projectId/shared-steps/:id ${sharedStepOfOther}
    401   401        404        404      404      404      outsider  404        404       outsider  404      404
  GET /v1/projects/:projectId/shared-steps/:id/uses ${sharedStepOfOther}
    401   401        404        404      404      404      outsider  404        404       outsider  404      404
  GET /v1/projects/:projectId/shared-steps/:id/usage ${sharedStepOfOther}
    401   401        404        404      404      404      outsider  404        404       outsider  404      404
  GET /v1/projects/:projectId/shared-steps/:id/versions ${sharedStepOfOther}
    401   401        404        404      404      404      outsider  404        404       outsider  404      404
  PATCH /v1/projects/:projectId/shared-steps/:id ${titleOfOtherSharedStep}
    401   401        read-only  role     404      404      outsider  personal   personal  outsider  404      origin
  POST /v1/projects/:projectId/shared-steps/:id/detach ${detachedOfOther}
    401   401        read-only  role     404      404      outsider  personal   personal  outsider  404      origin
  DELETE /v1/projects/:projectId/shared-steps/:id ${sharedStepOfOther}
    401   401        read-only  role     404      404      outsider  personal   personal  outsider  404      origin
  PATCH /v1/projects/:projectId/members/:id ${demoteOther}
    401   401        read-only  role     role     404      outsider  personal   personal  outsider  role     origin
  DELETE /v1/projects/:projectId/members/:id ${memberOfOtherProject}
    401   401        read-only  role     role     404      outsider  personal   personal  outsider  role     origin
  DELETE /v1/projects/:projectId/invitations/:id ${invitationOfOtherProject}
    401   401        read-only  role     role     404      outsider  personal   personal  outsider  role     origin
  POST /v1/projects/:projectId/invitations/:id/resend ${invitationOfOtherProject}
    401   401        read-only  role     role     404      outsider  personal   personal  outsider  role     origin
  DELETE /v1/projects/:projectId/tokens/:id ${tokenOfOtherProject}
    401   401        read-only  role     role     404      outsider  personal   personal  outsider  role     origin
  DELETE /v1/tokens/:id ${tokenOfOtherUser}
    401   401        read-only  404      404      404      404       personal   personal  personal  404      origin
  DELETE /v1/sessions/:id ${sessionOfOtherUser}
    401   401        read-only  404      404      404      404       personal   personal  personal  404      origin
  DELETE /v1/me/second-factors/:id ${factorOfOtherUser}
    401   401        read-only  no-session no-session no-session no-session personal personal personal 404 origin
  DELETE /v1/me/identities/:id ${identityOfOtherUser}
    401   401        read-only  404      404      404      404       personal   personal  personal  404      origin
`
