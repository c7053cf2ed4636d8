import type { Field } from '@caseward/contract/fields'
import type { Problem } from '@caseward/contract/problem'
import type { TestCase } from '@caseward/contract/test-case-schemas'
import { makeField, makeProject, makeTestCases } from '@caseward/test-support/factories'
import { useSharedServer } from '@caseward/test-support/test-server'
import { makeMember } from '@caseward/test-support/users'
import { describe, expect, it } from 'vitest'

const server = useSharedServer()

const options = [
  { key: 'chrome', label: 'Chrome' },
  { key: 'safari', label: 'Safari on iOS' },
]

interface Response extends Problem {
  data: { created: number; updated: number; options_created?: unknown[] }
}

async function makeScenario() {
  const project = await makeProject(server)
  const { token } = project.admin
  await makeField(server, project, { key: 'browsers', name: 'Browsers', type: 'multi_select', options })
  await makeField(server, project, { key: 'severity', name: 'Severity', type: 'select', options })
  const root = `/v1/projects/${project.id}`
  const post = async (path: string, body: unknown, as = token) =>
    (await server.request<Response>('POST', `${root}/test-cases/${path}`, { token: as, body })).body
  const readOptions = async () => {
    const { body } = await server.request<{ data: Field[] }>('GET', `${root}/fields`, { token })
    return Object.fromEntries(body.data.map((field) => [field.key, field.options?.map(({ key }) => key)]))
  }
  const readValues = async () => {
    const { body } = await server.request<{ data: TestCase[] }>('GET', `${root}/test-cases?fields=all`, { token })
    return body.data.map(({ fields }) => fields)
  }
  return { project, token, root, post, readOptions, readValues }
}

describe('create_options', () => {
  it('adds options that an import names, once each, and finds those that exist by key and label', async () => {
    const { post, readOptions, readValues, root, token } = await makeScenario()
    const rows = [
      { title: 'One', fields: { browsers: ['chrome', 'safari on ios', 'Firefox (alt)'], severity: 'Grün!' } },
      { title: 'Two', fields: { browsers: ['firefox (ALT)', 'Firefox alt'] } },
    ]
    const created = [
      { field: 'browsers', key: 'firefox_alt', label: 'Firefox (alt)' },
      { field: 'severity', key: 'grun', label: 'Grün!' },
      { field: 'browsers', key: 'firefox_alt_2', label: 'Firefox alt' },
    ]
    expect((await post('import?dry_run=true', { rows, create_options: true })).data).toMatchObject({
      created: 2,
      options_created: created,
    })
    expect(await readOptions()).toEqual({ browsers: ['chrome', 'safari'], severity: ['chrome', 'safari'] })
    expect((await post('import', { rows })).code).toBe('unknown_option')
    expect((await post('import', { rows, create_options: true })).data.options_created).toEqual(created)
    expect(await readOptions()).toEqual({
      browsers: ['chrome', 'safari', 'firefox_alt', 'firefox_alt_2'],
      severity: ['chrome', 'safari', 'grun'],
    })
    expect(await readValues()).toEqual([
      { browsers: ['chrome', 'safari', 'firefox_alt'], severity: 'grun' },
      { browsers: ['firefox_alt', 'firefox_alt_2'] },
    ])
    expect((await post('import', { rows, create_options: true })).data.options_created).toEqual([])
    const { body } = await server.request<{ data: { action: string }[] }>('GET', `${root}/audit-log`, { token })
    expect(body.data.filter(({ action }) => action === 'field.update')).toHaveLength(2)
  })

  it('adds options that a bulk update sets and adds, and none when it is refused', async () => {
    const { project, post, readOptions, readValues } = await makeScenario()
    const ids = await makeTestCases(server, project, 2)
    const body = {
      test_case_ids: ids,
      set: { fields: { severity: 'Blocker' } },
      add_options: { browsers: ['Opera', 'Chrome'] },
      create_options: true,
    }
    const unknown = await post('bulk-update', { ...body, test_case_ids: ['WEB-99'] })
    expect(unknown.status).toBe(400)
    expect(await readOptions()).toEqual({ browsers: ['chrome', 'safari'], severity: ['chrome', 'safari'] })
    expect((await post('bulk-update', body)).data).toMatchObject({
      updated: 2,
      options_created: [
        { field: 'severity', key: 'blocker', label: 'Blocker' },
        { field: 'browsers', key: 'opera', label: 'Opera' },
      ],
    })
    const expected = { severity: 'blocker', browsers: ['chrome', 'opera'] }
    expect(await readValues()).toEqual([expected, expected])
    expect((await post('bulk-update', { restore: [{ id: 'WEB-1' }], create_options: true })).errors).toMatchObject([
      { path: '/restore' },
    ])
  })

  it('is refused to members, and for more than 200 options and what cannot be a label', async () => {
    const { project, post, readOptions } = await makeScenario()
    const member = await makeMember(server, project.id, 'member')
    const rows = [{ title: 'One', fields: { severity: 'Chrome' } }]
    expect(await post('import', { rows, create_options: true }, member.token)).toMatchObject({
      status: 403,
      code: 'role_required',
    })
    const many = Array.from({ length: 199 }, (_, index) => ({ title: 'One', fields: { severity: `Option ${index}` } }))
    expect(await post('import', { rows: many, create_options: true })).toMatchObject({
      status: 400,
      errors: [{ path: '/create_options' }],
    })
    for (const severity of ['x'.repeat(101), ' ', 'a\nb']) {
      const problem = await post('import', { rows: [{ title: 'One', fields: { severity } }], create_options: true })
      expect([severity, problem.errors]).toMatchObject([severity, [{ path: '/rows/0/fields/severity' }]])
    }
    expect((await readOptions())['severity']).toEqual(['chrome', 'safari'])
  })
})

