import type { Field } from '@caseward/contract/fields'
import type { InstanceField, OfferedField } from '@caseward/contract/instance-fields'
import type { Problem } from '@caseward/contract/problem'
import type { TestCase } from '@caseward/contract/test-case-schemas'
import { openEventStream } from '@caseward/test-support/event-stream'
import { makeField, makeProject, makeTestCase } from '@caseward/test-support/factories'
import { useTestServer } from '@caseward/test-support/test-server'
import { makeInstanceAdmin } from '@caseward/test-support/users'
import { sql } from 'kysely'
import { beforeEach, describe, expect, it } from 'vitest'

import { deletedFieldsJob } from './remove-deleted-values.ts'

const server = useTestServer()

beforeEach(async () => {
  await sql`delete from custom_fields where project_id is null`.execute(server.db)
})

const severity = {
  key: 'org_severity',
  name: 'Severity',
  type: 'select',
  options: [
    { key: 'blocker', label: 'Blocker' },
    { key: 'minor', label: 'Minor' },
  ],
}

async function makeInstance() {
  const { token } = await makeInstanceAdmin(server)
  const send = <T = { data: InstanceField } & Problem>(method: string, path = '', body?: object) =>
    server.request<T>(method, `/v1/admin/fields${path}`, { token, ...(body && { body }) })
  const create = async (body: object = severity) => (await send('POST', '', body)).body.data
  const list = async (query = '') => (await send<{ data: InstanceField[] }>('GET', query)).body.data
  return { token, send, create, list }
}

async function makeUsingProject() {
  const project = await makeProject(server)
  const { token } = project.admin
  const root = `/v1/projects/${project.id}`
  const set = <T = { data: OfferedField } & Problem>(id: string, body: object = { is_used: true }) =>
    server.request<T>('PUT', `${root}/instance-fields/${id}`, { token, body })
  const get = async <T>(path: string) =>
    (await server.request<{ data: T }>('GET', `${root}${path}`, { token })).body.data
  const fields = () => get<Field[]>('/fields')
  const setCase = async (id: string, values: object) =>
    await server.request<{ data: TestCase } & Problem>('PATCH', `${root}/test-cases/${id}`, {
      token,
      body: { fields: values },
    })
  return { project, token, root, set, get, fields, setCase }
}

