import type { Problem } from '@caseward/contract/problem'
import type { ResultChange } from '@caseward/contract/result-changes'
import type { ResultDetail, ResultRow } from '@caseward/contract/result-rows'
import type { TestResult } from '@caseward/contract/results'
import type { Run } from '@caseward/contract/run-schemas'
import type { MissingFieldsProblem } from '@caseward/contract/runs'
import {
  makeCiToken,
  makeConfigurations,
  makeField,
  makeProject,
  makeRun,
  makeTestCases,
} from '@caseward/test-support/factories'
import { useSharedServer } from '@caseward/test-support/test-server'
import { makeMember } from '@caseward/test-support/users'
import { describe, expect, it } from 'vitest'

import { deletedFieldsJob } from '../fields/remove-deleted-values.ts'

const server = useSharedServer()

const severity = {
  subject: 'result',
  key: 'severity',
  name: 'Severity',
  type: 'select',
  options: [
    { key: 'blocker', label: 'Blocker' },
    { key: 'minor', label: 'Minor' },
  ],
} as const

async function makeScenario(fields: { configurations?: object } = {}) {
  const project = await makeProject(server)
  await makeTestCases(server, project, 3)
  const severityField = await makeField(server, project, {
    ...severity,
    options: [...severity.options],
    required_on: ['failed', 'blocked'],
  })
  await makeField(server, project, { subject: 'result', key: 'risk', name: 'Risk', max: 10 })
  await makeField(server, project, { subject: 'run', key: 'build', name: 'Build', type: 'text' })
  const { token } = project.admin
  const { configurations } = fields
  const run = await makeRun(server, project, configurations === undefined ? {} : { configurations })
  const url = `/v1/runs/${run.id}`
  const send = async <T = { data: TestResult } & Problem>(method: string, path: string, body?: object, by = token) =>
    await server.request<T>(method, `${url}${path}`, { token: by, ...(body && { body }) })
  return {
    project,
    run,
    token,
    severityField,
    send,
    set: async (id: string, body: object) => (await send('PATCH', `/results/${id}`, body)).body.data,
    get: async (id: string) => (await send<{ data: ResultDetail }>('GET', `/results/${id}`)).body.data,
    list: async (query: string) => (await send<{ data: TestResult[] }>('GET', `/results?${query}`)).body.data,
    rows: async () => (await send<{ data: ResultRow[] }>('GET', '/results?fields=row')).body.data,
    changes: async (id: string) => (await send<{ data: ResultChange[] }>('GET', `/results/${id}/changes`)).body.data,
  }
}

