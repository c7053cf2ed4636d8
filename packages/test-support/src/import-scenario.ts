import { randomUUID } from 'node:crypto'

import type { Import, ImportedRecord } from '@caseward/contract/import-schemas'

import { sql } from 'kysely'

import type { TestServer } from './test-server.ts'

interface ImportProject {
  id: string
  admin: { token: string }
}

/** Uploads a file in one part, and returns its id. */
export async function uploadFile(
  server: TestServer,
  { id, admin }: ImportProject,
  content: string | Uint8Array,
): Promise<string> {
  const { token } = admin
  const bytes = Buffer.from(content)
  const path = `/v1/projects/${id}/file-uploads`
  const created = await server.request<{ data: { id: string } }>('POST', path, {
    token,
    body: { byte_count: bytes.length },
  })
  const sent = await server.request<{ data: { file_id: string } }>('PUT', `${path}/${created.body.data.id}`, {
    token,
    body: bytes,
    headers: { 'content-range': `bytes 0-${bytes.length - 1}/${bytes.length}` },
  })
  return sent.body.data.file_id
}

/** Uploads a file and imports it, without waiting for the plan. */
export async function createImport(
  server: TestServer,
  project: ImportProject,
  { content, name, token = project.admin.token }: { content: string | Uint8Array; name: string; token?: string },
): Promise<Import> {
  const fileId = await uploadFile(server, project, content)
  const { status, body } = await server.request<{ data: Import }>('POST', `/v1/projects/${project.id}/imports`, {
    token,
    body: { file_id: fileId, name },
  })
  if (status !== 201) throw new Error(`POST imports: ${status} ${JSON.stringify(body)}`)
  return body.data
}

const WORKING: ReadonlySet<string> = new Set(['reading', 'planning', 'applying', 'undoing'])
const TIMEOUT_MS = 60_000

/** Waits until no server works on an import. */
export async function waitForImport(server: TestServer, project: ImportProject, id: string): Promise<Import> {
  const end = Date.now() + TIMEOUT_MS
  for (;;) {
    const { token } = project.admin
    const { body } = await server.request<{ data: Import }>('GET', `/v1/projects/${project.id}/imports/${id}`, {
      token,
    })
    if (!WORKING.has(body.data.state)) return body.data
    if (Date.now() > end) throw new Error(`The import is still ${body.data.state}`)
    await new Promise((resolve) => setTimeout(resolve, 30))
  }
}

/** Imports a file up to its plan. */
export async function planFile(
  server: TestServer,
  project: ImportProject,
  content: string | Uint8Array,
  name = 'shop.xml',
): Promise<Import> {
  const { id } = await createImport(server, project, { content, name })
  return await waitForImport(server, project, id)
}

/** Sends an action to an import, and waits for its end. */
export async function actOnImport(
  server: TestServer,
  project: ImportProject,
  { id, plan }: Pick<Import, 'id' | 'plan'>,
  action: 'apply' | 'undo' | 'resume',
): Promise<Import> {
  const { status, body } = await server.request('POST', `/v1/projects/${project.id}/imports/${id}/${action}`, {
    token: project.admin.token,
    ...(action === 'apply' ? { body: { plan } } : {}),
  })
  if (status !== 202) throw new Error(`${action}: ${status} ${JSON.stringify(body)}`)
  return await waitForImport(server, project, id)
}

/** What a plan does, as `<kind> <action> <count>`. */
export const summarizePlan = ({ planning }: Import): string[] =>
  (planning?.actions ?? []).map(({ kind, action, count }) => `${kind} ${action} ${count}`)

/** The losses of a plan by their codes. */
export const countLosses = ({ planning }: Import): Record<string, number> =>
  Object.fromEntries((planning?.losses ?? []).map(({ code, count }) => [code, count]))

/** Lists the records of an import. */
export async function listImportRecords(
  server: TestServer,
  project: ImportProject,
  id: string,
  query = '',
): Promise<ImportedRecord[]> {
  const { body } = await server.request<{ data: ImportedRecord[] }>(
    'GET',
    `/v1/projects/${project.id}/imports/${id}/records?per_page=100${query}`,
    { token: project.admin.token },
  )
  return body.data
}

const READING = {
  counts: [],
  steps: 0,
  encoding: null,
  losses: [],
  questions: [],
  fields: [],
  priorities: [],
  types: [],
  duplicateKeys: [],
  issueIdCount: 0,
}
const PLANNING = { actions: [], losses: [], fields: [], values: [], questions: [], needs_settings: false, absent: 0 }

/** The plan of every import that {@link insertImport} makes. */
export const INSERTED_PLAN = 'planned'

/** Makes an import without records, as if it had come to a state. One that works belongs to another server. */
export async function insertImport(
  { db }: Pick<TestServer, 'db'>,
  projectId: string,
  { state, failedState = null }: { state: string; failedState?: string | null },
): Promise<{ id: string; plan: string }> {
  const id = randomUUID()
  const isWorking = WORKING.has(state)
  await sql`
    insert into imports (project_id, id, name, state, failed_state, system, source, format, plan, reading, planning, planned_at, applied_by,
      worker, working_until)
    select ${projectId}, ${id}, 'shop.xml', ${state}, ${failedState}, 'testrail', 'TestRail', 'testrail-xml', ${INSERTED_PLAN},
      ${JSON.stringify(READING)}::json, ${JSON.stringify(PLANNING)}::json, now(),
      (select user_id from memberships where project_id = ${projectId} and role = 'admin' limit 1),
      ${isWorking ? id : null}::uuid, ${isWorking ? new Date(Date.now() + 3_600_000) : null}::timestamptz`.execute(db)
  return { id, plan: INSERTED_PLAN }
}

/** Makes a person of imported history. */
export async function insertImportedPerson({ db }: Pick<TestServer, 'db'>, projectId: string): Promise<{ id: string }> {
  const id = randomUUID()
  await sql`
    insert into imported_people (project_id, id, system, source, key_digest, name, label, email, import_id)
    values (${projectId}, ${id}, 'testrail', 'TestRail', ${id}, 'Ada', 'TestRail', 'ada@elsewhere.example', ${id})`.execute(
    db,
  )
  return { id }
}

/** Waits until no import is worked on, except those that {@link insertImport} gave to another server. */
export async function waitForImports({ db }: Pick<TestServer, 'db'>): Promise<void> {
  const end = Date.now() + TIMEOUT_MS
  for (;;) {
    const { rows } = await sql`
      select from imports where worker is not null and working_until < now() + interval '2 minutes'
        or state in ('reading', 'planning', 'applying', 'undoing') and working_until is null limit 1`.execute(db)
    if (rows.length === 0) return
    if (Date.now() > end) throw new Error('Imports are still worked on')
    await new Promise((resolve) => setTimeout(resolve, 20))
  }
}
