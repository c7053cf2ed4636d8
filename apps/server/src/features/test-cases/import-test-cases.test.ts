import type { ImportResult } from '@caseward/contract/test-case-imports'
import type { TestCase } from '@caseward/contract/test-case-schemas'
import { expectCorrectCounters } from '@caseward/test-support/counters'
import { makeFolder, makeProject, makeTestCase, makeTestCases } from '@caseward/test-support/factories'
import { useSharedServer } from '@caseward/test-support/test-server'
import { describe, expect, it } from 'vitest'

const server = useSharedServer()

async function makeScenario(count = 0) {
  const project = await makeProject(server)
  const { token } = project.admin
  await makeTestCases(server, project, count)
  const root = `/v1/projects/${project.id}`
  const path = `${root}/test-cases/import`
  return {
    project,
    async store(rows: object[], query = ''): Promise<ImportResult> {
      const options = { token, body: { rows } }
      const response = await server.request<{ data: ImportResult }>('POST', `${path}${query}`, options)
      expect([response.status, response.body]).toEqual([200, expect.anything()])
      return response.body.data
    },
    async list() {
      const listPath = `${root}/test-cases?sort=tree&fields=all&per_page=100`
      const { body } = await server.request<{ data: TestCase[] }>('GET', listPath, { token })
      return body.data
    },
    async listFolders() {
      type Folder = { id: string; name: string; parent_id: string | null; test_case_count: number }
      const { body } = await server.request<{ data: Folder[] }>('GET', `${root}/folders`, { token })
      return body.data
    },
  }
}

const describeFolders = (folders: readonly { name: string; test_case_count: number }[]) =>
  folders.map(({ name, test_case_count: count }) => `${name} ${count}`)

