import { sql } from 'kysely'

import * as make from '@caseward/test-support/factories'
import type { TestServer } from '@caseward/test-support/test-server'
import * as users from '@caseward/test-support/users'
import { createResourceFactories, getId, makeSession, type Project } from './resource-factories.ts'
import type { Thing, World } from './slots.ts'

/** How many of each kind stand around. */
const SOME = 4

/** Something of every kind in a project of its own, and people of every role. `untouched` is a service without users. */
export async function createFixture(server: TestServer, untouched: TestServer): Promise<World> {
  const signer = await users.makeUserWithPassword(server)
  const admin = await users.makeUser(server)
  const project = await make.makeProject(server, { token: admin.token })
  const host = await users.makeMember(server, project.id, 'admin')
  // Admins who can change their passwords.
  await sql`
    update users set password_hash = (select password_hash from users where id = ${signer.id})
    where id in (${admin.id}, ${host.id})`.execute(server.db)
  const makers = createResourceFactories(server, untouched, project, admin.id)
  return {
    projectId: project.id,
    make: makers,
    standing: {
      admin: [admin],
      signer: [signer],
      host: [await makeSession(server, host.id)],
      project: [{ id: project.id }],
      ...(await principals(server, project)),
      ...(await contents(server, project)),
      ...(await foreigners(server)),
      folder: await several(makers.folder),
      bystander: await several(makers.bystander),
      invitation: await several(makers.invitation),
      personal_token: await several(makers.personal_token),
      ci_token: await several(makers.ci_token),
      session: await several(makers.session),
    },
  }
}

async function principals(server: TestServer, project: Project) {
  return {
    member: [await users.makeMember(server, project.id, 'member')],
    viewer: [await users.makeMember(server, project.id, 'viewer')],
    reader: [await users.makeUser(server, { access: 'read' })],
    ci: [{ token: await make.makeCiToken(server, project) }],
    ci_reader: [{ token: await make.makeCiToken(server, project, 'read') }],
  }
}

async function contents(server: TestServer, project: Project) {
  const cases = await make.makeTestCases(server, project, 2 * SOME)
  const makeRun = async () => getId(await make.makeRun(server, project))
  const makeMilestone = async () => getId(await make.makeMilestone(server, project))
  const run = await several(makeRun)
  const parent = await makeMilestone()
  const child = getId(await make.makeMilestone(server, project, { parent_id: parent.id }))
  const results = await make.getRunResults(server, run[0]?.['id'] ?? '', project.admin.token)
  return {
    test_case: cases.map((id) => ({ id })),
    run,
    closing_run: await several(makeRun),
    result: [...results.values()].map(getId),
    milestone: [...(await several(makeMilestone)), parent, child],
    parent_milestone: [parent, parent, parent, child],
  }
}

/** What lies in another project, and its admin. */
async function foreigners(server: TestServer) {
  const project = await make.makeProject(server)
  const { id: folder } = await make.makeFolder(server, project)
  const { id: run } = await make.makeRun(server, project)
  return { outsider: [project.admin], foreign: [{ project: project.id, folder, run }] }
}

async function several(one: () => Promise<Thing>): Promise<Thing[]> {
  const things: Thing[] = []
  while (things.length < SOME) things.push(await one())
  return things
}
