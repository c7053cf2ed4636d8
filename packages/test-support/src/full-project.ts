import { makeField, makeFolder, makeInstanceField, makeProject, makeTestCase } from './factories.ts'
import type { TestServer } from './test-server.ts'

type MadeProject = Awaited<ReturnType<typeof makeProject>>

const options = [
  { key: 'blocker', label: 'Blocker' },
  { key: 'minor', label: 'Minor; really' },
]
const FIELDS = [
  { key: 'severity', name: 'Severity', type: 'select', options, default: 'minor' },
  { key: 'browsers', name: 'Browsers', type: 'multi_select', options: [...options, { key: 'edge', label: 'Edge' }] },
  { key: 'risk', name: 'Risk', type: 'number', min: 0, max: 10, decimals: 1 },
  { key: 'due', name: 'Due on', type: 'date' },
  { key: 'ready', name: 'Ready', type: 'checkbox', is_required: true },
  { key: 'notes', name: 'Notes', type: 'long_text', description: 'Anything' },
  { key: 'ticket', name: 'Ticket', type: 'url' },
  { key: 'reviewer', name: 'Reviewer', type: 'user' },
  { key: 'old', name: 'Old', type: 'text' },
] as const

/** Sends a request of the project’s admin, which must be accepted. */
export async function callAsAdmin(
  server: TestServer,
  project: MadeProject,
  method: string,
  path: string,
  body?: object,
) {
  const { token } = project.admin
  const response = await server.request<{ data: { id: string; code?: string } }>(
    method,
    `/v1/projects/${project.id}${path}`,
    { token, ...(body === undefined ? {} : { body }) },
  )
  if (response.status >= 300) throw new Error(`${method} ${path}: ${response.status} ${JSON.stringify(response.body)}`)
  return response.body.data
}

/** A project with a test case that has every value, and others that have few. */
export async function makeFullProject(server: TestServer): Promise<MadeProject> {
  const project = await makeProject(server)
  const ids = new Map<string, string>()
  for (const field of FIELDS) {
    const { options: list, ...rest } = { options: undefined, ...field }
    const body = { ...rest, ...(list === undefined ? {} : { options: [...list] }) }
    ids.set(field.key, (await makeField(server, project, body)).id)
  }
  const team = { key: 'org_team', name: 'Team', type: 'select', options } as const
  const shared = await makeInstanceField(server, { ...team, options: [...options] })
  await callAsAdmin(server, project, 'PUT', `/instance-fields/${shared.id}`, { is_used: true })
  const shop = await makeFolder(server, project, { name: 'Shop > a/b' })
  const cards = await makeFolder(server, project, { name: 'Cards', parent_id: shop.id })
  await makeFolder(server, project, { name: 'Empty' })
  await makeTestCase(server, project, { title: 'To be deleted', fields: { ready: false } })
  const full = await makeTestCase(server, project, {
    title: '=Pays  “by card”',
    folder_id: cards.id,
    priority: 'critical',
    type: 'end_to_end',
    precondition: '  Signed in\r\n\n| a | b |\n|---|---|\n| 1 | 2 |\n',
    steps: [
      { position: 1, action: ' 1. Open\n2. Look\n', expected: '' },
      { position: 2, action: 'Pay', expected: '=> **Paid**\n\n- a\n- b' },
    ],
    expected_result: "'-1",
    tags: ['smoke', 'a, b'],
    automation_keys: ['shop.pay', 'shop › pay'],
    estimate: 3661,
    owner_id: project.admin.id,
    fields: {
      severity: 'blocker',
      browsers: ['minor', 'edge'],
      risk: 2.5,
      due: '2026-11-21',
      ready: true,
      notes: '  indented\n\nlast',
      ticket: 'https://tracker.example/1',
      reviewer: project.admin.id,
      old: 'kept',
      org_team: 'minor',
    },
  })
  const second = await makeTestCase(server, project, { title: 'Second', folder_id: cards.id, fields: { ready: false } })
  await makeTestCase(server, project, { title: 'Prose', template: 'text', fields: { ready: false } })
  const gone = await makeTestCase(server, project, { title: 'Out of use', fields: { ready: false }, tags: ['smoke'] })
  await callAsAdmin(server, project, 'PATCH', `/test-cases/${gone.id}`, { archived: true })
  await callAsAdmin(server, project, 'DELETE', '/test-cases/WEB-1')
  const twin = await makeTestCase(server, project, { title: 'Twin', fields: { ready: false } })
  await callAsAdmin(server, project, 'POST', `/test-cases/${full.id}/merge`, { from_ids: [twin.id] })
  await callAsAdmin(server, project, 'POST', '/test-cases/move', {
    test_case_ids: [second.id],
    folder_id: cards.id,
    after: null,
  })
  await callAsAdmin(server, project, 'PUT', `/test-cases/${full.id}/aliases`, {
    aliases: [{ system: 'testrail', source: 'Shop', key: 'C17' }],
  })
  await callAsAdmin(server, project, 'POST', `/test-cases/${full.id}/links`, {
    url: 'https://tracker.example/REQ-1',
    kind: 'requirement',
  })
  await callAsAdmin(server, project, 'POST', `/fields/${ids.get('old') ?? ''}/retire`)
  return project
}
