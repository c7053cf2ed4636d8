import { makeProject } from '@caseward/test-support/factories'
import { useSharedServer } from '@caseward/test-support/test-server'
import { expect, it } from 'vitest'

const server = useSharedServer()

const makeRows = (count: number) =>
  Array.from({ length: count }, (_, index) => ({
    title: `A customer pays by card ${index}`,
    folder_path: ['Checkout', `Payment ${index % 50}`],
    steps: [{ action: 'Pay', expected: 'Paid' }],
    automation_key: `checkout.pays ${index}`,
  }))

/** Creates test cases, then changes each of them, its folder and its automation key. @returns the time of the change */
async function measureUpdate(count: number): Promise<number> {
  const project = await makeProject(server)
  const { token } = project.admin
  const send = async (rows: object[]) => {
    const path = `/v1/projects/${project.id}/test-cases/import`
    const { status, body } = await server.request<{ data: { created: number; updated: number } }>('POST', path, {
      token,
      body: { rows },
    })
    return { status, created: body.data.created, updated: body.data.updated }
  }
  const rows = makeRows(count)
  expect(await send(rows)).toEqual({ status: 200, created: count, updated: 0 })
  const changed = rows.map((row, index) => ({
    ...row,
    id: `WEB-${index + 1}`,
    folder_path: ['Moved', ...row.folder_path],
    automation_key: `checkout.pays ${(index + 1) % count}`,
  }))
  const startedAt = performance.now()
  expect(await send(changed)).toEqual({ status: 200, created: 0, updated: count })
  return performance.now() - startedAt
}

it('POST /v1/projects/:project_id/test-cases/import takes time in proportion to the number of rows', async () => {
  await measureUpdate(10)
  const few = await measureUpdate(250)
  const many = await measureUpdate(2500)
  // Ten times as many; with every row compared with every other one, it would be a hundred times as long.
  expect(many / few).toBeLessThan(50)
})
