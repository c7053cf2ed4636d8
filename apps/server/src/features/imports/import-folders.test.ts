import type { Folder } from '@caseward/contract/folders'
import type { Import } from '@caseward/contract/import-schemas'
import type { TestCase } from '@caseward/contract/test-case-schemas'
import { makeProject } from '@caseward/test-support/factories'
import { actOnImport, listImportRecords, planFile, summarizePlan } from '@caseward/test-support/import-scenario'
import { useSharedServer } from '@caseward/test-support/test-server'
import { expect, it } from 'vitest'

const server = useSharedServer()

/** A folder of the source: its name, and the id of the one that it is in. */
type Folders = Record<number, [name: string, parent: number | null]>

const SHOP: Folders = { 1: ['Shop', null], 2: ['Basket', 1], 3: ['Payment', 1], 4: ['Account', null] }

/** A project, and what imports an export of Testmo with folders and one test case into it. */
async function makeScenario() {
  const project = await makeProject(server)
  const { token } = project.admin
  const path = `/v1/projects/${project.id}/folders`
  const listFolders = async () => (await server.request<{ data: Folder[] }>('GET', path, { token })).body.data
  const apply = (plan: Import) => actOnImport(server, project, plan, 'apply')
  const plan = (folders: Folders, folder = 2) => {
    const rows = {
      repository_folders: Object.entries(folders).map(([id, [name, parent]]) => ({ id, name, parent_id: parent })),
      repository_cases: [{ id: 1, title: 'Pays', folder_id: folder }],
    }
    const datasets = Object.entries(rows).map(([name, list]) => ({ name, rows: list }))
    return planFile(server, project, JSON.stringify({ datasets }), 'testmo.json')
  }
  return {
    plan,
    apply,
    importFolders: async (folders: Folders, folder?: number) => await apply(await plan(folders, folder)),
    undo: (done: Import) => actOnImport(server, project, done, 'undo'),
    listConflicts: ({ id }: Import) => listImportRecords(server, project, id, '&loss=conflict_kept'),
    /** Paths of all folders, in the order of their creation. */
    async listPaths() {
      const folders = await listFolders()
      const byId = new Map(folders.map((folder) => [folder.id, folder]))
      const toPath = ({ name, parent_id: parent }: Folder): string => {
        const above = byId.get(parent ?? '')
        return above === undefined ? name : `${toPath(above)}/${name}`
      }
      return folders.toSorted((a, b) => a.id.localeCompare(b.id)).map(toPath)
    },
    async edit(name: string, change: { name?: string; parent?: string }) {
      const folders = await listFolders()
      const find = (wanted: string) => folders.find((folder) => folder.name === wanted)?.id
      const parent = change.parent === undefined ? {} : { parent_id: find(change.parent) }
      const body = { ...(change.name === undefined ? {} : { name: change.name }), ...parent }
      const { status } = await server.request('PATCH', `${path}/${find(name)}`, { token, body })
      expect(status).toBe(200)
    },
    async moveCase(name: string) {
      const id = (await listFolders()).find((folder) => folder.name === name)?.id
      const body = { folder_id: id }
      await server.request('PATCH', `/v1/projects/${project.id}/test-cases/WEB-1`, { token, body })
    },
    async getFolderOfCase() {
      const caseOf = `/v1/projects/${project.id}/test-cases/WEB-1`
      const { body } = await server.request<{ data: TestCase }>('GET', caseOf, { token })
      return (await listFolders()).find((folder) => folder.id === body.data.folder_id)?.name
    },
  }
}

it('an import renames and moves folders as the source has, changes nothing again, and gives both back', async () => {
  const { importFolders, listPaths, undo } = await makeScenario()
  await importFolders(SHOP)
  const before = await listPaths()
  expect(before).toEqual(['Shop', 'Shop/Basket', 'Shop/Payment', 'Account'])
  // Payment is above Shop now, which is in the new folder All.
  const moved: Folders = { ...SHOP, 1: ['Store', 3], 3: ['Payment', 5], 5: ['All', null] }
  const done = await importFolders(moved)
  expect(summarizePlan(done)).toEqual(
    expect.arrayContaining(['folder create 1', 'folder update 2', 'folder unchanged 2']),
  )
  expect(done.proof).toMatchObject({ is_equal: true })
  const after = ['All/Payment/Store', 'All/Payment/Store/Basket', 'All/Payment', 'Account', 'All']
  expect(await listPaths()).toEqual(after)
  expect(summarizePlan(await importFolders(moved))).toEqual(expect.arrayContaining(['folder unchanged 5']))
  await undo(done)
  expect(await listPaths()).toEqual(before)
})

it('an import keeps names and places of folders that were changed here, and lists those that the source has changed, too', async () => {
  const { plan, apply, importFolders, listConflicts, listPaths, edit } = await makeScenario()
  await importFolders(SHOP)
  await edit('Basket', { name: 'Cart' })
  await edit('Account', { parent: 'Shop' })
  expect(summarizePlan(await importFolders(SHOP))).toContain('folder unchanged 4')
  // Shop would be within itself, as Account is in Shop here.
  const changed: Folders = { 1: ['Shop', 4], 2: ['Bag', 1], 3: ['Payments', 1], 4: ['Account', null] }
  const planned = await plan(changed)
  expect((await listConflicts(planned)).map(({ title }) => title)).toEqual(['Shop', 'Bag'])
  await edit('Payment', { name: 'Paying' })
  const done = await apply(planned)
  expect((await listConflicts(done)).map(({ title }) => title)).toEqual(['Shop', 'Bag', 'Payments'])
  expect(await listPaths()).toEqual(['Shop', 'Shop/Cart', 'Shop/Paying', 'Shop/Account'])
})

it('an import moves a test case that the source has moved, unless it was moved here', async () => {
  const { importFolders, getFolderOfCase, moveCase } = await makeScenario()
  await importFolders(SHOP, 2)
  await importFolders(SHOP, 3)
  expect(await getFolderOfCase()).toBe('Payment')
  await moveCase('Account')
  const done = await importFolders(SHOP, 2)
  expect(summarizePlan(done)).toContain('case conflict 1')
  expect(await getFolderOfCase()).toBe('Account')
})
