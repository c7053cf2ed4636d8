import { randomUUID } from 'node:crypto'

import { sql } from 'kysely'

import { hashSecret } from '../../src/access/secret.ts'
import { declare } from '@caseward/test-support/declared-files'
import * as make from '@caseward/test-support/factories'
import { insertSignature } from '@caseward/test-support/insight-scenario'
import { insertImport, insertImportedPerson, waitForImports } from '@caseward/test-support/import-scenario'
import type { TestServer } from '@caseward/test-support/test-server'
import * as users from '@caseward/test-support/users'
import type { Resource } from './slots.ts'

import {
  makeFactor,
  makeIdentity,
  makePasskeyAnswer,
  makePasskeyAssertion,
  makePasskeySignIn,
  makePasskeyUser,
  makeReset,
  makeSession,
  setupFactories,
} from './account-factories.ts'

export type Project = Awaited<ReturnType<typeof make.makeProject>>

/** Creates functions that create one more resource of each kind, in the project or owned by the admin. */
export function createResourceFactories(
  server: TestServer,
  serverWithoutUsers: TestServer,
  project: Project,
  adminId: string,
) {
  let ciToken: Promise<string> | undefined
  /** One for all uploads: a project has up to 100. */
  const getCiToken = () => (ciToken ??= make.makeCiToken(server, project))
  const post = async (path: string, body: object): Promise<Resource> => {
    const response = await server.request<{ data: Resource }>('POST', path, { token: project.admin.token, body })
    if (response.status !== 201) throw new Error(`POST ${path}: ${response.status} ${JSON.stringify(response.body)}`)
    return response.body.data
  }
  return {
    project: () => post('/v1/projects', { name: 'Spare', prefix: 'SPARE' }),
    folder: async () => getId(await make.makeFolder(server, project)),
    field: () => makeRetiredField(server, project),
    instance_field: () => makeRetiredInstanceField(server),
    configuration: async () => {
      // A group has only 50 in use.
      await server.db.deleteFrom('configurations').where('key', 'like', 'k%').execute()
      const key = `k${randomUUID().replaceAll('-', '')}`
      const [made] = await make.makeConfigurations(server, project, { browser: [key] })
      return { id: made?.id ?? '' }
    },
    instance_configuration: async () => {
      await server.db.deleteFrom('configurations').where('project_id', 'is', null).where('key', 'like', 'k%').execute()
      const key = `k${randomUUID().replaceAll('-', '')}`
      const [made] = await make.makeInstanceConfigurations(server, { org_browser: [key] })
      return { id: made?.id ?? '' }
    },
    shared_step: () =>
      post(`/v1/projects/${project.id}/shared-steps`, { title: `S ${randomUUID()}`, steps: [{ action: 'A' }] }),
    imported_person: () => insertImportedPerson(server, project.id),
    cancelled_import: async () => ({
      id: (await insertImport(server, project.id, { state: 'cancelled', failedState: 'planning' })).id,
    }),
    done_import: async () => ({ id: (await insertImport(server, project.id, { state: 'done' })).id }),
    import: async () => ({ id: (await insertImport(server, project.id, { state: 'planned' })).id }),
    planned_import: async () => {
      // While another one writes into the project, none can be applied.
      await waitForImports(server)
      return { id: (await insertImport(server, project.id, { state: 'planned' })).id }
    },
    combination: async () => {
      const configurations = { groups: { browser: ['chrome'] } }
      const run = await make.makeRun(server, project, { test_case_ids: ['WEB-1'], configurations })
      return { id: '1', run: run.id }
    },
    test_case: async () => getId(await make.makeTestCase(server, project)),
    merge: () => makeMerge(server, project),
    run: async () => getId(await make.makeRun(server, project, { test_case_ids: ['WEB-1'] })),
    attachment: () => makeAttachment(server, project),
    stored_content: async () => ({ id: (await makeAttachment(server, project))['sha256'] ?? '' }),
    declared_file: () => makeDeclaredFile(server, project, getCiToken),
    file_upload: () => post(`/v1/projects/${project.id}/file-uploads`, { byte_count: 4 }),
    test: () => makeTest(server, project, getCiToken),
    unseen_test: () => insertTest(server, project),
    earlier_test: () => insertTest(server, project),
    quarantine: async () => {
      const body = { test_id: (await makeTest(server, project, getCiToken))['id'], reason: 'Times out' }
      const path = `/v1/projects/${project.id}/quarantines`
      const { token } = project.admin
      return getId((await server.request<{ data: [{ id: string }] }>('POST', path, { token, body })).body.data[0])
    },
    failure_group: async () => ({ id: await insertSignature(server.db, project.id) }),
    suite_error: () => makeSuiteError(server, project, getCiToken),
    left_out: () => makeLeftOut(server, project, getCiToken),
    test_case_link: () => post(`/v1/projects/${project.id}/test-cases/WEB-1/links`, { url: makeAddress() }),
    result_link: async () => {
      const run = getId(await make.makeRun(server, project, { test_case_ids: ['WEB-1'] })).id ?? ''
      return { ...(await post(`/v1/runs/${run}/results/WEB-1/links`, { url: makeAddress() })), run }
    },
    comment: () => post(`/v1/projects/${project.id}/test-cases/WEB-1/comments`, { body: 'It fails.' }),
    share: () => makeShare(server, project),
    view: () => post(`/v1/projects/${project.id}/views`, { page: 'cases', name: 'Spare', query: '', is_shared: true }),
    milestone: async () => getId(await make.makeMilestone(server, project)),
    other_member: () => users.makeMember(server, project.id, 'viewer'),
    other_user: () => users.makeUser(server),
    /** A user whose account was secured, and who has not checked it. */
    user_to_review: async () => {
      const user = await users.makeUser(server)
      await sql`update users set review_since = now() where id = ${user.id}`.execute(server.db)
      return user
    },
    invitation: () => make.makeInvitation(server, project),
    /** A user and an invitation for that user. */
    invited: async () => {
      const { email, token } = await users.makeUser(server)
      return { ...(await make.makeInvitation(server, project, { email })), token }
    },
    personal_token: () => post('/v1/tokens', { name: 'Spare' }),
    ci_token: () => post(`/v1/projects/${project.id}/tokens`, { name: 'Spare' }),
    session: () => makeSession(server, adminId),
    /** A user with a session and a pending change of the email address. */
    account: async () => {
      const { id, email } = await users.makeUser(server)
      await sql`
        insert into email_changes (user_id, email, expires_at)
        values (${id}, ${`new-${email}`}, now() + interval '1 hour')`.execute(server.db)
      return { email, secret: (await makeSession(server, id))['secret'] ?? '' }
    },
    identity: () => makeIdentity(server, adminId),
    reset: () => makeReset(server),
    pending_sign_in: () => makePasskeySignIn(server),
    passkey_answer: () => makePasskeyAnswer(server),
    passkey_sign_in: () => makePasskeyAssertion(server),
    passkey_user: () => makePasskeyUser(server),
    pending_factor: () => makeFactor(server, { isPending: true }),
    second_factor: () => makeFactor(server, { isPending: false }),
    ...setupFactories(serverWithoutUsers),
  }
}