describe('custom fields of results', () => {
  it('are set by hand in every way, only those that are sent, and are read back by their keys', async () => {
    const { send, set, get, list } = await makeScenario()
    const put = await send('PUT', '/results/WEB-1', { status: 'failed', fields: { severity: 'minor', risk: 3.5 } })
    expect(put.body.data).toMatchObject({ status: 'failed', fields: { severity: 'minor', risk: 3.5 } })
    expect((await set('WEB-1', { fields: { risk: null } })).fields).toEqual({ severity: 'minor' })
    const bulk = await send('POST', '/results/bulk', {
      results: [
        { test_case_id: 'WEB-1', status: 'failed', fields: { risk: 7 } },
        { test_case_id: 'WEB-2', status: 'passed' },
        { test_case_id: 'WEB-9', status: 'passed', fields: { risk: 1 } },
      ],
    })
    expect([bulk.status, bulk.body]).toMatchObject([207, {}])
    expect((await get('WEB-1')).fields).toEqual({ severity: 'minor', risk: 7 })
    expect(await get('WEB-2')).not.toHaveProperty('fields')
    const all = await list('fields=all')
    expect(all.map(({ fields }) => fields)).toEqual([{ severity: 'minor', risk: 7 }, undefined, undefined])
    expect((await list('per_page=1'))[0]).not.toHaveProperty('fields')
    for (const [query, ids] of [
      ['field.severity=minor', ['WEB-1']],
      ['field.severity=none&status=passed', ['WEB-2']],
      ['field.risk.min=8', []],
      ['fields=all&field.risk=any', ['WEB-1']],
    ] as const) {
      expect([query, (await list(query)).map(({ test_case_id: id }) => id)]).toEqual([query, ids])
    }
    const unknown = await send('GET', '/results?fields=row&field.impact=1')
    expect([unknown.status, unknown.body.code]).toEqual([400, 'unknown_field'])
  })

  it('refuse what is no value with its place, and nothing of the request is stored', async () => {
    const { send, get } = await makeScenario()
    const fields = { severity: 'fatal', risk: 11, impact: 1 }
    const one = await send('PUT', '/results/WEB-1', { status: 'failed', fields })
    expect(one.status).toBe(400)
    expect(one.body.errors?.map(({ path }) => path)).toEqual(['/fields/severity', '/fields/risk', '/fields/impact'])
    const results = ['WEB-1', 'WEB-2'].map((id) => ({ test_case_id: id, status: 'failed', fields: { risk: -1e99 } }))
    const bulk = await send('POST', '/results/bulk', {
      results: [{ test_case_id: 'WEB-3', status: 'passed' }, ...results],
    })
    expect(bulk.body.errors?.map(({ path }) => path)).toEqual(['/results/1/fields/risk', '/results/2/fields/risk'])
    expect(await get('WEB-3')).toMatchObject({ status: 'not_tested' })
  })

  it('stay in what the result was before, also where only a value changes, and with combinations', async () => {
    const { set, send, changes } = await makeScenario()
    await send('PUT', '/results/WEB-1', { status: 'failed', note: 'late', fields: { severity: 'minor' } })
    await set('WEB-1', { fields: { severity: 'blocker' } })
    await send('PUT', '/results/WEB-1', { status: 'passed', fields: { severity: null } })
    expect(await changes('WEB-1')).toMatchObject([
      { status: 'failed', fields: { severity: 'blocker' } },
      { status: 'failed', fields: { severity: 'minor' } },
    ])
    const project = await makeProject(server)
    await makeTestCases(server, project, 1)
    await makeConfigurations(server, project, { browser: ['chrome', 'firefox'] })
    await makeField(server, project, { subject: 'result' })
    const run = await makeRun(server, project, { configurations: { groups: { browser: ['chrome', 'firefox'] } } })
    const { token } = project.admin
    const results = [
      { test_case_id: 'WEB-1', status: 'failed', place: 1, fields: { risk: 1 } },
      { test_case_id: 'WEB-1', status: 'passed', place: 2, fields: { risk: 2 } },
    ]
    const path = `/v1/runs/${run.id}/results`
    await server.request('POST', `${path}/bulk`, { token, body: { results } })
    const put = await server.request<{ data: TestResult }>('PUT', `${path}/WEB-1`, {
      token,
      body: { status: 'passed', fields: { risk: 5 } },
    })
    expect(put.body.data).toMatchObject({ status: 'passed', fields: { risk: 5 } })
    const { body } = await server.request<{ data: ResultChange[] }>('GET', `${path}/WEB-1/changes`, { token })
    expect(body.data[0]?.fields).toEqual({ risk: 2 })
  })

  it('that a status needs are marked, and completing the run asks for them, unless an admin forces it', async () => {
    const { send, set, rows, project } = await makeScenario()
    const member = await makeMember(server, project.id, 'member')
    await send('PUT', '/results/WEB-1', { status: 'failed' })
    await send('PUT', '/results/WEB-2', { status: 'blocked', fields: { severity: 'minor' } })
    expect((await rows()).map(({ lacks_fields: lacks }) => lacks)).toEqual([true, undefined, undefined])
    const complete = async (body: object = {}, by?: string) =>
      await send<{ data: Run } & MissingFieldsProblem>('PATCH', '', { status: 'completed', ...body }, by)
    const refused = await complete({ name: 'Other' }, member.token)
    expect([refused.status, refused.body.code]).toEqual([422, 'required_fields_missing'])
    expect(refused.body).toMatchObject({
      missing_count: 1,
      missing: [{ test_case_id: 'WEB-1', fields: ['severity'] }],
    })
    expect((await send<{ data: Run }>('GET', '')).body.data).toMatchObject({ status: 'in_progress' })
    expect((await complete({ force: true }, member.token)).status).toBe(403)
    expect((await complete({ force: true })).body.data.status).toBe('completed')
    await send('PATCH', '', { status: 'in_progress' })
    await set('WEB-1', { fields: { severity: 'blocker' } })
    expect((await complete({}, member.token)).body.data.status).toBe('completed')
    // CI is never stopped.
    await send('PATCH', '', { status: 'in_progress' })
    await set('WEB-1', { fields: { severity: null } })
    const ci = await makeCiToken(server, project)
    expect((await complete({}, ci)).body.data.status).toBe('completed')
  })

  it('keep no value of a field that was deleted', async () => {
    const { send, set, get, list, changes, project, severityField, token } = await makeScenario()
    await send('PUT', '/results/WEB-1', { status: 'failed', fields: { severity: 'minor', risk: 1 } })
    await set('WEB-1', { fields: { severity: 'blocker' } })
    expect(await changes('WEB-1')).toMatchObject([{ fields: { severity: 'minor' } }])
    expect(await set('WEB-3', { fields: { risk: 2 } })).toMatchObject({ tested_by: null, tested_at: null })
    await set('WEB-3', { fields: { risk: null } })
    const field = `/v1/projects/${project.id}/fields/${severityField.id}`
    await server.request('POST', `${field}/retire`, { token })
    expect((await get('WEB-1')).fields).toEqual({ severity: 'blocker', risk: 1 })
    const again = await send('PATCH', '/results/WEB-2', { fields: { severity: 'minor' } })
    expect(again.body.errors).toMatchObject([{ path: '/fields/severity' }])
    await server.request('DELETE', field, { token })
    expect((await list('fields=all'))[0]?.fields).toEqual({ risk: 1 })
    await deletedFieldsJob.run(server.db, new AbortController().signal)
    const [row] = await server.db
      .selectFrom('test_results')
      .select('fields')
      .where('fields', 'is not', null)
      .where('project_id', '=', project.id)
      .execute()
    expect(Object.keys(row?.fields ?? {})).toHaveLength(1)
    expect((await changes('WEB-1')).every(({ fields }) => fields?.['severity'] === undefined)).toBe(true)
  })
})

