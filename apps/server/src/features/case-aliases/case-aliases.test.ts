import { ALIAS_SYSTEMS, type CaseAlias } from '@caseward/contract/case-aliases'
import type { Problem } from '@caseward/contract/problem'
import type { UploadReceipt } from '@caseward/contract/uploads'
import type { AliasSystem } from '@caseward/matching/aliases'
import { insertTestCases, makeCiToken, makeProject, makeRun } from '@caseward/test-support/factories'
import { actOnImport, listImportRecords, planFile } from '@caseward/test-support/import-scenario'
import { useSharedServer } from '@caseward/test-support/test-server'
import { describe, expect, expectTypeOf, it } from 'vitest'

const server = useSharedServer()

type Receipt = Pick<UploadReceipt, 'tests'> & { success?: boolean }

async function makeAliasScenario() {
  const project = await makeProject(server, { prefix: 'WEB' })
  await insertTestCases(server, project, 5)
  const { token } = project.admin
  const ciToken = await makeCiToken(server, project)
  const root = `/v1/projects/${project.id}`
  const send = async <T = unknown>(method: 'GET' | 'PUT' | 'POST' | 'PATCH', path: string, body?: unknown) =>
    await server.request<T & Problem>(method, path, { token, body })
  const setAliases = async (id: string, ...keys: string[]) =>
    await send<{ data: CaseAlias[] }>('PUT', `${root}/test-cases/${id}/aliases`, {
      aliases: keys.map((key) => ({ system: 'testrail', source: 'Shop', key })),
    })
  const upload = async (runId: string, testcases: string) => {
    const body = { run_id: runId, junit_xml: `<testsuite name="s">${testcases}</testsuite>` }
    return (await server.request<Receipt & Problem>('POST', '/v1/results', { token: ciToken, body })).body
  }
  const readStatuses = async (runId: string) => {
    const { body } = await send<{ data: { test_case_id: string; status: string }[] }>(
      'GET',
      `/v1/runs/${runId}/results`,
    )
    return Object.fromEntries(
      body.data.flatMap(({ test_case_id: id, status }) => (status === 'not_tested' ? [] : [[id, status]])),
    )
  }
  const readTests = async (runId: string) => {
    type Test = { name: string; test_case_ids: string[]; linked_by: string | null }
    const { body } = await send<{ data: Test[] }>('GET', `/v1/runs/${runId}/tests?per_page=100`)
    return Object.fromEntries(
      body.data.map(({ name, test_case_ids: ids, linked_by }) => [name, `${ids.join()} ${linked_by}`]),
    )
  }
  return { project, root, send, setAliases, upload, readStatuses, readTests }
}

const testcase = (name: string, { classname = 'c', properties = {}, isFailed = false } = {}) => `
  <testcase name="${name}" classname="${classname}">
    <properties>${Object.entries(properties)
      .map(([key, value]) => `<property name="${key}" value="${value as string}"/>`)
      .join('')}</properties>${isFailed ? '<failure message="no"/>' : ''}
  </testcase>`

