import type { ImportResult } from '@caseward/contract/test-case-imports'
import type { TestCase } from '@caseward/contract/test-case-schemas'
import { makeField, makeProject, makeTestCase } from '@caseward/test-support/factories'
import { useSharedServer } from '@caseward/test-support/test-server'
import { makeMember } from '@caseward/test-support/users'
import { sql } from 'kysely'
import { describe, expect, it } from 'vitest'

import { deletedFieldsJob } from '../fields/remove-deleted-values.ts'

const server = useSharedServer()

const options = ['chrome', 'firefox', 'safari'].map((key) => ({ key, label: key.toUpperCase() }))

async function makeScenario(keys: readonly string[] = Object.keys(definitions)) {
  const project = await makeProject(server)
  const { token } = project.admin
  const ids: Record<string, string> = {}
  for (const key of keys) ids[key] = (await makeField(server, project, { key, name: key, ...definitions[key] })).id
  const root = `/v1/projects/${project.id}`
  const send = <T = { data: TestCase }>(method: string, path: string, body?: object) =>
    server.request<T & { errors?: { path: string; message: string }[]; code?: string }>(method, `${root}${path}`, {
      token,
      ...(body && { body }),
    })
  const read = async (id: string) => (await send('GET', `/test-cases/${id}`)).body.data
  const set = (id: string, fields: object) => send('PATCH', `/test-cases/${id}`, { fields })
  return {
    project,
    ids,
    send,
    read,
    set,
    change: (key: string, body: object) => send('PATCH', `/fields/${ids[key]}`, body),
  }
}

const definitions: Record<string, Parameters<typeof makeField>[2]> = {
  line: { type: 'text' },
  notes: { type: 'long_text' },
  risk: { type: 'number', min: -1, max: 10, decimals: 1 },
  due: { type: 'date' },
  manual: { type: 'checkbox' },
  severity: { type: 'select', options },
  browsers: { type: 'multi_select', options },
  keeper: { type: 'user' },
  page: { type: 'url' },
}

/** Values that are not possible, and the code of the error. */
const invalidValues: [key: string, values: unknown[], code?: string][] = [
  ['line', ['two\nlines', ' ', 'x'.repeat(1001), 5, true, ['x']]],
  ['notes', ['', 'x'.repeat(65_537), 5]],
  ['risk', [-1.1, 10.1, 2.25, '5', 1e300, true]],
  ['due', ['2026-02-29', '26-01-01', '1899-12-31', '3000-01-01', '2026-01-01T00:00:00Z', 20260101]],
  ['manual', ['true', 0, 1]],
  ['severity', ['edge', 'Chrome', ''], 'unknown_option'],
  ['severity', [['chrome'], 1]],
  ['browsers', [['chrome', 'edge']], 'unknown_option'],
  ['browsers', ['chrome', 1]],
  ['keeper', ['nobody', '00000000-0000-7000-8000-000000000000', 5]],
  [
    'page',
    [
      'ftp://acme.test',
      'https://ada:secret@acme.test',
      'acme.test',
      'https://a b',
      `https://a.test/${'x'.repeat(2048)}`,
      5,
    ],
  ],
  ['unknown', ['x'], 'unknown_field'],
]