describe('custom fields of runs', () => {
  it('are set and changed by people strictly, and by CI tokens with what fits', async () => {
    const { project, token } = await makeScenario()
    await makeField(server, project, { subject: 'run', key: 'risk', name: 'Risk', is_required: true, default: 1 })
    const path = `/v1/projects/${project.id}/runs`
    type Created = { data: Run; ignored_fields?: object } & Problem
    const create = async (fields: object, by = token) =>
      await server.request<Created>('POST', path, { token: by, body: { name: 'Nightly', fields } })
    const refused = await create({ build: 5, risk: null, os: 'x', bad: { a: 1 } })
    expect(refused.status).toBe(400)
    const strict = await create({ build: 5, risk: null })
    expect(strict.body.errors?.map((error) => error.path)).toEqual(['/fields/build'])
    const created = await create({ build: '2.4.0' })
    expect(created.body).not.toHaveProperty('ignored_fields')
    expect(created.body.data.fields).toEqual({ build: '2.4.0', risk: 1 })
    const ci = await makeCiToken(server, project)
    const lenient = await create({ build: '2.4.1', risk: '7', os: 'linux', other: { a: 1 } }, ci)
    expect(lenient.status).toBe(201)
    expect(lenient.body.data.fields).toEqual({ build: '2.4.1', risk: 7 })
    expect(lenient.body.ignored_fields).toMatchObject({
      count: 2,
      fields: [{ key: 'os', value: 'linux', code: 'unknown_field', count: 1 }, { key: 'other' }],
    })
    const run = `/v1/runs/${created.body.data.id}`
    const patch = async (fields: object) => await server.request<Created>('PATCH', run, { token, body: { fields } })
    expect((await patch({ build: null })).body.data.fields).toEqual({ risk: 1 })
    expect((await patch({ risk: null })).body.errors).toMatchObject([{ path: '/fields/risk', message: 'is required' }])
    const list = await server.request<{ data: Run[] }>('GET', path, { token })
    expect(list.body.data.map(({ fields }) => fields?.['risk'])).toEqual([7, 1, undefined])
  })
})
