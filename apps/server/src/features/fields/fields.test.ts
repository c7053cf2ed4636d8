import type { Field } from '@caseward/contract/fields'
import type { Problem } from '@caseward/contract/problem'
import { openEventStream } from '@caseward/test-support/event-stream'
import { makeField, makeProject } from '@caseward/test-support/factories'
import { useSharedServer } from '@caseward/test-support/test-server'
import { sql } from 'kysely'
import { describe, expect, it } from 'vitest'

const server = useSharedServer()

async function makeScenario() {
  const project = await makeProject(server)
  const { token } = project.admin
  const root = `/v1/projects/${project.id}/fields`
  const send = <T = { data: Field } & Problem>(method: string, path = '', body?: object) =>
    server.request<T>(method, `${root}${path}`, { token, ...(body && { body }) })
  const list = async (query = '') => (await send<{ data: Field[] }>('GET', query)).body.data
  const insertRetired = async (count: number) => {
    await sql`
      insert into custom_fields (id, project_id, subject, number, key, name, type, position, retired_at)
      select gen_random_uuid(), ${project.id}, 'case', 9000 + n, 'old_' || n, 'Old', 'number', 1, now()
      from generate_series(1, ${count}::int) n`.execute(server.db)
  }
  return { project, token, send, list, insertRetired }
}

const severity = {
  key: 'severity',
  name: 'Severity',
  type: 'select',
  options: [
    { key: 'blocker', label: 'Blocker' },
    { key: 'minor', label: 'Minor' },
  ],
}