describe('fields of the instance', () => {
  it('are the same in two projects, each of which orders them and decides whether they are required', async () => {
    const { send, create, list } = await makeInstance()
    const field = await create()
    expect(field).toMatchObject({ ...severity, options: [{ label: 'Blocker' }, { label: 'Minor' }], scope: 'instance' })
    const one = await makeUsingProject()
    const other = await makeUsingProject()
    await makeField(server, one.project)
    expect(await one.get<OfferedField[]>('/instance-fields')).toMatchObject([{ key: 'org_severity', is_used: false }])
    expect((await one.set(field.id)).body.data).toMatchObject({ position: 2, is_used: true, is_required: false })
    expect((await one.set(field.id, { is_used: true, is_required: true, position: 1 })).body.data.position).toBe(1)
    expect((await other.set(field.id)).status).toBe(200)
    expect((await one.fields()).map(({ key, is_required: isRequired }) => [key, isRequired])).toEqual([
      ['org_severity', true],
      ['risk', false],
    ])
    expect(await other.fields()).toMatchObject([{ key: 'org_severity', is_required: false, scope: 'instance' }])
    expect(await list()).toMatchObject([{ project_count: 2 }])

    // Values of both kinds stand beside each other, and are found.
    const { id } = await makeTestCase(server, one.project, { fields: { org_severity: 'minor', risk: 3 } })
    await makeTestCase(server, other.project, { fields: { org_severity: 'blocker' } })
    const missing = await server.request<Problem>('POST', `${one.root}/test-cases`, {
      token: one.token,
      body: { title: 'Without', fields: { risk: 1 } },
    })
    expect(missing.body.errors).toMatchObject([{ path: '/fields/org_severity' }])
    expect(await one.get('/test-cases?field.org_severity=minor')).toMatchObject([{ id }])

    // A new label is one row, and true everywhere at once.
    const options = [{ key: 'blocker', label: 'Stops us' }, severity.options[1]]
    expect((await send('PATCH', `/${field.id}`, { options, name: 'How bad' })).body.data.project_count).toBe(2)
    for (const { fields } of [one, other]) {
      expect(await fields()).toContainEqual(
        expect.objectContaining({
          name: 'How bad',
          options: [expect.objectContaining({ label: 'Stops us' }), expect.anything()],
        }),
      )
    }
    expect((await one.setCase(id, { org_severity: 'none' })).status).toBe(400)
    expect((await one.setCase(id, { org_severity: 'blocker' })).body.data.fields).toEqual({
      org_severity: 'blocker',
      risk: 3,
    })
  })

  it('keep their values when they are switched off, retired and restored, and lose them when they are deleted', async () => {
    const { send, create } = await makeInstance()
    const field = await create({ key: 'org_cost', name: 'Cost', type: 'number' })
    const one = await makeUsingProject()
    const other = await makeUsingProject()
    for (const { set } of [one, other]) await set(field.id)
    const { id } = await makeTestCase(server, one.project, { fields: { org_cost: 2 } })
    const read = async () => (await one.get<TestCase>(`/test-cases/${id}`)).fields ?? {}

    expect((await one.set(field.id, { is_used: false })).body.data).toMatchObject({ is_used: false })
    expect((await one.fields())[0]?.retired_at).not.toBeNull()
    expect((await other.fields())[0]?.retired_at).toBeNull()
    expect(await read()).toEqual({ org_cost: 2 })
    await one.set(field.id)
    expect((await one.setCase(id, { org_cost: 3 })).status).toBe(200)

    expect((await send('DELETE', `/${field.id}`)).body.code).toBe('field_in_use')
    expect((await send('POST', `/${field.id}/retire`)).body.data.retired_at).not.toBeNull()
    expect((await other.fields())[0]?.retired_at).not.toBeNull()
    expect((await other.set(field.id, { is_used: false })).status).toBe(200)
    expect((await other.set(field.id)).body.code).toBe('field_retired')
    await send('POST', `/${field.id}/restore`)
    expect((await one.fields())[0]?.retired_at).toBeNull()
    // It stays switched off where it was.
    expect((await other.fields())[0]?.retired_at).not.toBeNull()

    await send('POST', `/${field.id}/retire`)
    expect((await send('DELETE', `/${field.id}`)).status).toBe(204)
    expect(await one.fields()).toEqual([])
    expect(await read()).toEqual({})
    await deletedFieldsJob.run(server.db, AbortSignal.timeout(60_000))
    const { rows } = await sql<{ fields: object | null }>`
      select fields from test_cases where project_id = ${one.project.id}`.execute(server.db)
    expect(rows).toEqual([{ fields: null }])
    // Its number is never given again.
    const next = await create({ key: 'org_cost', name: 'Cost', type: 'number' })
    await one.set(next.id)
    expect(await read()).toEqual({})
  })

  it('have keys of their own, and are changed only by administrators of the instance', async () => {
    const { send, create } = await makeInstance()
    expect((await send('POST', '', { ...severity, key: 'severity' })).body.errors).toMatchObject([{ path: '/key' }])
    const field = await create()
    expect((await send('POST', '', severity)).body.code).toBe('key_taken')
    const { set, root, token, project } = await makeUsingProject()
    await set(field.id)
    for (const [method, path] of [
      ['PATCH', ''],
      ['POST', '/retire'],
      ['POST', '/restore'],
      ['DELETE', ''],
    ] as const) {
      const response = await server.request<Problem>(method, `${root}/fields/${field.id}${path}`, {
        token,
        ...(method === 'PATCH' && { body: { name: 'Ours' } }),
      })
      expect([method, path, response.body.code]).toEqual([method, path, 'instance_field'])
    }
    expect((await set(field.id, { is_used: true, required_on: ['failed'] })).body.errors).toMatchObject([
      { path: '/required_on' },
    ])
    expect((await set('019aa5b6-3c41-7a4c-8f5e-2f0f8c3f5a02')).status).toBe(404)
    const audit = await server.request<{ data: { action: string; project: { id: string } | null }[] }>(
      'GET',
      `/v1/projects/${project.id}/audit-log`,
      { token },
    )
    expect(audit.body.data[0]).toMatchObject({ action: 'field.restore', project: { id: project.id } })
  })

  it('come to a project only while it has room, and are not brought back where there is none', async () => {
    const { send, create } = await makeInstance()
    const field = await create()
    const one = await makeUsingProject()
    await one.set(field.id)
    await send('POST', `/${field.id}/retire`)
    for (let count = 1; count <= 30; count += 1) await makeField(server, one.project, { key: `f_${count}` })
    const refused = await send('POST', `/${field.id}/restore`)
    expect(refused.body).toMatchObject({ code: 'too_many_fields', detail: expect.stringContaining('30 fields') })
    await one.set(field.id, { is_used: false })
    expect((await send('POST', `/${field.id}/restore`)).status).toBe(200)
    expect((await one.set(field.id)).body.code).toBe('too_many_fields')

    const long = { type: 'long_text', name: 'Long' }
    const text = await create({ key: 'org_text', name: 'Text', type: 'text' })
    const other = await makeUsingProject()
    await other.set(text.id)
    for (let count = 1; count <= 5; count += 1)
      await makeField(server, other.project, { ...long, key: `l_${count}`, type: 'long_text' })
    expect((await send('PATCH', `/${text.id}`, { type: 'long_text' })).body.code).toBe('too_many_fields')
  })

  it('are announced in the projects that have them', async () => {
    const { send, create } = await makeInstance()
    const field = await create()
    const { set, project, token } = await makeUsingProject()
    await set(field.id)
    const stream = await openEventStream(server.url, `/v1/projects/${project.id}/events`, { token })
    await stream.next('sync')
    await send('PATCH', `/${field.id}`, { name: 'Changed' })
    await stream.next('fields')
    await set(field.id, { is_used: false })
    await stream.next('fields')
    stream.close()
    expect((await send('GET')).status).toBe(200)
  })
})
