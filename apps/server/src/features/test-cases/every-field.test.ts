import { testCaseFields } from '@caseward/contract/test-case-fields'
import type { ImportResult } from '@caseward/contract/test-case-imports'
import type { CreateTestCaseBody, TestCase } from '@caseward/contract/test-case-schemas'
import { makeField, makeFolder, makeProject, makeTestCase } from '@caseward/test-support/factories'
import { getErrorPaths } from '@caseward/test-support/send-request'
import { useSharedServer } from '@caseward/test-support/test-server'
import { makeMember } from '@caseward/test-support/users'
import { describe, expect, it } from 'vitest'

/*
 * Whatever way a value takes in or out, none may forget a field. A new field fails to compile here until it has values.
 */

const server = useSharedServer()

type Field = keyof typeof testCaseFields
const fields = Object.keys(testCaseFields) as Field[]

async function makeScenario() {
  const project = await makeProject(server)
  const { token } = project.admin
  const member = await makeMember(server, project.id, 'member')
  const folder = await makeFolder(server, project, { name: 'Checkout' })
  await makeField(server, project, { key: 'severity', type: 'select', options: [{ key: 'blocker', label: 'Blocker' }] })
  const root = `/v1/projects/${project.id}/test-cases`
  const send = async <T>(method: string, path: string, body?: object): Promise<T> => {
    const response = await server.request<{ data: T }>(method, `${root}${path}`, { token, ...(body && { body }) })
    expect([response.status, response.body]).toEqual([expect.toBeOneOf([200, 201]), expect.anything()])
    return response.body.data
  }
  /** A value of each field that a new test case does not have. */
  const values: { readonly [F in Field]: Exclude<CreateTestCaseBody[F], undefined> } = {
    title: 'Pays by card',
    folder_id: folder.id,
    priority: 'critical',
    type: 'smoke',
    template: 'text',
    precondition: 'A basket',
    steps: [{ action: 'Pay', expected: 'Paid' }],
    expected_result: 'An order',
    tags: ['payment'],
    automation_keys: ['checkout.pays'],
    owner_id: member.id,
    estimate: 90,
    fields: { severity: 'blocker' },
  }
  return { project, member, values, root, send, read: (id: string) => send<TestCase>('GET', `/${id}`) }
}

type Scenario = Awaited<ReturnType<typeof makeScenario>>

/** What the request set, as it is stored: steps have positions. */
const asStored = ({ values }: Scenario) => ({
  ...values,
  steps: values.steps.map((step, index) => ({ position: index + 1, ...step })),
})

describe('every field of a test case', () => {
  it('is stored when it is created, alone or with others', async () => {
    const scenario = await makeScenario()
    const { id } = await scenario.send<TestCase>('POST', '', scenario.values)
    expect(await scenario.read(id)).toMatchObject(asStored(scenario))
    const second = { ...scenario.values, automation_keys: ['another'] }
    await scenario.send('POST', '/bulk', { test_cases: [{ title: 'First' }, second] })
    expect(await scenario.read('WEB-3')).toMatchObject({ ...asStored(scenario), automation_keys: ['another'] })
  })

  it('is in lists as the contract says', async () => {
    const scenario = await makeScenario()
    await scenario.send('POST', '', scenario.values)
    await makeTestCase(server, scenario.project)
    const [[listed], [whole], rows] = await Promise.all([
      scenario.send<object[]>('GET', ''),
      scenario.send<object[]>('GET', '?fields=all'),
      scenario.send<object[]>('GET', '?fields=row&columns=severity'),
    ])
    const pick = (isIn: (field: Field) => boolean) => fields.filter(isIn).toSorted()
    const find = (item: object = {}) => pick((field) => field in item)
    expect(find(listed)).toEqual(pick((field) => testCaseFields[field].listed === 'always'))
    expect(whole).toMatchObject(asStored(scenario))
    expect(find(rows[0])).toEqual(pick((field) => 'inRows' in testCaseFields[field]))
    expect(whole).toMatchObject(rows[0] ?? {})
    const isAlwaysInRow = (field: Field) =>
      'inRows' in testCaseFields[field] && testCaseFields[field].inRows === 'always'
    expect(find(rows[1])).toEqual(pick(isAlwaysInRow))
  })

  it.each(fields)('%s changes alone, and an import names it', async (field) => {
    const scenario = await makeScenario()
    const { values, send, read } = scenario
    const { id } = await makeTestCase(server, scenario.project)
    const before = await read(id)
    const updated = await send<TestCase>('PATCH', `/${id}`, { [field]: values[field] })
    expect(updated[field]).toEqual(asStored(scenario)[field])
    const after = await read(id)
    const differs = (name: Field) => JSON.stringify(before[name]) !== JSON.stringify(after[name])
    expect(fields.filter(differs)).toEqual([field])

    await send('PATCH', `/${id}`, { [field]: field === 'fields' ? { severity: null } : before[field] })
    const [name, value, changedName = name] = toImported(field, scenario)
    const importField = () => send<ImportResult>('POST', '/import', { rows: [{ id, [name]: value }] })
    expect((await importField()).rows).toMatchObject([{ action: 'update', changed: [changedName] }])
    expect((await read(id))[field]).toEqual(asStored(scenario)[field])
    expect((await importField()).rows).toMatchObject([{ action: 'none', changed: [] }])
  })

  it('is set for many test cases, and restored, if the contract says so', async () => {
    const scenario = await makeScenario()
    const { id } = await makeTestCase(server, scenario.project)
    const before = await scenario.read(id)
    const settable = fields.filter(
      (field) => 'inBatches' in testCaseFields[field] && testCaseFields[field].inBatches !== 'items',
    )
    const set = Object.fromEntries(settable.map((field) => [field, scenario.values[field]]))
    const changed = await scenario.send<{ before: object[] }>('POST', '/bulk-update', { test_case_ids: [id], set })
    expect(await scenario.read(id)).toMatchObject(set)
    await scenario.send('POST', '/bulk-update', { restore: changed.before })
    const after = await scenario.read(id)
    const pick = (testCase: TestCase) => Object.fromEntries(settable.map((field) => [field, testCase[field]]))
    expect(pick(after)).toEqual(pick(before))
  })

  it('can be empty again, if it can be empty', async () => {
    const scenario = await makeScenario()
    const { id } = await scenario.send<TestCase>('POST', '', scenario.values)
    const { rows } = await scenario.send<ImportResult>('POST', '/import', {
      rows: [{ id, owner: null, estimate: null, fields: { severity: null } }],
    })
    expect(rows).toMatchObject([{ changed: ['owner', 'estimate', 'fields.severity'] }])
    const { fields: _, ...others } = asStored(scenario)
    const testCase = await scenario.read(id)
    expect(testCase).toMatchObject({ ...others, owner_id: null, estimate: null })
    expect(testCase).not.toHaveProperty('fields')
  })
})

