import type { BulkUpdateBody, EarlierTestCase } from '@caseward/contract/test-case-batches'
import type { Problem } from '@caseward/contract/problem'
import type { TestCase } from '@caseward/contract/test-case-schemas'
import { makeField, makeProject, makeTestCase, makeTestCases } from '@caseward/test-support/factories'
import { useSharedServer } from '@caseward/test-support/test-server'
import { sql } from 'kysely'
import { describe, expect, it } from 'vitest'

const server = useSharedServer()

const options = ['chrome', 'firefox', 'safari'].map((key) => ({ key, label: key.toUpperCase() }))

interface Response extends Problem {
  data: { updated: number; before: EarlierTestCase[] }
}

async function makeScenario() {
  const project = await makeProject(server)
  const { token } = project.admin
  const risk = await makeField(server, project)
  const browsers = await makeField(server, project, { key: 'browsers', type: 'multi_select', options })
  await makeField(server, project, { key: 'line', type: 'text' })
  const root = `/v1/projects/${project.id}`
  const update = async (body: BulkUpdateBody) =>
    (await server.request<Response>('POST', `${root}/test-cases/bulk-update`, { token, body })).body
  const readAll = async () => {
    const { body } = await server.request<{ data: TestCase[] }>('GET', `${root}/test-cases?fields=all`, { token })
    return body.data.map(({ fields, version }) => ({ fields, version }))
  }
  return { project, token, root, risk, browsers, update, readAll }
}

describe('POST …/test-cases/bulk-update', () => {
  it('sets values, adds and removes options, and restores what was before', async () => {
    const { project, update, readAll } = await makeScenario()
    await makeTestCase(server, project, { fields: { risk: 1, browsers: ['chrome', 'safari'], line: 'kept' } })
    await makeTestCase(server, project, { fields: { browsers: ['firefox'] } })
    await makeTestCase(server, project)
    const before = await readAll()
    const ids = ['WEB-1', 'WEB-2', 'WEB-3']
    const changed = await update({
      test_case_ids: ids,
      set: { fields: { risk: 2 }, priority: 'high' },
      add_options: { browsers: ['safari', 'firefox'] },
      remove_options: { browsers: ['chrome'] },
      add_tags: ['new'],
    })
    const browsers = ['firefox', 'safari']
    expect(await readAll()).toEqual([
      { fields: { risk: 2, browsers, line: 'kept' }, version: 2 },
      { fields: { risk: 2, browsers }, version: 2 },
      { fields: { risk: 2, browsers }, version: 2 },
    ])
    expect(changed.data.before.map(({ fields }) => fields)).toEqual([
      { risk: 1, browsers: ['chrome', 'safari'] },
      { risk: null, browsers: ['firefox'] },
      { risk: null, browsers: null },
    ])
    // What is as it should be keeps its version.
    expect((await update({ test_case_ids: ids, set: { fields: { risk: 2 } } })).data).toMatchObject({
      updated: 0,
      before: [],
    })
    await update({ restore: changed.data.before })
    expect(await readAll()).toEqual(before.map(({ fields }) => ({ fields, version: 3 })))
    const cleared = await update({ test_case_ids: ids, set: { fields: { line: null, risk: null, browsers: [] } } })
    expect(cleared.data.updated).toBe(2)
    expect((await readAll()).map(({ fields }) => fields)).toEqual([undefined, undefined, undefined])
    await update({ restore: cleared.data.before })
    expect((await readAll()).map(({ fields }) => fields)).toEqual(before.map(({ fields }) => fields))
  })

  it('restores values of what was retired since, and names a field that was deleted', async () => {
    const { project, token, root, risk, browsers, update, readAll } = await makeScenario()
    await makeTestCase(server, project, { fields: { risk: 1, browsers: ['safari'] } })
    const test_case_ids = ['WEB-1']
    const { data } = await update({ test_case_ids, set: { fields: { risk: 2, browsers: ['chrome'] } } })
    await server.request('POST', `${root}/fields/${risk.id}/retire`, { token })
    const retired = options.map((option) => ({ ...option, is_retired: option.key === 'safari' }))
    await server.request('PATCH', `${root}/fields/${browsers.id}`, { token, body: { options: retired } })
    expect(await update({ test_case_ids, set: { fields: { risk: 3 } } })).toMatchObject({ code: 'unknown_field' })
    expect(await update({ test_case_ids, add_options: { browsers: ['safari'] } })).toMatchObject({
      code: 'unknown_option',
    })
    await update({ restore: data.before })
    expect((await readAll())[0]?.fields).toEqual({ risk: 1, browsers: ['safari'] })
    await server.request('DELETE', `${root}/fields/${risk.id}`, { token })
    expect(await update({ restore: data.before })).toMatchObject({
      code: 'unknown_field',
      errors: [{ path: '/restore/0/fields/risk' }],
    })
  })

  it('returns 400 for options of other fields, unknown ones, and too many of them', async () => {
    const { project, token, root, browsers, update, readAll } = await makeScenario()
    const many = Array.from({ length: 51 }, (_, index) => ({ key: `o${index}`, label: `O ${index}` }))
    const body = { options: [...options, ...many] }
    await server.request('PATCH', `${root}/fields/${browsers.id}`, { token, body })
    await makeTestCase(server, project, { fields: { browsers: ['chrome', 'safari'] } })
    const keys = many.map(({ key }) => key)
    const cases: [BulkUpdateBody, string, string][] = [
      [{ add_options: { risk: ['x'] } }, 'invalid_field_value', '/add_options/risk'],
      [{ remove_options: { browsers: ['edge'] } }, 'unknown_option', '/remove_options/browsers'],
      [{ add_options: { color: ['red'] } }, 'unknown_field', '/add_options/color'],
      [{ add_options: { browsers: keys.slice(0, 49) } }, 'invalid_field_value', '/test_case_ids/0'],
      [{ add_options: { browsers: keys } }, 'invalid_request', '/add_options/browsers'],
    ]
    for (const [change, code, path] of cases) {
      const problem = await update({ test_case_ids: ['WEB-1'], ...change })
      expect([problem.code, problem.errors?.map((error) => error.path)]).toEqual([code, [path]])
    }
    const fits = { add_options: { browsers: keys.slice(0, 49) }, remove_options: { browsers: ['chrome'] } }
    expect((await update({ test_case_ids: ['WEB-1'], ...fits })).data.updated).toBe(1)
    expect((await readAll())[0]?.fields?.['browsers']).toHaveLength(50)
  })

  it('returns 422 rather than a response with 8 million characters of earlier texts', async () => {
    const { project, token, root, update } = await makeScenario()
    await makeField(server, project, { key: 'notes', type: 'long_text' })
    const ids = await makeTestCases(server, project, 130)
    await sql`
      update test_cases set fields = jsonb_build_object('4', repeat('x', 65000)) where project_id = ${project.id}`.execute(
      server.db,
    )
    const refused = await update({ test_case_ids: ids, set: { fields: { notes: 'short' } } })
    expect(refused).toMatchObject({ status: 422, code: 'change_too_large' })
    expect((await update({ test_case_ids: ids.slice(0, 100), set: { fields: { notes: 'short' } } })).data.updated).toBe(
      100,
    )
    expect((await update({ test_case_ids: ids, set: { fields: { risk: 1 } } })).data.updated).toBe(130)
    const { body } = await server.request<{ data: TestCase }>('GET', `${root}/test-cases/WEB-1`, { token })
    expect(body.data.fields).toEqual({ notes: 'short', risk: 1 })
  })
})
