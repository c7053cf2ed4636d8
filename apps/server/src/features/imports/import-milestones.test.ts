import type { Import } from '@caseward/contract/import-schemas'
import type { Milestone } from '@caseward/contract/milestones'
import { makeProject } from '@caseward/test-support/factories'
import { actOnImport, listImportRecords, planFile } from '@caseward/test-support/import-scenario'
import { useSharedServer } from '@caseward/test-support/test-server'
import { expect, it } from 'vitest'

const server = useSharedServer()

type Row = Record<string, string | number | boolean>

const release: Row = { id: 8, name: 'Release 2', due_at: '2024-05-01T00:00:00Z', is_completed: true }
const changed: Row = { ...release, name: 'Release 2.0', due_at: '2024-06-01T00:00:00Z', note: 'Theirs' }

/** A project, and what imports an export of Testmo with one milestone into it. */
async function makeScenario() {
  const project = await makeProject(server)
  const { token } = project.admin
  const path = `/v1/projects/${project.id}/milestones`
  const plan = (milestone: Row) => {
    const rows = { repository_cases: [{ id: 1, title: 'Pays' }], milestones: [milestone] }
    const datasets = Object.entries(rows).map(([name, list]) => ({ name, rows: list }))
    return planFile(server, project, JSON.stringify({ datasets }), 'testmo.json')
  }
  const list = async () => (await server.request<{ data: Milestone[] }>('GET', path, { token })).body.data
  return {
    plan,
    list,
    apply: (planned: Import) => actOnImport(server, project, planned, 'apply'),
    listConflicts: ({ id }: Import) => listImportRecords(server, project, id, '&loss=conflict_kept'),
    undo: (done: Import) => actOnImport(server, project, done, 'undo'),
    async edit(body: object) {
      const [milestone] = await list()
      await server.request('PATCH', `${path}/${milestone?.id}`, { token, body })
    },
  }
}

const countActions = ({ planning }: Import) =>
  Object.fromEntries(
    (planning?.actions ?? []).filter(({ kind }) => kind === 'milestone').map(({ action, count }) => [action, count]),
  )
const countConflicts = ({ planning }: Import) =>
  planning?.losses.find(({ code }) => code === 'conflict_kept')?.count ?? 0

it('an import takes what the source changes in milestones, keeps what was changed here, and gives both back', async () => {
  const { plan, list, apply, undo, edit } = await makeScenario()
  await apply(await plan(release))
  const [before] = await list()
  await edit({ description: 'Ours' })
  const done = await apply(await plan(changed))
  expect(countActions(done)).toEqual({ update: 1 })
  expect(countConflicts(done)).toBe(1)
  const due = '2024-06-01T00:00:00.000Z'
  expect(await list()).toMatchObject([{ id: before?.id, name: 'Release 2.0', description: 'Ours', due_date: due }])
  expect(countActions(await apply(await plan(changed)))).toEqual({ unchanged: 1 })
  await undo(done)
  const restored = { name: 'Release 2', description: 'Ours', due_date: '2024-05-01T00:00:00.000Z' }
  expect(await list()).toMatchObject([restored])
})

it('an import keeps and lists what was changed in a milestone between its plan and its end', async () => {
  const { plan, list, apply, edit, listConflicts } = await makeScenario()
  await apply(await plan(release))
  const planned = await plan(changed)
  expect(countConflicts(planned)).toBe(0)
  await edit({ name: 'Ours' })
  const done = await apply(planned)
  expect(await listConflicts(done)).toMatchObject([{ kind: 'milestone', title: 'Release 2.0' }])
  expect(await list()).toMatchObject([{ name: 'Ours', description: 'Theirs', due_date: '2024-06-01T00:00:00.000Z' }])
})