describe('POST /v1/projects/:project_id/test-cases/import', () => {
  it('creates test cases with all fields in the order of the rows', async () => {
    const { project, store, list } = await makeScenario(1)
    const steps = [{ action: 'Pay', expected: 'The order is paid' }, { action: 'Leave' }]
    const fields = { priority: 'high', type: 'smoke', precondition: 'A basket', expected_result: 'Paid' }
    const result = await store([
      { title: ' Pays by card ', ...fields, steps, tags: ['a', 'b', 'a'], automation_key: 'pays' },
      { title: 'Pays by \u200Bvoucher' },
    ])
    expect(result).toEqual({
      created: 2,
      updated: 0,
      folders_created: 0,
      rows: [
        { id: 'WEB-2', title: 'Pays by card', action: 'create', changed: [] },
        { id: 'WEB-3', title: 'Pays by voucher', action: 'create', changed: [] },
      ],
    })
    expect((await list()).slice(1)).toMatchObject([
      {
        id: 'WEB-2',
        title: 'Pays by card',
        ...fields,
        steps: [
          { position: 1, action: 'Pay', expected: 'The order is paid' },
          { position: 2, action: 'Leave', expected: '' },
        ],
        tags: ['a', 'b'],
        automation_keys: ['pays'],
        created_by: project.admin.id,
        version: 1,
      },
      { id: 'WEB-3', priority: 'medium', type: 'functional', steps: [], tags: [] },
    ])
  })

  it('finds folders by their names and creates each missing one once', async () => {
    const { project, store, listFolders, list } = await makeScenario()
    const checkout = await makeFolder(server, project, { name: 'Checkout' })
    const result = await store([
      { title: 'A', folder_path: ['Checkout'] },
      { title: 'B', folder_path: ['Checkout', 'Payment', 'Card'] },
      { title: 'C', folder_path: ['Checkout', 'Payment'] },
      { title: 'D', folder_path: [] },
    ])
    expect(result).toMatchObject({ created: 4, folders_created: 2 })
    const folders = await listFolders()
    expect(describeFolders(folders)).toEqual(expect.arrayContaining(['Checkout 1', 'Payment 1', 'Card 1']))
    expect(folders.find(({ name }) => name === 'Payment')?.parent_id).toBe(checkout.id)
    const byTitle = new Map((await list()).map((testCase) => [testCase.title, testCase.folder_id]))
    expect(byTitle.get('A')).toBe(checkout.id)
    expect(byTitle.get('B')).toBe(folders.find(({ name }) => name === 'Card')?.id)
    expect(byTitle.get('D')).toBeNull()
    await expectCorrectCounters(server, project.id)
  })

  it('updates the test cases of rows with ids, and only the fields of the row', async () => {
    const { project, store, list } = await makeScenario()
    const steps = [{ position: 1, action: 'Pay', expected: '' }]
    await makeTestCase(server, project, { title: 'Pays', priority: 'low', tags: ['a'], steps })
    await makeTestCase(server, project, { title: 'Returns' })
    const result = await store([
      { id: 'WEB-2', title: 'Returns a book' },
      { id: 'WEB-1', priority: 'high', steps: [{ action: 'Pay by card' }], expected_result: 'Paid' },
    ])
    expect(result).toMatchObject({
      created: 0,
      updated: 2,
      rows: [
        { id: 'WEB-2', title: 'Returns a book', action: 'update', changed: ['title'] },
        { id: 'WEB-1', title: 'Pays', action: 'update', changed: ['priority', 'steps', 'expected_result'] },
      ],
    })
    expect(await list()).toMatchObject([
      {
        id: 'WEB-1',
        title: 'Pays',
        priority: 'high',
        tags: ['a'],
        steps: [{ position: 1, action: 'Pay by card', expected: '' }],
        expected_result: 'Paid',
        version: 2,
      },
      { id: 'WEB-2', title: 'Returns a book', version: 2 },
    ])
  })

  it('does not change test cases that are the same already', async () => {
    const { project, store, list } = await makeScenario()
    const folder = await makeFolder(server, project, { name: 'Checkout' })
    const step = { action: 'Pay', expected: 'Paid' }
    const fields = { title: 'Pays', tags: ['a', 'b'], automation_key: 'pays' }
    await makeTestCase(server, project, { ...fields, steps: [{ position: 1, ...step }], folder_id: folder.id })
    const before = await list()
    const result = await store([{ id: 'WEB-1', ...fields, steps: [step], folder_path: ['Checkout'] }])
    expect(result).toMatchObject({ updated: 0, rows: [{ id: 'WEB-1', action: 'none', changed: [] }] })
    expect(await list()).toEqual(before)
  })

  it('moves updated test cases to the end of their new folder and counts one version', async () => {
    const { project, store, list, listFolders } = await makeScenario(3)
    const folder = await makeFolder(server, project, { name: 'Checkout' })
    await makeTestCase(server, project, { folder_id: folder.id })
    const result = await store([
      { id: 'WEB-3', folder_path: ['Checkout'], title: 'Moved' },
      { title: 'New', folder_path: ['Checkout'] },
      { id: 'WEB-1', folder_path: ['Checkout'] },
    ])
    expect(result.rows.map(({ changed }) => changed)).toEqual([['title', 'folder_path'], [], ['folder_path']])
    expect((await list()).map(({ id, version }) => [id, version])).toEqual([
      ['WEB-4', 1],
      ['WEB-3', 2],
      ['WEB-1', 2],
      ['WEB-5', 1],
      ['WEB-2', 1],
    ])
    expect(describeFolders(await listFolders())).toEqual(['Checkout 4'])
    await expectCorrectCounters(server, project.id)
  })

  it('stores nothing in a dry run and returns what the import would', async () => {
    const { store, list, listFolders } = await makeScenario(1)
    const before = await list()
    const rows = [
      { title: 'New', folder_path: ['Checkout', 'Payment'] },
      { id: 'WEB-1', title: 'Changed', folder_path: ['Checkout'] },
    ]
    const preview = await store(rows, '?dry_run=true')
    expect(preview).toEqual({
      created: 1,
      updated: 1,
      folders_created: 2,
      rows: [
        { id: null, title: 'New', action: 'create', changed: [] },
        { id: 'WEB-1', title: 'Changed', action: 'update', changed: ['title', 'folder_path'] },
      ],
    })
    expect([await list(), await listFolders()]).toEqual([before, []])
    expect(await store(rows, '?dry_run=false')).toMatchObject({ created: 1, updated: 1, folders_created: 2 })
  })

  it('names test cases that are like new ones in a dry run that asks for them, and stores nothing', async () => {
    const { project, store, list } = await makeScenario()
    const steps = [{ position: 1, action: 'Pay', expected: 'Paid' }]
    await makeTestCase(server, project, { title: 'Pays by card', steps })
    await makeTestCase(server, project, { title: 'Looks around' })
    const rows = [
      { id: 'WEB-1', title: 'Looks around here' },
      { title: 'pays by  CARD', steps: [{ action: 'Pay', expected: 'Paid' }] },
      { title: 'Looks around again' },
      { title: 'Leaves' },
    ]
    const checked = await store(rows, '?dry_run=true&similar=true')
    expect(checked.similar).toEqual({ count: 2, is_complete: true })
    expect(checked.rows.map(({ similar = null }) => similar?.map(({ id, same }) => `${id} ${same}`))).toEqual([
      undefined,
      ['WEB-1 content'],
      ['WEB-2 similar'],
      undefined,
    ])
    expect(await list()).toHaveLength(2)
    expect(await store(rows, '?similar=true')).not.toHaveProperty('similar')
  })

  it('accepts an import without rows', async () => {
    const { store } = await makeScenario()
    expect(await store([])).toEqual({ created: 0, updated: 0, folders_created: 0, rows: [] })
  })
})