type GetCiToken = () => Promise<string>

/** A test that is in no run. */
async function insertTest(server: TestServer, project: Project): Promise<Resource> {
  const id = randomUUID()
  await sql`
    insert into tests (project_id, id, suite, name, variant, file, title_digest, title_key, place_digest)
    values (${project.id}, ${id}, 'spare', ${id}, '', '', ${randomUUID()}, ${id}, ${randomUUID()})`.execute(server.db)
  return { id }
}

async function makeMerge(server: TestServer, project: Project): Promise<Resource> {
  const [target, from] = [await make.makeTestCase(server, project), await make.makeTestCase(server, project)]
  const response = await server.request<{ data: { id: string } }>(
    'POST',
    `/v1/projects/${project.id}/test-cases/${target.id}/merge`,
    { token: project.admin.token, body: { from_ids: [from.id] } },
  )
  return { id: response.body.data.id, test_case: target.id }
}

/** Without a request: those that can be opened are limited. */
async function makeShare(server: TestServer, project: Project): Promise<Resource> {
  const run = getId(await make.makeRun(server, project, { test_case_ids: ['WEB-1'] })).id ?? ''
  const id = randomUUID()
  await sql`
    insert into shares (id, project_id, run_id, name, secret_digest, include, expires_at)
    values (${id}, ${project.id}, ${run}, 'Spare', ${hashSecret(id)}, '{}', now() + interval '1 day')`.execute(
    server.db,
  )
  return { id }
}

const OPTIONS = JSON.stringify(
  ['low', 'minor'].map((key, index) => ({ number: index + 1, key, label: key, is_retired: false })),
)