describe('values of a test case', () => {
  it('take at most 64 KB in all, by every way in, without long texts', async () => {
    const project = await makeProject(server)
    const { token } = project.admin
    const root = `/v1/projects/${project.id}/test-cases`
    const keys = Array.from({ length: 24 }, (_, index) => `text${index}`)
    for (const key of keys) await makeField(server, project, { key, name: key, type: 'text' })
    await makeField(server, project, { key: 'story', name: 'Story', type: 'long_text' })
    const fill = (from: number, to: number) =>
      Object.fromEntries(keys.slice(from, to).map((key) => [key, '界'.repeat(1000)]))
    const send = async (method: 'POST' | 'PATCH', path: string, body: unknown) => {
      const response = await server.request<Problem>(method, `${root}${path}`, { token, body })
      return response.status < 300
        ? response.status
        : response.body.errors?.map(({ path: at, message }) => [at, message])
    }
    const refused = (path: string) => [[path, expect.stringContaining('more than 64 KB')]]
    expect(await send('POST', '', { title: 'One', fields: fill(0, 24) })).toEqual(refused('/fields'))
    // 21 times 3,002 bytes, and a long text.
    expect(await send('POST', '', { title: 'One', fields: { ...fill(0, 21), story: 'x'.repeat(60_000) } })).toBe(201)
    expect(await send('POST', '', { title: 'Two' })).toBe(201)
    expect(await send('PATCH', '/WEB-1', { fields: fill(21, 22) })).toEqual(refused('/fields'))
    expect(await send('PATCH', '/WEB-1', { fields: { ...fill(21, 22), text0: null } })).toBe(200)
    const set = { fields: fill(22, 23) }
    expect(await send('POST', '/bulk-update', { test_case_ids: ['WEB-2', 'WEB-1'], set })).toEqual(
      refused('/test_case_ids/1'),
    )
    expect(await send('POST', '/import', { rows: [{ id: 'WEB-2' }, { id: 'WEB-1', ...set }] })).toEqual(
      refused('/rows/1/fields'),
    )
    expect(await send('POST', '/import', { rows: [{ title: 'Three', fields: fill(0, 23) }] })).toEqual(
      refused('/rows/0/fields'),
    )
    expect(await send('POST', '/bulk-update', { restore: [{ id: 'WEB-1', ...set }] })).toEqual(
      refused('/restore/0/fields'),
    )
  })
})