describe('ids of other tools', () => {
  it('are those that matching knows', () => {
    expectTypeOf<(typeof ALIAS_SYSTEMS)[number]>().toEqualTypeOf<AliasSystem>()
    expect(new Set(ALIAS_SYSTEMS).size).toBe(ALIAS_SYSTEMS.length)
  })

  it('find the test cases of results in properties, names and suites, after ids of the project, and before keys', async () => {
    const { project, send, setAliases, upload, readStatuses, readTests, root } = await makeAliasScenario()
    await setAliases('WEB-1', 'C17')
    await setAliases('WEB-2', 'C4711', '18')
    await setAliases('WEB-3', 'C5')
    await send('PATCH', `${root}/test-cases/WEB-4`, { automation_key: 'c pays [C17]' })
    const run = await makeRun(server, project)
    const receipt = await upload(
      run.id,
      [
        testcase('pays [C17]', { isFailed: true }),
        testcase('refunds C4711'),
        testcase('ships', { classname: '[C5] shipping' }),
        testcase('[WEB-4] C4711 of two test cases'),
        testcase('by property', { properties: { testrail_id: '18' } }),
        testcase('by any tool', { properties: { TmsLink: 'C5' } }),
        testcase('[C99] no such id'),
        testcase('other tool', { properties: { qase_id: '17' } }),
      ].join(''),
    )
    expect(receipt.tests).toMatchObject({ total: 8, matched: 5, unmatched: 3, by_alias: { testrail: 5 } })
    expect(receipt.errors).toMatchObject([
      { code: 'ambiguous', test_case_id: expect.stringContaining('of two test cases') as string },
    ])
    expect(await readStatuses(run.id)).toEqual({ 'WEB-1': 'failed', 'WEB-2': 'passed', 'WEB-3': 'passed' })
    expect(await readTests(run.id)).toMatchObject({
      'pays [C17]': 'WEB-1 alias',
      'refunds C4711': 'WEB-2 alias',
      ships: 'WEB-3 alias',
      'by property': 'WEB-2 alias',
      'by any tool': 'WEB-3 alias',
      '[C99] no such id': ' null',
      'other tool': ' null',
    })
  })

  it('decide against ids of the project where the settings say so, and where these name nothing', async () => {
    const { project, root, send, upload, readStatuses } = await makeAliasScenario()
    const alias = { system: 'testlink', source: 'Old', key: 'WEB-2' }
    await send('PUT', `${root}/test-cases/WEB-1/aliases`, { aliases: [alias, { ...alias, key: 'WEB-77' }] })
    const first = await makeRun(server, project)
    const report = [testcase('WEB-2 pays', { isFailed: true }), testcase('WEB-77 ships')].join('')
    expect((await upload(first.id, report)).errors).toMatchObject([{ code: 'ambiguous' }])
    expect(await readStatuses(first.id)).toEqual({ 'WEB-1': 'passed' })
    await send('PATCH', `${root}/case-settings`, { aliases_first: true })
    const second = await makeRun(server, project)
    expect((await upload(second.id, report)).success).toBe(true)
    expect(await readStatuses(second.id)).toEqual({ 'WEB-1': 'failed' })
  })

  it('lead on from a test case to the one that it was merged into', async () => {
    const { project, root, send, setAliases, upload, readStatuses } = await makeAliasScenario()
    await setAliases('WEB-2', 'C17')
    await send('POST', `${root}/test-cases/WEB-1/merge`, { from_ids: ['WEB-2'] })
    const run = await makeRun(server, project)
    await upload(run.id, testcase('pays [C17]', { isFailed: true }))
    expect(await readStatuses(run.id)).toEqual({ 'WEB-1': 'failed' })
  })

  it('come with imported test cases, and an import says which another test case has already', async () => {
    const { project, root, send } = await makeAliasScenario()
    const taken = { system: 'sheet', source: 'Sheet', key: 'T-11' }
    await send('PUT', `${root}/test-cases/WEB-1/aliases`, { aliases: [taken] })
    const csv = 'Test ID,Test Case,Test Steps,Expected Result\nT-11,Pays,Open,Shown\nT-12,Ships,Open,Shown\n'
    const done = await actOnImport(server, project, await planFile(server, project, csv, 'cases.csv'), 'apply')
    expect(done.proof).toMatchObject({ is_equal: true, cases: { stored: 2 } })
    const refused = await listImportRecords(server, project, done.id, '&loss=alias_taken')
    expect(refused.map(({ key }) => key)).toEqual(['T-11'])
    const find = async (key: string) =>
      (await send<{ data: { test_case_id: string }[] }>('GET', `${root}/case-aliases?key=${key}`)).body.data
    expect([await find('T-11'), await find('T-12')]).toMatchObject([
      [{ test_case_id: 'WEB-1' }],
      [{ test_case_id: 'WEB-7' }],
    ])
  })

  it('end the links that they have made when they are removed', async () => {
    const { project, setAliases, upload, readTests } = await makeAliasScenario()
    await setAliases('WEB-1', 'C17')
    const run = await makeRun(server, project)
    await upload(run.id, testcase('pays [C17]'))
    await setAliases('WEB-1')
    await upload((await makeRun(server, project)).id, testcase('pays [C17]'))
    expect(await readTests(run.id)).toEqual({ 'pays [C17]': ' null' })
  })

  it('are unique in their project of their tool, look like ids of it, and are at most 20', async () => {
    const { project, root, send, setAliases } = await makeAliasScenario()
    expect((await setAliases('WEB-1', 'C17', '18')).body.data).toEqual([
      { system: 'testrail', source: 'Shop', key: '18' },
      { system: 'testrail', source: 'Shop', key: 'C17' },
    ])
    const taken = await setAliases('WEB-2', 'C1', 'c0017')
    expect(taken).toMatchObject({ status: 409, body: { code: 'alias_taken', errors: [{ path: '/aliases/1/key' }] } })
    const invalid = await setAliases('WEB-2', 'C1', 'pays', '1')
    expect(invalid.body.errors?.map(({ path }) => path)).toEqual(['/aliases/1/key', '/aliases/2/key'])
    expect((await setAliases('WEB-2', ...Array.from({ length: 21 }, (_, index) => String(index)))).status).toBe(400)
    expect((await setAliases('WEB-99', 'C1')).status).toBe(404)
    expect((await send('GET', `${root}/test-cases/WEB-99/aliases`)).status).toBe(404)
    const other = { system: 'testrail', source: 'Other', key: 'C17' }
    expect((await send('PUT', `${root}/test-cases/WEB-2/aliases`, { aliases: [other] })).status).toBe(200)
    const found = await send<{ data: { test_case_id: string }[] }>('GET', `${root}/case-aliases?key=c17`)
    expect(found.body.data.map(({ test_case_id: id }) => id)).toEqual(['WEB-2', 'WEB-1'])
    const hits = await send<{ data: { id: string }[] }>('GET', `/v1/search?q=C18&project_id=${project.id}`)
    expect(hits.body.data.map(({ id }) => id)).toEqual(['WEB-1'])
  })
})