/** How a row of an import has a value: names in place of ids. Custom fields are named one by one. */
function toImported(field: Field, { values, member }: Scenario): [name: string, value: unknown, changedName?: string] {
  if (field === 'folder_id') return ['folder_path', ['Checkout']]
  if (field === 'owner_id') return ['owner', member.email.toUpperCase()]
  if (field === 'fields') return [field, values[field], 'fields.severity']
  return [field, values[field]]
}

describe('the owner of a test case', () => {
  it('is an admin or member, in every request', async () => {
    const { project, root, member } = await makeScenario()
    const { token } = project.admin
    const viewer = await makeMember(server, project.id, 'viewer')
    await makeTestCase(server, project)
    const strangers = [viewer.id, 'nobody', '00000000-0000-7000-8000-000000000000']
    for (const owner_id of strangers) {
      const refuse = async (method: string, path: string, body: object) =>
        getErrorPaths(await server.expectProblem(400, method, `${root}${path}`, { token, body }))
      expect(await refuse('POST', '', { title: 'x', owner_id })).toEqual(['/owner_id'])
      const items = [
        { title: 'x', owner_id: member.id },
        { title: 'y', owner_id },
      ]
      expect(await refuse('POST', '/bulk', { test_cases: items })).toEqual(['/test_cases/1/owner_id'])
      expect(await refuse('PATCH', '/WEB-1', { owner_id })).toEqual(['/owner_id'])
      const ids = { test_case_ids: ['WEB-1'] }
      expect(await refuse('POST', '/bulk-update', { ...ids, set: { owner_id } })).toEqual(['/set/owner_id'])
      expect(await refuse('POST', '/bulk-update', { restore: [{ id: 'WEB-1', owner_id }] })).toEqual([
        '/restore/0/owner_id',
      ])
    }
  })

  it('is found by name in an import, unless several people have it', async () => {
    const { project, root, send, read } = await makeScenario()
    const { token } = project.admin
    const join = async (name: string, role: 'member' | 'viewer' = 'member') => {
      const { id } = await makeMember(server, project.id, role)
      await server.db.updateTable('users').set({ name }).where('id', '=', id).execute()
      return id
    }
    const ada = await join('Ada')
    await join('Bob')
    await join('bob')
    await join('Vi', 'viewer')
    await send('POST', '/import', { rows: [{ title: 'First', owner: ' ada ' }] })
    expect((await read('WEB-1')).owner_id).toBe(ada)
    const rows = [
      { title: 'a', owner: 'Bob' },
      { title: 'b', owner: 'Vi' },
      { title: 'c', owner: 'nobody@example.com' },
    ]
    const problem = await server.expectProblem(400, 'POST', `${root}/import`, { token, body: { rows } })
    expect(problem.errors).toMatchObject([
      { path: '/rows/0/owner', message: 'is the name of 2 people: use the email address' },
      { path: '/rows/1/owner', message: 'is not the email address or name of an admin or member of this project' },
      { path: '/rows/2/owner' },
    ])
  })

  it('and the estimate filter lists', async () => {
    const { project, values, member, send } = await makeScenario()
    await makeTestCase(server, project)
    await send('POST', '', values)
    await makeTestCase(server, project, { owner_id: project.admin.id })
    const list = async (query: string) => (await send<TestCase[]>('GET', `?${query}`)).map(({ id }) => id)
    for (const fieldsOf of ['', '&fields=row', '&fields=all&sort=tree']) {
      expect(await list(`owner_id=${member.id}${fieldsOf}`)).toEqual(['WEB-2'])
      expect((await list(`owner_id=none&owner_id=${project.admin.id}${fieldsOf}`)).toSorted()).toEqual([
        'WEB-1',
        'WEB-3',
      ])
      expect(await list(`owner_id=nobody${fieldsOf}`)).toEqual([])
      expect(await list(`estimate=any${fieldsOf}`)).toEqual(['WEB-2'])
      expect((await list(`estimate=none${fieldsOf}`)).toSorted()).toEqual(['WEB-1', 'WEB-3'])
    }
  })
})