describe('custom fields of a test case', () => {
  it('take valid values of each type in every request, and none else', async () => {
    const { project, send, read } = await makeScenario()
    const { id: member } = await makeMember(server, project.id, 'member')
    const { id: viewer } = await makeMember(server, project.id, 'viewer')
    const values = {
      line: 'One line',
      notes: 'Two\nlines',
      risk: 7.5,
      due: '2028-02-29',
      manual: false,
      severity: 'firefox',
      browsers: ['chrome', 'safari'],
      keeper: member,
      page: 'https://acme.test/a?b=c',
    }
    const sent = { ...values, line: ' One line ', browsers: ['safari', 'chrome', 'safari'] }
    await makeTestCase(server, project)
    const requests: [path: string, method: string, url: string, (fields: object) => object, created: string | null][] =
      [
        ['/fields', 'POST', '/test-cases', (fields) => ({ title: 'x', fields }), 'WEB-2'],
        [
          '/test_cases/0/fields',
          'POST',
          '/test-cases/bulk',
          (fields) => ({ test_cases: [{ title: 'x', fields }] }),
          'WEB-3',
        ],
        ['/fields', 'PATCH', '/test-cases/WEB-1', (fields) => ({ fields }), 'WEB-1'],
        [
          '/set/fields',
          'POST',
          '/test-cases/bulk-update',
          (fields) => ({ test_case_ids: ['WEB-1'], set: { fields } }),
          'WEB-1',
        ],
        ['/rows/0/fields', 'POST', '/test-cases/import', (fields) => ({ rows: [{ id: 'WEB-1', fields }] }), 'WEB-1'],
        ['/rows/0/fields', 'POST', '/test-cases/import', (fields) => ({ rows: [{ title: 'x', fields }] }), 'WEB-4'],
        [
          '/restore/0/fields',
          'POST',
          '/test-cases/bulk-update',
          (fields) => ({ restore: [{ id: 'WEB-1', fields }] }),
          'WEB-1',
        ],
      ]
    for (const [path, method, url, toBody, id] of requests) {
      const answers = []
      for (const [key, wrong, code = 'invalid_field_value'] of [...invalidValues, ['keeper', [viewer]] as const]) {
        for (const value of wrong) {
          const { status, body } = await send(method, url, toBody({ [key]: value }))
          // What no value can be is an error of the body itself.
          const isNoValue = Array.isArray(value) ? false : String(value).length > 65_536
          answers.push([value, status, body.code, body.errors?.map((error) => error.path)])
          expect(answers.at(-1)).toEqual([value, 400, isNoValue ? 'invalid_request' : code, [`${path}/${key}`]])
        }
      }
      expect([url, (await send(method, url, toBody(sent))).status]).toEqual([url, expect.toBeOneOf([200, 201])])
      expect((await read(id ?? '')).fields).toEqual(values)
      // In the order of the fields.
      expect(Object.keys((await read(id ?? '')).fields ?? {})).toEqual(Object.keys(values))
      const cleared = Object.fromEntries(Object.keys(values).map((key) => [key, null]))
      await send('PATCH', `/test-cases/${id}`, { fields: cleared })
      expect(await read(id ?? '')).not.toHaveProperty('fields')
    }
  })

  it('change only where they are sent, also when two people change different ones at once', async () => {
    const { project, send, read, set } = await makeScenario(['risk', 'line', 'manual'])
    await makeTestCase(server, project, { fields: { line: 'first' } })
    const changed = await set('WEB-1', { risk: 1 })
    expect(changed.body.data).toMatchObject({ fields: { line: 'first', risk: 1 }, version: 2 })
    await Promise.all([set('WEB-1', { risk: 2 }), set('WEB-1', { line: null }), set('WEB-1', { manual: true })])
    expect(await read('WEB-1')).toMatchObject({ fields: { risk: 2, manual: true }, version: 5 })
    const conflict = await server.request('PATCH', `/v1/projects/${project.id}/test-cases/WEB-1`, {
      token: project.admin.token,
      headers: { 'if-match': '"4"' },
      body: { fields: { risk: 3 } },
    })
    expect(conflict).toMatchObject({ status: 412, body: { current: { fields: { risk: 2, manual: true } } } })
    expect((await send('PATCH', '/test-cases/WEB-1', { fields: {} })).body.data.version).toBe(5)
    expect((await set('WEB-1', { manual: false })).body.data.fields).toEqual({ risk: 2, manual: false })
  })

  it('get their defaults in new test cases, unless null is sent', async () => {
    const { project, send, read, change } = await makeScenario(['risk', 'browsers'])
    await change('risk', { default: 2.5 })
    await change('browsers', { default: ['safari', 'chrome'] })
    await makeTestCase(server, project)
    expect((await read('WEB-1')).fields).toEqual({ risk: 2.5, browsers: ['chrome', 'safari'] })
    await makeTestCase(server, project, { fields: { risk: null } } as object)
    expect((await read('WEB-2')).fields).toEqual({ browsers: ['chrome', 'safari'] })
    await send('POST', '/test-cases/import', { rows: [{ title: 'x', fields: { browsers: [] } }] })
    expect((await read('WEB-3')).fields).toEqual({ risk: 2.5 })
  })

  it('that are required must have a value in new test cases, and old ones can still be changed', async () => {
    const { project, send, read, change, set } = await makeScenario(['risk', 'line'])
    await makeTestCase(server, project)
    await change('risk', { is_required: true })
    const refused = { code: 'invalid_field_value', errors: [{ message: 'is required' }] }
    const bodies: [string, string, object][] = [
      ['/test-cases', '/fields/risk', { title: 'x' }],
      ['/test-cases', '/fields/risk', { title: 'x', fields: { risk: null } }],
      [
        '/test-cases/bulk',
        '/test_cases/1/fields/risk',
        { test_cases: [{ title: 'x', fields: { risk: 1 } }, { title: 'y' }] },
      ],
      ['/test-cases/import', '/rows/0/fields/risk', { rows: [{ title: 'x', fields: { line: 'x' } }] }],
    ]
    for (const [url, path, body] of bodies) {
      const response = await send('POST', url, body)
      expect(response.body).toMatchObject(refused)
      expect(response.body.errors?.map((error) => error.path)).toEqual([path])
    }
    expect((await send('PATCH', '/test-cases/WEB-1', { title: 'Renamed', fields: { line: 'x' } })).status).toBe(200)
    await set('WEB-1', { risk: 1 })
    expect((await set('WEB-1', { risk: null })).body).toMatchObject(refused)
    const bulk = { test_case_ids: ['WEB-1'], set: { fields: { risk: null } } }
    expect((await send('POST', '/test-cases/bulk-update', bulk)).body).toMatchObject(refused)
    expect((await read('WEB-1')).fields).toEqual({ risk: 1, line: 'x' })
    await change('risk', { default: 3 })
    expect((await send('POST', '/test-cases', { title: 'x' })).status).toBe(201)
    expect((await read('WEB-2')).fields).toEqual({ risk: 3 })
  })

  it('that are retired keep their values, and take no new ones', async () => {
    const { ids, project, send, read, set, change } = await makeScenario(['risk', 'browsers', 'line'])
    await makeTestCase(server, project, { fields: { risk: 1, browsers: ['chrome', 'safari'] } })
    await makeTestCase(server, project)
    await change('browsers', { options: options.map((option) => ({ ...option, is_retired: option.key === 'safari' })) })
    await change('risk', { is_required: true, default: 5 })
    await send('POST', `/fields/${ids['risk']}/retire`)
    expect((await read('WEB-1')).fields).toEqual({ browsers: ['chrome', 'safari'], risk: 1 })
    // A client sends back what it has read.
    expect((await set('WEB-1', { risk: 2, browsers: ['safari', 'firefox'] })).status).toBe(200)
    const refusals: [object, string][] = [
      [{ risk: 1 }, 'unknown_field'],
      [{ browsers: ['safari'] }, 'unknown_option'],
    ]
    for (const [fields, code] of refusals) {
      expect((await set('WEB-2', fields)).body.code).toBe(code)
      expect((await send('POST', '/test-cases', { title: 'x', fields })).body.code).toBe(code)
      const row = await send('POST', '/test-cases/import', { rows: [{ id: 'WEB-2', fields }] })
      expect(row.body.code).toBe(code)
    }
    const kept = { rows: [{ id: 'WEB-1', fields: { risk: 3, browsers: ['safari'] } }] }
    const imported = await send<{ data: ImportResult }>('POST', '/test-cases/import', kept)
    expect(imported.body.data.rows[0]?.changed).toEqual(['fields.browsers', 'fields.risk'])
    // No default, and not required.
    await makeTestCase(server, project)
    expect(await read('WEB-3')).not.toHaveProperty('fields')
    expect((await set('WEB-1', { risk: null })).body.data.fields).toEqual({ browsers: ['safari'] })
  })

  it('that are deleted are gone at once, and a job removes their values', async () => {
    const { ids, project, send, read } = await makeScenario(['risk', 'line'])
    await makeTestCase(server, project, { fields: { risk: 1, line: 'x' } })
    await makeTestCase(server, project, { fields: { risk: 1 } })
    await makeTestCase(server, project, { fields: { line: 'y' } })
    await send('POST', `/fields/${ids['risk']}/retire`)
    await send('DELETE', `/fields/${ids['risk']}`)
    await makeField(server, project, { key: 'risk' })
    expect((await read('WEB-1')).fields).toEqual({ line: 'x' })
    const selectStored = async () =>
      (await sql`select fields from test_cases where project_id = ${project.id} order by number`.execute(server.db))
        .rows
    expect(await selectStored()).toEqual([{ fields: { 1: 1, 2: 'x' } }, { fields: { 1: 1 } }, { fields: { 2: 'y' } }])
    await deletedFieldsJob.run(server.db, new AbortController().signal)
    expect(await selectStored()).toEqual([{ fields: { 2: 'x' } }, { fields: null }, { fields: { 2: 'y' } }])
    const left = await sql`select from deleted_fields where project_id = ${project.id}`.execute(server.db)
    expect(left.rows).toEqual([])
  })

  it('can become of another type, or be renamed, without a change of the test cases', async () => {
    const { project, read, set, change } = await makeScenario(['severity', 'line'])
    await makeTestCase(server, project, { fields: { severity: 'firefox', line: 'x' } })
    const before = await read('WEB-1')
    const selectRow = async () =>
      (await sql`select xmin::text, ctid::text from test_cases where project_id = ${project.id}`.execute(server.db))
        .rows
    const row = await selectRow()
    await change('severity', { type: 'multi_select' })
    await change('line', { type: 'long_text', name: 'Text' })
    await change('severity', {
      options: options.toReversed().map((option) => ({ ...option, label: `new ${option.key}` })),
    })
    expect(await read('WEB-1')).toEqual({ ...before, fields: { severity: ['firefox'], line: 'x' } })
    expect(await selectRow()).toEqual(row)
    await set('WEB-1', { severity: ['chrome', 'firefox'], line: 'a\nb' })
    expect((await read('WEB-1')).fields).toEqual({ severity: ['firefox', 'chrome'], line: 'a\nb' })
  })

  it('are current although another server has changed them', async () => {
    const { project, read, send } = await makeScenario(['risk'])
    await makeTestCase(server, project, { fields: { risk: 1 } })
    await read('WEB-1')
    // What another server does, of which this one hears nothing.
    const changeElsewhere = async (change: ReturnType<typeof sql>) => {
      await change.execute(server.db)
      await sql`update projects set fields_version = fields_version + 1 where id = ${project.id}`.execute(server.db)
    }
    await changeElsewhere(
      sql`update custom_fields set key = 'chance', default_value = '4' where project_id = ${project.id}`,
    )
    expect((await read('WEB-1')).fields).toEqual({ chance: 1 })
    await changeElsewhere(sql`update custom_fields set default_value = '5' where project_id = ${project.id}`)
    await makeTestCase(server, project)
    expect((await read('WEB-2')).fields).toEqual({ chance: 5 })
    await changeElsewhere(
      sql`update custom_fields set is_required = true, default_value = null where project_id = ${project.id}`,
    )
    expect((await send('POST', '/test-cases', { title: 'x' })).status).toBe(400)
    await changeElsewhere(sql`update custom_fields set is_required = false where project_id = ${project.id}`)
    expect((await send('POST', '/test-cases', { title: 'x' })).status).toBe(201)
  })
})
