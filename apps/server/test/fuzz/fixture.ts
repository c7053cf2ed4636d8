import { randomUUID } from 'node:crypto'

import { insertImportedPerson } from '@caseward/test-support/import-scenario'
import { makeSharedStep } from '@caseward/test-support/shared-step-scenario'
import { FIELD_TYPES } from '@caseward/contract/field-values'
import { sql } from 'kysely'

import * as make from '@caseward/test-support/factories'
import { insertSignature } from '@caseward/test-support/insight-scenario'
import type { TestServer } from '@caseward/test-support/test-server'
import * as users from '@caseward/test-support/users'
import { makeSession } from './account-factories.ts'
import { createResourceFactories, getId, makeAttachment, type Project } from './resource-factories.ts'
import type { Resource, Fixture } from './slots.ts'

/** The number of resources of each kind. */
const RESOURCES_PER_KIND = 4

/** A key of the instance, which all fixtures share. */
const toOwnKey = () => `org_${randomUUID().replaceAll('-', '')}`

/** Creates a project with resources of every kind and users of every role. `serverWithoutUsers` is for setup links. */
export async function createFixture(server: TestServer, serverWithoutUsers: TestServer): Promise<Fixture> {
  // An earlier round may have restricted who creates projects.
  await sql`update instance_settings set project_creation = 'everyone'`.execute(server.db)
  const passwordUser = await users.makeUserWithPassword(server)
  const admin = await users.makeUser(server)
  const project = await make.makeProject(server, { token: admin.token })
  const sessionAdmin = await users.makeMember(server, project.id, 'admin')
  // Admins of the project and of the instance who can change their passwords.
  await sql`
    update users
    set password_hash = (select password_hash from users where id = ${passwordUser.id}), is_instance_admin = true
    where id in (${admin.id}, ${sessionAdmin.id})`.execute(server.db)
  const factories = createResourceFactories(server, serverWithoutUsers, project, admin.id)
  return {
    projectId: project.id,
    create: factories,
    existing: {
      admin: [admin],
      password_user: [passwordUser],
      admin_session: [await makeSession(server, sessionAdmin.id)],
      project: [{ id: project.id }],
      ...(await createUsers(server, project)),
      ...(await createContents(server, project)),
      ...(await createOtherProject(server)),
      folder: await repeat(factories.folder),
      comment: await repeat(factories.comment),
      import: await repeat(factories.import),
      view: await repeat(factories.view),
      other_member: await repeat(factories.other_member),
      other_user: await repeat(factories.other_user),
      invitation: await repeat(factories.invitation),
      personal_token: await repeat(factories.personal_token),
      ci_token: await repeat(factories.ci_token),
      session: await repeat(factories.session),
    },
  }
}

async function createUsers(server: TestServer, project: Project) {
  return {
    member: [await users.makeMember(server, project.id, 'member')],
    viewer: [await users.makeMember(server, project.id, 'viewer')],
    reader: [await users.makeUser(server, { access: 'read' })],
    ci: [{ token: await make.makeCiToken(server, project) }],
    ci_reader: [{ token: await make.makeCiToken(server, project, 'read') }],
  }
}

/** Configurations of the project. */
const GROUPS = { browser: ['chrome', 'firefox'], system: ['windows', 'mac'] }

async function createContents(server: TestServer, project: Project) {
  const cases = await make.makeTestCases(server, project, 2 * RESOURCES_PER_KIND)
  const configuration = (await make.makeConfigurations(server, project, GROUPS)).map(getId)
  const configurations = { groups: { browser: ['chrome', 'firefox'] } }
  const makeRun = async () => getId(await make.makeRun(server, project, { configurations }))
  const makeMilestone = async () => getId(await make.makeMilestone(server, project))
  const run = await repeat(makeRun)
  const attachment = await repeat(() => makeAttachment(server, project))
  const parent = await makeMilestone()
  const child = getId(await make.makeMilestone(server, project, { parent_id: parent.id }))
  const results = await make.getRunResults(server, run[0]?.['id'] ?? '', project.admin.token)
  return {
    test_case: cases.map((id) => ({ id })),
    configuration,
    shared_step: await repeat(() => makeSharedStepOf(server, project)),
    imported_person: await repeat(() => insertImportedPerson(server, project.id)),
    // Places, which all runs have.
    combination: [{ id: '1' }, { id: '2' }],
    field: await makeFields(server, project),
    instance_configuration: (await make.makeInstanceConfigurations(server, { org_browser: [toOwnKey()] })).map(getId),
    instance_field: [getId(await make.makeInstanceField(server, { key: toOwnKey() }))],
    run,
    closable_run: await repeat(makeRun),
    result: [...results.values()].map(getId),
    attachment,
    file: attachment.map(({ file = '' }) => ({ id: file })),
    ...(await makeTests(server, project, run)),
    failure_group: await repeat(async () => ({ id: await insertSignature(server.db, project.id) })),
    milestone: [...(await repeat(makeMilestone)), parent, child],
    parent_milestone: [parent, parent, parent, child],
  }
}

const makeSharedStepOf = async (server: TestServer, project: Project): Promise<Resource> =>
  getId(await makeSharedStep(server, project, { title: `S ${randomUUID()}`, steps: [{ action: 'Sign in' }] }))

/** The types of fields, each once. */
async function makeFields(server: TestServer, project: Project): Promise<Resource[]> {
  const fields: Resource[] = []
  for (const type of FIELD_TYPES) {
    const options = type.endsWith('select') ? { options: [{ key: 'high', label: 'High' }] } : {}
    fields.push(getId(await make.makeField(server, project, { key: `a_${type}`, type, ...options })))
  }
  return fields
}

/** Uploads the same tests, which match no test case, to all runs, and quarantines some of them. */
async function makeTests(server: TestServer, project: Project, runs: readonly Resource[]) {
  const ci = await make.makeCiToken(server, project)
  const tests = Array.from({ length: 2 * RESOURCES_PER_KIND }, (_, index) => ({
    name: `Cart > fuzzed ${index}`,
    attempts: [{ status: 'failed', message: 'no' }, { status: 'passed' }],
  }))
  for (const { id } of runs) {
    await server.request('POST', '/v1/results', { token: ci, body: { run_id: id, format: 'tests', tests } })
  }
  const path = `/v1/projects/${project.id}/tests`
  const { body } = await server.request<{ data: { id: string }[] }>('GET', path, { token: project.admin.token })
  const test = body.data.map(getId)
  const quarantined = await server.request<{ data: { id: string }[] }>(
    'POST',
    `/v1/projects/${project.id}/quarantines`,
    {
      token: project.admin.token,
      body: { test_ids: test.slice(0, RESOURCES_PER_KIND).map(({ id }) => id), reason: 'Times out' },
    },
  )
  return { test, quarantine: quarantined.body.data.map(getId) }
}

/** Creates another project, with its admin. */
async function createOtherProject(server: TestServer) {
  const project = await make.makeProject(server)
  const { id: folder } = await make.makeFolder(server, project)
  const { id: run } = await make.makeRun(server, project)
  return { outsider: [project.admin], other_project: [{ project: project.id, folder, run }] }
}

async function repeat(create: () => Promise<Resource>): Promise<Resource[]> {
  const resources: Resource[] = []
  while (resources.length < RESOURCES_PER_KIND) resources.push(await create())
  return resources
}
