import type { TestCase } from '@caseward/contract/test-case-schemas'
import { makeProject } from '@caseward/test-support/factories'
import { makeSharedStep } from '@caseward/test-support/shared-step-scenario'
import { useSharedServer } from '@caseward/test-support/test-server'
import { describe, expect, it } from 'vitest'

const server = useSharedServer()

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

  it('changes for many with their steps, as versions and with undo, and shared steps come back as such', async () => {
    const { project, token, root, send } = await makeScenario()
    const shared = await makeSharedStep(server, project, { title: 'Sign in', steps: [{ action: 'Sign in' }] })
    await send('POST', '/test-cases', { title: 'Pays', steps: [{ shared_step_id: shared.id }, ...two] })
    await send('POST', '/test-cases', { title: 'Text', template: 'text', steps: [{ action: 'Look\nAsk => Told' }] })
    await send('POST', '/test-cases', { title: 'Empty', fields: {} })
    const read = (number: number) => send<TestCase>('GET', `/test-cases/WEB-${number}`)
    const before = await Promise.all([1, 2, 3].map(read))
    type Changed = { updated: number; before: object[] }
    const convert = (template: string, ids = ['WEB-1', 'WEB-2', 'WEB-3']) =>
      send<Changed>('POST', '/test-cases/bulk-update', { test_case_ids: ids, set: { template }, convert_steps: true })
    const toText = await convert('text')
    expect(toText).toMatchObject({
      updated: 2,
      before: [
        {
          id: 'WEB-1',
          template: 'steps',
          steps: [{ shared_step_id: shared.id }, ...two.map(({ action }) => ({ action }))],
        },
        { id: 'WEB-3', template: 'steps', steps: [] },
      ],
    })
    const text = [{ position: 1, action: '1. Sign in\n2. Pay\n   Paid\n3. Leave', expected: '' }]
    expect(await read(1)).toMatchObject({ template: 'text', steps: text, version: 2 })
    expect(await read(1)).not.toHaveProperty('step_groups')
    expect(await send('GET', `/shared-steps/${shared.id}`)).toMatchObject({ use_count: 0 })
    const versions = await send<object[]>('GET', '/test-cases/WEB-1/versions')
    expect(versions[0]).toMatchObject({
      version: 2,
      via: 'bulk',
      changed: expect.arrayContaining(['template', 'steps']),
    })
    expect(await send('GET', '/test-cases/WEB-1/versions/1')).toMatchObject({
      template: 'steps',
      steps: before[0]?.steps,
      step_groups: before[0]?.step_groups,
    })
    const undo = ({ before: restore }: Changed) => send('POST', '/test-cases/bulk-update', { restore })
    await undo(toText)
    const kept = (testCase: TestCase) => ({ ...testCase, version: 0, updated_at: '' })
    expect((await Promise.all([1, 2, 3].map(read))).map(kept)).toEqual(before.map(kept))
    expect(await send('GET', `/shared-steps/${shared.id}`)).toMatchObject({ use_count: 1 })

    const toSteps = await convert('steps')
    expect(toSteps.updated).toBe(1)
    const lines = [{ action: 'Look' }, { action: 'Ask', expected: 'Told' }]
    expect(await read(2)).toMatchObject({ template: 'steps', steps: lines })
    // The digest follows: what says the same is a duplicate.
    await send('POST', '/test-cases', { title: 'Text', steps: lines })
    expect(await send('GET', '/duplicates')).toMatchObject([{ test_cases: [{ content: 1 }, { content: 1 }] }])

    const long = Array.from({ length: 501 }, (_, index) => `Line ${index}`).join('\n')
    await send('POST', '/test-cases', { title: 'Long', template: 'text', steps: [{ action: long }] })
    const body = { test_case_ids: ['WEB-2', 'WEB-5'], set: { template: 'steps' }, convert_steps: true }
    const refused = await server.expectProblem(400, 'POST', `${root}/test-cases/bulk-update`, { token, body })
    expect(refused.errors).toEqual([{ path: '/test_case_ids/1', message: 'would have more than 500 steps' }])
    const alone = { test_case_ids: ['WEB-2'], convert_steps: true }
    const missing = await server.expectProblem(400, 'POST', `${root}/test-cases/bulk-update`, { token, body: alone })
    expect(missing.errors).toEqual([{ path: '/convert_steps', message: 'requires set.template' }])
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
