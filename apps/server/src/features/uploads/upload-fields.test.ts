import type { IgnoredFields } from '@caseward/contract/field-values'
import type { TestResult } from '@caseward/contract/results'
import { makeField } from '@caseward/test-support/factories'
import { useSharedServer } from '@caseward/test-support/test-server'
import { makeUploadScenario } from '@caseward/test-support/upload-scenario'
import { describe, expect, it } from 'vitest'

const server = useSharedServer()
const attempts = [{ status: 'passed' }]

async function makeScenario() {
  const scenario = await makeUploadScenario(server)
  const { project, run, token } = scenario
  const add = async (key: string, type: 'number' | 'checkbox' | 'user') =>
    await makeField(server, project, { subject: 'result', key, name: key, type })
  await add('risk', 'number')
  await add('flag', 'checkbox')
  await add('tester', 'user')
  await makeField(server, project, {
    subject: 'result',
    key: 'browsers',
    name: 'Browsers',
    type: 'multi_select',
    options: [
      { key: 'chrome', label: 'Google Chrome' },
      { key: 'firefox', label: 'Firefox' },
    ],
  })
  const list = async () => {
    const path = `/v1/runs/${run.id}/results?fields=all`
    const { body } = await server.request<{ data: TestResult[] }>('GET', path, { token })
    return Object.fromEntries(body.data.map(({ test_case_id: id, fields }) => [id, fields]))
  }
  return { ...scenario, list }
}

describe('values of custom fields that an upload names', () => {
  it('are stored with the results, and what is no value is listed and refuses nothing', async () => {
    const { upload, list, project } = await makeScenario()
    const tests = [
      {
        name: '[WEB-1] pays',
        attempts,
        fields: { risk: '7', flag: 'yes', browsers: 'google chrome; firefox', tester: project.admin.id },
      },
      { name: '[WEB-2] [WEB-3] ships', attempts, fields: { risk: 3, browsers: ['firefox'], os: 'linux' } },
      {
        name: '[WEB-2] returns',
        attempts,
        fields: { risk: 'high', os: { name: 'linux' }, browsers: [1], tester: 'Ada' },
      },
      { name: 'unmatched', attempts, fields: { risk: 1 } },
    ]
    const dry = await upload({ format: 'tests', tests, dry_run: true })
    expect(await list()).toMatchObject({ 'WEB-1': undefined })
    const { status, body } = await upload({ format: 'tests', tests })
    expect([status, body.success]).toEqual([200, true])
    expect(await list()).toEqual({
      'WEB-1': { risk: 7, flag: true, tester: project.admin.id, browsers: ['chrome', 'firefox'] },
      'WEB-2': { risk: 3, browsers: ['firefox'] },
      'WEB-3': { risk: 3, browsers: ['firefox'] },
    })
    const ignored = body.ignored_fields as IgnoredFields
    expect(dry.body.ignored_fields).toEqual(ignored)
    expect(ignored.count).toBe(6)
    expect(ignored.fields.map(({ key, value, code, count }) => [key, value, code, count])).toEqual([
      ['risk', '1', 'result_not_stored', 1],
      ['os', 'linux', 'unknown_field', 2],
      ['risk', 'high', 'invalid_field_value', 1],
      ['browsers', '[1]', 'invalid_field_value', 1],
      ['tester', 'Ada', 'invalid_field_value', 1],
    ])
    const without = await upload({ format: 'tests', tests: [{ name: '[WEB-1] pays', attempts }] })
    expect(without.body).not.toHaveProperty('ignored_fields')
    expect((await list())['WEB-1']).toMatchObject({ risk: 7 })
  })

  it('are the properties of a JUnit report whose names begin with field:, and older reports change none', async () => {
    const { uploadXml, upload, list } = await makeScenario()
    const properties = ['risk=4', 'flag=false', 'browsers=Firefox', 'os=mac']
      .map((pair) => pair.split('='))
      .map(([key, value]) => `<property name="field:${key}" value="${value}"/>`)
      .join('')
    const xml = `<testsuite name="s"><testcase name="[WEB-1] pays"><properties>${properties}</properties></testcase></testsuite>`
    const { body } = await uploadXml(xml)
    expect(body.ignored_fields).toMatchObject({ count: 1, fields: [{ key: 'os', value: 'mac' }] })
    expect((await list())['WEB-1']).toEqual({ risk: 4, flag: false, browsers: ['firefox'] })
    const tests = [{ name: '[WEB-1] pays', attempts, fields: { risk: 9 } }]
    await upload({ format: 'tests', tests: [{ name: '[WEB-1] pays', attempts, fields: { risk: 5 } }] })
    const older = await upload({ format: 'tests', tests, finished_at: '2020-01-01T00:00:00Z' })
    expect(older.body.ignored_fields).toMatchObject({ fields: [{ code: 'result_not_stored' }] })
    expect((await list())['WEB-1']).toMatchObject({ risk: 5 })
  })
})
