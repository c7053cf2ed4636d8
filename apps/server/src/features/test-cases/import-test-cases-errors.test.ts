import type { TestCase } from '@caseward/contract/test-case-schemas'
import { makeProject, makeTestCase } from '@caseward/test-support/factories'
import { useSharedServer } from '@caseward/test-support/test-server'
import { describe, expect, it } from 'vitest'

const server = useSharedServer()

async function makeScenario(keys: (string | null)[] = []) {
  const project = await makeProject(server)
  for (const automation_key of keys) await makeTestCase(server, project, { automation_key })
  const { token } = project.admin
  const path = `/v1/projects/${project.id}/test-cases/import`
  return {
    store: async (rows: object[]) => await server.request('POST', path, { token, body: { rows } }),
    async refuse(rows: unknown) {
      const problem = await server.expectProblem(400, 'POST', path, { token, body: { rows } })
      return (problem.errors ?? []).map((error) => `${error.path} ${error.message}`)
    },
    async list() {
      const listPath = `/v1/projects/${project.id}/test-cases?fields=all&per_page=100`
      const { body } = await server.request<{ data: TestCase[] }>('GET', listPath, { token })
      return body.data
    },
  }
}

describe('POST /v1/projects/:project_id/test-cases/import with errors', () => {
  it('returns 400 with every error of every row and stores nothing', async () => {
    const { refuse, list } = await makeScenario(['pays'])
    const errors = await refuse([
      { title: 'Fine', folder_path: ['Checkout'] },
      { priority: 'low' },
      { id: 'WEB-99', title: 'Unknown' },
      { id: 'SHOP-1' },
      { id: 'WEB-1', title: 'Once' },
      { id: 'WEB-1', title: 'Twice' },
      { title: 'Used', automation_key: 'pays' },
    ])
    expect(errors).toEqual([
      '/rows/1/title is required for a new test case',
      '/rows/2/id is not a test case of this project',
      '/rows/3/id is not a test case of this project',
      '/rows/5/id is the same as in row 5 of the request',
      expect.stringMatching(/^\/rows\/6\/automation_key is already used/),
    ])
    expect((await list()).map(({ id, version }) => [id, version])).toEqual([['WEB-1', 1]])
  })

  it('lists errors of the form together with those that the database shows', async () => {
    const { refuse } = await makeScenario()
    const errors = await refuse([
      { id: 'WEB-7' },
      { title: 'x'.repeat(256), priority: 'urgent' },
      { title: 'Fine' },
      { folder_path: [] },
    ])
    expect(errors.map((error) => error.split(' ')[0])).toEqual([
      '/rows/0/id',
      '/rows/1/title',
      '/rows/1/priority',
      '/rows/3/title',
    ])
  })

  it.each([
    ['no rows', undefined],
    ['rows that are no list', {}],
    ['more than 5,000 rows', Array.from({ length: 5001 }, () => ({ title: 'x' }))],
    ['a folder of 11 levels', [{ title: 'x', folder_path: Array.from({ length: 11 }, () => 'x') }]],
    ['a folder without a name', [{ title: 'x', folder_path: [' '] }]],
    ['an automation key of separators', [{ title: 'x', automation_key: '. /' }]],
    ['an automation key that is not the first', [{ title: 'x', automation_key: 'a', automation_keys: ['b'] }]],
    [
      'the same automation key twice',
      [
        { title: 'x', automation_key: 'a' },
        { title: 'y', automation_keys: ['b', 'a'] },
      ],
    ],
  ])('returns 400 for %s', async (_, rows) => {
    const { refuse } = await makeScenario()
    expect(await refuse(rows)).toHaveLength(1)
  })

  it('lets a test case take an automation key that another one gives up in the same import', async () => {
    const { store, list } = await makeScenario(['one', 'two', null])
    const { status } = await store([
      { id: 'WEB-1', automation_key: 'two' },
      { id: 'WEB-2', automation_key: null },
      { id: 'WEB-3', automation_key: 'one' },
    ])
    expect(status).toBe(200)
    const keys = new Map((await list()).map(({ id, automation_key: key }) => [id, key]))
    expect([...keys]).toEqual([
      ['WEB-1', 'two'],
      ['WEB-2', null],
      ['WEB-3', 'one'],
    ])
  })

  it('keeps the other automation keys when a row sets the first one', async () => {
    const { store, list } = await makeScenario()
    await store([{ title: 'x', automation_keys: ['a', 'b', 'c'] }])
    await store([{ id: 'WEB-1', automation_key: 'z' }])
    expect((await list())[0]?.automation_keys).toEqual(['z', 'b', 'c'])
  })
})
