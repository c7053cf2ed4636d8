import type { TestCase } from '@caseward/contract/test-case-schemas'
import { makeProject } from '@caseward/test-support/factories'
import { useTestServer } from '@caseward/test-support/test-server'
import { describe, expect, it } from 'vitest'

const server = useTestServer()

async function makeScenario() {
  const project = await makeProject(server)
  const { token } = project.admin
  const root = `/v1/projects/${project.id}`
  const send = async <T>(method: string, path: string, body?: object): Promise<T> => {
    const response = await server.request<{ data: T }>(method, `${root}${path}`, { token, ...(body && { body }) })
    expect([response.status, response.body]).toEqual([expect.toBeOneOf([200, 201]), expect.anything()])
    return response.body.data
  }
  const getTemplate = async (id: string) => (await send<TestCase>('GET', `/test-cases/${id}`)).template
  return { project, token, root, send, getTemplate }
}

const two = [{ action: 'Pay', expected: 'Paid' }, { action: 'Leave' }]

describe('the template of a test case', () => {
  it('is what the project sets, unless the request says it or its steps need a list', async () => {
    const { project, send, getTemplate } = await makeScenario()
    await send('POST', '/test-cases', { title: 'Before' })
    const settings = { default_template: 'text', aliases_first: false }
    expect(await send('PATCH', '/case-settings', { default_template: 'text' })).toEqual(settings)
    expect(await send('GET', '/case-settings')).toEqual(settings)
    const mine = await server.request('GET', '/v1/me/projects', { token: project.admin.token })
    expect(mine.body).toMatchObject({ data: [{ id: project.id, default_template: 'text' }] })
    await send('POST', '/test-cases', { title: 'After' })
    await send('POST', '/test-cases/bulk', {
      test_cases: [
        { title: 'One', steps: [{ action: 'Look around' }] },
        { title: 'Listed', steps: two },
        { title: 'Said', template: 'steps' },
        { title: 'Both', template: 'text', steps: two },
      ],
    })
    await send('POST', '/test-cases/import', { rows: [{ title: 'Imported' }, { title: 'With steps', steps: two }] })
    const templates = await Promise.all([1, 2, 3, 4, 5, 6, 7, 8].map((number) => getTemplate(`WEB-${number}`)))
    expect(templates).toEqual(['steps', 'text', 'text', 'steps', 'steps', 'text', 'text', 'steps'])
  })

  it('changes without the steps that are stored, and earlier versions keep both', async () => {
    const { send, getTemplate } = await makeScenario()
    await send('POST', '/test-cases', { title: 'Pays', steps: two })
    await send('PATCH', '/test-cases/WEB-1', { template: 'text', steps: [{ action: '1. Pay\n   Paid\n2. Leave' }] })
    await send('POST', '/test-cases/bulk-update', { test_case_ids: ['WEB-1'], set: { template: 'steps' } })
    expect(await send('GET', '/test-cases/WEB-1')).toMatchObject({ template: 'steps', steps: [{ position: 1 }] })
    expect(await send('GET', '/test-cases/WEB-1/versions/2')).toMatchObject({ template: 'text' })
    expect(await send('GET', '/test-cases/WEB-1/versions/1')).toMatchObject({
      template: 'steps',
      steps: [{ action: 'Pay' }, { action: 'Leave' }],
    })
    await send('POST', '/test-cases/WEB-1/versions/2/restore', {})
    expect(await getTemplate('WEB-1')).toBe('text')
  })

  it.each(['gherkin', 'exploratory', ''])('is refused if it is %j, with those that exist', async (template) => {
    const { root, token } = await makeScenario()
    const body = { title: 'x', template }
    const problem = await server.expectProblem(400, 'POST', `${root}/test-cases`, { token, body })
    expect(problem.errors).toEqual([{ path: '/template', message: expect.stringMatching(/steps.*text/) }])
    const settings = { token, body: { default_template: template } }
    const refused = await server.expectProblem(400, 'PATCH', `${root}/case-settings`, settings)
    expect(refused.errors).toEqual([{ path: '/default_template', message: expect.stringMatching(/steps.*text/) }])
  })
})
