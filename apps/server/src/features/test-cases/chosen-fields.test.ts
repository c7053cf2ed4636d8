import type { Problem } from '@caseward/contract/problem'
import type { TestCase } from '@caseward/contract/test-case-schemas'
import { makeField, makeProject, makeTestCase } from '@caseward/test-support/factories'
import { useSharedServer } from '@caseward/test-support/test-server'
import { describe, expect, it } from 'vitest'

const server = useSharedServer()

const options = ['chrome', 'firefox', 'safari'].map((key) => ({ key, label: key.toUpperCase() }))

async function makeScenario() {
  const project = await makeProject(server)
  const { token } = project.admin
  await makeField(server, project)
  const browsers = await makeField(server, project, { key: 'browsers', type: 'multi_select', options })
  const severity = await makeField(server, project, { key: 'severity', type: 'select', options })
  await makeField(server, project, { key: 'line', type: 'text' })
  const root = `/v1/projects/${project.id}`
  const send = <T = Problem>(method: string, path: string, body?: object) =>
    server.request<T>(method, `${root}${path}`, { token, ...(body && { body }) })
  return { project, send, browsers, severity }
}

describe('the custom fields of test cases in lists', () => {
  it('are in rows and lists with all fields only where they are asked for and set', async () => {
    const { project, send, browsers, severity } = await makeScenario()
    await makeTestCase(server, project, { fields: { browsers: ['safari', 'chrome'], severity: 'firefox', line: '"' } })
    await makeTestCase(server, project)
    const list = async (query: string) => (await send<{ data: TestCase[] }>('GET', `/test-cases?${query}`)).body.data
    expect((await list('')).map((item) => 'fields' in item)).toEqual([false, false])
    expect((await list('fields=row')).map((item) => 'fields' in item)).toEqual([false, false])
    expect((await list('fields=all')).map(({ fields }) => fields)).toEqual([
      { browsers: ['chrome', 'safari'], severity: 'firefox', line: '"' },
      undefined,
    ])
    for (const filter of ['', '&priority=medium']) {
      expect((await list(`fields=row&columns=line,browsers,risk${filter}`)).map(({ fields }) => fields)).toEqual([
        { browsers: ['chrome', 'safari'], line: '"' },
        undefined,
      ])
    }
    expect(await list('fields=row&columns=severity')).toMatchObject([{ fields: { severity: 'firefox' } }, {}])
    expect((await send('GET', '/test-cases?fields=row&columns=severty')).body).toMatchObject({
      code: 'unknown_field',
      errors: [{ path: '/columns', message: expect.stringContaining('use severity') }],
    })
    expect((await send('GET', '/test-cases?columns=severity')).status).toBe(400)
    // Rows and other responses say the same of values from before such changes.
    await send('PATCH', `/fields/${severity.id}`, { type: 'multi_select' })
    await send('PATCH', `/fields/${browsers.id}`, { options: options.toReversed() })
    const [single] = await list('fields=all')
    const [row] = await list('fields=row&columns=risk,browsers,severity,line')
    expect(row?.fields).toEqual(single?.fields)
    expect(row?.fields).toEqual({ browsers: ['safari', 'chrome'], severity: ['firefox'], line: '"' })
  })
})