describe('POST /v1/projects/:project_id/fields', () => {
  it('adds fields of results and runs, with keys, places and limits of their own', async () => {
    const { send, list } = await makeScenario()
    const risk = { key: 'risk', name: 'Risk', type: 'number' }
    expect((await send('POST', '', risk)).status).toBe(201)
    const ofResults = await send('POST', '', { ...risk, subject: 'result', required_on: ['failed', 'failed'] })
    expect(ofResults.body.data).toMatchObject({ subject: 'result', position: 1, required_on: ['failed'] })
    expect((await send('POST', '', { ...risk, subject: 'run', is_required: true, default: 2 })).status).toBe(201)
    expect((await send('POST', '', { ...risk, subject: 'run' })).body.code).toBe('key_taken')
    const misfits = { ...risk, key: 'status', subject: 'result', is_required: true, default: 1 }
    expect((await send('POST', '', misfits)).body.errors?.map(({ path }) => path)).toEqual([
      '/key',
      '/is_required',
      '/default',
    ])
    expect((await send('POST', '', { ...risk, key: 'b', required_on: ['failed'] })).body.errors).toMatchObject([
      { path: '/required_on' },
    ])
    for (let count = 2; count <= 30; count += 1) {
      expect((await send('POST', '', { ...risk, subject: 'result', key: `f_${count}` })).status).toBe(201)
    }
    expect((await send('POST', '', { ...risk, subject: 'result', key: 'last' })).body.code).toBe('too_many_fields')
    const path = `/${ofResults.body.data.id}`
    expect((await send('PATCH', path, { required_on: [], position: 30 })).body.data).toMatchObject({
      required_on: [],
      position: 30,
    })
    expect((await list()).map(({ subject }) => subject)).toEqual(['case'])
    expect((await list('?subject=result')).at(-1)).toMatchObject({ key: 'risk', subject: 'result' })
    expect((await list('?subject=run')).map(({ default: value }) => value)).toEqual([2])
  })

  it('adds fields of each type, which the list has in their order', async () => {
    const { send, list } = await makeScenario()
    const bodies = [
      { ...severity, is_required: true, default: 'minor', description: 'How bad it is' },
      {
        key: 'browsers',
        name: 'Browsers',
        type: 'multi_select',
        options: [{ key: 'chrome', label: 'Chrome' }],
        default: ['chrome'],
      },
      { key: 'risk', name: 'Risk', type: 'number', min: 0, max: 10, decimals: 1, default: 2.5 },
      ...['text', 'long_text', 'date', 'checkbox', 'user', 'url'].map((type) => ({
        key: `a_${type}`,
        name: type,
        type,
      })),
    ]
    for (const body of bodies) expect([body.key, (await send('POST', '', body)).status]).toEqual([body.key, 201])
    const fields = await list()
    expect(fields.map(({ key, position }) => [key, position])).toEqual(bodies.map(({ key }, index) => [key, index + 1]))
    expect(fields.slice(0, 3)).toMatchObject([
      {
        ...severity,
        subject: 'case',
        options: severity.options.map((option) => ({ ...option, is_retired: false })),
        is_required: true,
        default: 'minor',
        min: null,
        retired_at: null,
      },
      { default: ['chrome'] },
      { default: 2.5, min: 0, max: 10, decimals: 1, options: null },
    ])
  })

  it.each<[string, object, string]>([
    ['a key with capitals', { key: 'Severity' }, '/key'],
    ['a key that a test case has', { key: 'priority' }, '/key'],
    ['a key that the list of test cases derives', { key: 'version' }, '/key'],
    ['a key of the whole instance', { key: 'org_risk' }, '/key'],
    ['no options', { options: [] }, '/options'],
    ['options of a number', { type: 'number', options: severity.options }, '/options'],
    ['two options with one key', { options: [...severity.options, { key: 'minor', label: 'x' }] }, '/options/2/key'],
    [
      'two options with one label',
      { options: [...severity.options, { key: 'x', label: 'MINOR' }] },
      '/options/2/label',
    ],
    ['limits of a select', { min: 1 }, '/min'],
    ['limits that exclude each other', { type: 'number', options: undefined, min: 2, max: 1 }, '/max'],
    ['a default that is no option', { default: 'major' }, '/default'],
    ['a default beyond the limits', { type: 'number', options: undefined, max: 1, default: 2 }, '/default'],
    ['a default that is retired', { options: [{ key: 'a', label: 'A', is_retired: true }], default: 'a' }, '/default'],
    ['a default user', { type: 'user', options: undefined, default: 'x' }, '/default'],
    ['an unknown type', { type: 'color', options: undefined }, '/type'],
  ])('returns 400 for %s', async (_, change, path) => {
    const { send, list } = await makeScenario()
    const { status, body } = await send('POST', '', { ...severity, ...change })
    expect([status, body.errors?.map((error) => error.path)]).toEqual([400, [path]])
    expect(await list()).toEqual([])
  })

  it('returns 409 for a key in use, also that of a retired field, and when two admins add it at once', async () => {
    const { send } = await makeScenario()
    const responses = await Promise.all([1, 2, 3].map(() => send('POST', '', severity)))
    expect(responses.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([201, 409, 409])
    const id = responses.find(({ status }) => status === 201)?.body.data.id
    await send('POST', `/${id}/retire`)
    expect((await send('POST', '', severity)).body).toMatchObject({ status: 409, code: 'key_taken' })
  })

  it('returns 422 beyond 30 fields in use, 5 long texts in use, and 200 in all', async () => {
    const { project, send, insertRetired } = await makeScenario()
    for (let n = 1; n <= 5; n += 1) await makeField(server, project, { key: `long_${n}`, type: 'long_text' })
    const refused = { status: 422, code: 'too_many_fields' }
    expect((await send('POST', '', { key: 'long_6', name: 'x', type: 'long_text' })).body).toMatchObject(refused)
    const text = await makeField(server, project, { key: 'line', type: 'text' })
    expect((await send('PATCH', `/${text.id}`, { type: 'long_text' })).body).toMatchObject(refused)
    for (let n = 7; n <= 30; n += 1) await makeField(server, project, { key: `risk_${n}` })
    expect((await send('POST', '', severity)).body).toMatchObject(refused)
    await send('POST', `/${text.id}/retire`)
    const added = await send('POST', '', severity)
    expect(added.status).toBe(201)
    expect((await send('POST', `/${text.id}/restore`)).body).toMatchObject(refused)
    await insertRetired(200 - 31)
    await send('POST', `/${added.body.data.id}/retire`)
    expect((await send('POST', '', { ...severity, key: 'other' })).body).toMatchObject(refused)
  })
})

describe('PATCH /v1/projects/:project_id/fields/:field_id', () => {
  it('renames and reorders fields and options, and adds and retires options', async () => {
    const { project, send, list } = await makeScenario()
    const { id } = await makeField(server, project, severity as object)
    await makeField(server, project, { key: 'risk' })
    const last = await makeField(server, project, { key: 'effort', name: 'Effort' })
    expect((await send('PATCH', `/${last.id}`, { position: 1, name: 'Work' })).body.data).toMatchObject({
      name: 'Work',
      position: 1,
    })
    expect((await list()).map(({ key, position }) => [key, position])).toEqual([
      ['effort', 1],
      ['severity', 2],
      ['risk', 3],
    ])
    const options = [
      { key: 'major', label: 'Major' },
      { key: 'minor', label: 'Small', is_retired: true },
      { key: 'blocker', label: 'Blocker' },
    ]
    const { body } = await send('PATCH', `/${id}`, { options })
    expect(body.data.options).toEqual(options.map((option) => ({ is_retired: false, ...option })))
    const { rows } = await sql<{ options: object[] }>`select options from custom_fields where id = ${id}`.execute(
      server.db,
    )
    expect(rows[0]?.options).toMatchObject([
      { key: 'major', number: 3 },
      { key: 'minor', number: 2 },
      { key: 'blocker', number: 1 },
    ])
    // What another admin added meanwhile is not lost.
    expect((await send('PATCH', `/${id}`, { options: options.slice(0, 2) })).body).toMatchObject({
      status: 400,
      errors: [{ path: '/options', message: expect.stringContaining('blocker') }],
    })
  })

  it('lets text become long_text, and select become multi_select, and no other type change', async () => {
    const { project, send } = await makeScenario()
    const text = await makeField(server, project, { key: 'line', type: 'text' })
    expect((await send('PATCH', `/${text.id}`, { type: 'long_text' })).body.data.type).toBe('long_text')
    const { id } = await makeField(server, project, severity as object)
    expect((await send('PATCH', `/${id}`, { type: 'multi_select', default: ['minor'] })).body.data).toMatchObject({
      type: 'multi_select',
      default: ['minor'],
    })
    for (const type of ['select', 'text']) {
      expect((await send('PATCH', `/${id}`, { type })).body).toMatchObject({ status: 400, errors: [{ path: '/type' }] })
    }
    const retired = [
      { key: 'blocker', label: 'Blocker' },
      { key: 'minor', label: 'Minor', is_retired: true },
    ]
    expect((await send('PATCH', `/${id}`, { options: retired })).body).toMatchObject({
      status: 400,
      errors: [{ path: '/options', message: expect.stringContaining('default') }],
    })
    expect((await send('PATCH', `/${id}`, { options: retired, default: null })).status).toBe(200)
  })

  it('returns 404 for an unknown field, and changes nothing without a change', async () => {
    const { project, send } = await makeScenario()
    const { id } = await makeField(server, project)
    const readVersion = async () => {
      const row = await server.db
        .selectFrom('projects')
        .select('fields_version')
        .where('id', '=', project.id)
        .executeTakeFirst()
      return row?.fields_version
    }
    expect(await readVersion()).toBe(1)
    expect((await send('PATCH', `/${id}`, { name: 'Risk', position: 1 })).status).toBe(200)
    expect(await readVersion()).toBe(1)
    for (const unknown of ['x', '019aa5b4-6f3e-7c11-9a52-0f6f3d1c8e77']) {
      expect((await send('PATCH', `/${unknown}`, { name: 'Risk' })).status).toBe(404)
    }
  })
})

describe('a retired field', () => {
  it('is listed last, comes back after the others, and alone can be deleted', async () => {
    const { project, send, list } = await makeScenario()
    const { id } = await makeField(server, project)
    const other = await makeField(server, project, { key: 'effort' })
    expect((await send('DELETE', `/${id}`)).body).toMatchObject({ status: 409, code: 'field_in_use' })
    expect((await send('POST', `/${id}/retire`)).body.data.retired_at).toEqual(expect.any(String))
    const keys = async (query = '') => (await list(query)).map(({ key }) => key)
    expect(await keys()).toEqual(['effort', 'risk'])
    expect(await keys('?retired=false')).toEqual(['effort'])
    expect(await keys('?retired=true')).toEqual(['risk'])
    expect((await send('POST', `/${id}/restore`)).body.data).toMatchObject({ position: 2, retired_at: null })
    await send('POST', `/${other.id}/retire`)
    expect((await send('DELETE', `/${other.id}`)).status).toBe(204)
    expect(await keys()).toEqual(['risk'])
    // The number of a deleted field is never given again.
    await makeField(server, project, { key: 'effort' })
    const { rows } = await sql`select number from custom_fields where project_id = ${project.id} order by 1`.execute(
      server.db,
    )
    expect(rows).toEqual([{ number: 1 }, { number: 3 }])
  })

  it('and every other change is in the audit log, and event streams of the project report it', async () => {
    const { project, token, send } = await makeScenario()
    const stream = await openEventStream(server.url, `/v1/projects/${project.id}/events`, { token })
    await stream.next('sync')
    const { id } = await makeField(server, project)
    expect((await stream.next('fields')).data).toEqual({})
    await send('PATCH', `/${id}`, { name: 'Chance', max: 5 })
    await send('POST', `/${id}/retire`)
    await send('POST', `/${id}/restore`)
    await send('POST', `/${id}/retire`)
    await send('DELETE', `/${id}`)
    expect((await stream.next('fields')).data).toEqual({})
    const log = await server.request<{ data: { action: string; subject: object; detail: object }[] }>(
      'GET',
      `/v1/projects/${project.id}/audit-log`,
      { token },
    )
    const entries = log.body.data.filter(({ action }) => action.startsWith('field.'))
    expect(entries.map(({ action }) => action.split('.')[1]).toReversed()).toEqual([
      'create',
      'update',
      'retire',
      'restore',
      'retire',
      'delete',
    ])
    expect(entries[4]).toMatchObject({
      subject: { kind: 'field', id, name: 'Chance' },
      detail: { changed: ['name', 'max'] },
    })
  })
})