/** Without a request: those in use are limited, and only a retired one can be deleted. It has two options. */
async function makeRetiredField(server: TestServer, project: Project): Promise<Resource> {
  const id = randomUUID()
  await sql`
    with project as (
      update projects set last_field_number = last_field_number + 1, fields_version = fields_version + 1
      where id = ${project.id} returning last_field_number as number
    )
    insert into custom_fields (id, project_id, subject, number, key, name, type, options, position, retired_at)
    select ${id}, ${project.id}, 'case', number, 'spare_' || number, 'Spare', 'select', ${OPTIONS}::json, 1, now() from project`.execute(
    server.db,
  )
  return { id }
}

async function makeRetiredInstanceField(server: TestServer): Promise<Resource> {
  const id = randomUUID()
  await sql`
    insert into custom_fields (id, subject, number, key, name, type, position, retired_at)
    select ${id}, 'case', number, 'org_spare_' || number, 'Spare', 'number', 1, now()
    from nextval('instance_field_numbers') number`.execute(server.db)
  return { id }
}

const makeAddress = () => `https://acme.test/browse/SHOP-${Math.ceil(Math.random() * 1e9)}`

/** Uploads a test that matches no test case. */
async function makeTest(server: TestServer, project: Project, getCiToken: GetCiToken): Promise<Resource> {
  const run = await make.makeRun(server, project, { test_case_ids: ['WEB-1'] })
  const tests = [{ name: randomUUID(), attempts: [{ status: 'failed', message: 'no' }, { status: 'passed' }] }]
  const token = await getCiToken()
  await server.request('POST', '/v1/results', { token, body: { run_id: run.id, format: 'tests', tests } })
  const { body } = await server.request<{ data: Resource[] }>('GET', `/v1/runs/${run.id}/tests`, {
    token: project.admin.token,
  })
  return { id: body.data[0]?.['id'] ?? '', run: run.id }
}

/** Uploads an error outside of tests. */
async function makeSuiteError(server: TestServer, project: Project, getCiToken: GetCiToken): Promise<Resource> {
  const run = await make.makeRun(server, project, { test_case_ids: ['WEB-1'] })
  const token = await getCiToken()
  const suiteErrors = [{ where: randomUUID(), message: 'no' }]
  await server.request('POST', '/v1/results', {
    token,
    body: { run_id: run.id, format: 'tests', tests: [], suite_errors: suiteErrors },
  })
  const { body } = await server.request<{ data: Resource[] }>('GET', `/v1/runs/${run.id}/suite-errors`, {
    token: project.admin.token,
  })
  return { id: body.data[0]?.['id'] ?? '', run: run.id }
}

/** Uploads a test, and leaves it out of its run. */
async function makeLeftOut(server: TestServer, project: Project, getCiToken: GetCiToken): Promise<Resource> {
  const test = await makeTest(server, project, getCiToken)
  const { id = '', run = '' } = test
  await server.request('POST', `/v1/runs/${run}/tests/${id}/leave-out`, { token: project.admin.token })
  return test
}

export const getId = ({ id }: { id: string }): { id: string } => ({ id })

/** Attaches a file with a content of its own to a new run. */
export async function makeAttachment(server: TestServer, project: Project): Promise<Resource> {
  const { id: runId } = await make.makeRun(server, project, { test_case_ids: ['WEB-1'] })
  const path = `/v1/runs/${runId}/attachments?name=a.txt`
  const options = { token: project.admin.token, body: Buffer.from(randomUUID()) }
  const response = await server.request<{ data: { id: string; file_id: string; sha256: string } }>(
    'POST',
    path,
    options,
  )
  if (response.status !== 201) throw new Error(`POST ${path}: ${response.status} ${JSON.stringify(response.body)}`)
  const { id, file_id: file, sha256 } = response.body.data
  return { id, file, sha256 }
}

/** Uploads a result to a new run that declares a file with a content of its own. */
async function makeDeclaredFile(server: TestServer, project: Project, getCiToken: GetCiToken): Promise<Resource> {
  const { id: run } = await make.makeRun(server, project, { test_case_ids: ['WEB-1'] })
  const content = randomUUID()
  const file = declare('a.txt', content)
  const body = { run_id: run, results: [{ test_case_id: 'WEB-1', status: 'failed', attachments: [file] }] }
  const token = await getCiToken()
  const response = await server.request('POST', '/v1/results', { token, body })
  if (response.status !== 200) throw new Error(`POST /v1/results: ${response.status} ${JSON.stringify(response.body)}`)
  return { id: file.sha256, run, content }
}
