import { afterAll, beforeAll, describe, expect, it } from 'vitest'

import { readOperations } from '../fuzz/read-operations.ts'
import { rows, withoutParameterNames } from '../permissions/rows.ts'
import { createScenarios, type SharedSetup } from '../permissions/scenario.ts'
import { sendRequest } from '../permissions/send-request.ts'
import { startSharedSetup } from '../permissions/shared-setup.ts'
import type { Row } from '../permissions/table.ts'
import { unrecordedChanges } from './unrecorded-changes.ts'

let shared: SharedSetup
let close: () => Promise<void>
beforeAll(async () => {
  const setup = await startSharedSetup()
  shared = setup
  close = setup.close
})
afterAll(() => close())

/** The first user of the shared setup was created with one. The permission tables contain no valid setup link. */
const SETUP = ['POST /v1/setup/:secret', 'POST /setup/:secret']

const getRoute = ({ method, path }: Row) => `${method} ${path}`
/** The permission tables have a row for every route of the server. */
const changingRows = rows.filter(({ cells }) => cells.some(({ cell }) => cell.changesData))

const countEntries = async () => (await shared.server.db.selectFrom('audit_log').select('id').execute()).length

describe('every request that changes data', () => {
  it('is in a permission table, except those of the setup', async () => {
    const operations = await readOperations(shared.server)
    const changing = operations.filter(({ method }) => method !== 'GET').map(({ method, path }) => `${method} ${path}`)
    const tested = new Set([...changingRows.map(getRoute), ...SETUP].map(withoutParameterNames))
    expect(changing.filter((route) => !tested.has(withoutParameterNames(route)))).toEqual([])
  })

  it.each(changingRows.map((row) => [row.title, row] as const))(
    'leaves an entry in the audit log, or has a reason not to: %s',
    async (_title, row) => {
      const scenarios = await createScenarios(shared)
      const caller = row.cells.find(({ cell }) => cell.changesData)?.caller ?? 'admin'
      const content = await row.prepare(scenarios[caller])
      const before = await countEntries()
      const response = await sendRequest(scenarios[caller], { ...row, content }, async () => [])
      expect(response).toMatch(/^[23]\d\d/)
      const hasReason = getRoute(row) in unrecordedChanges
      expect((await countEntries()) > before).toBe(!hasReason)
    },
  )

  it('leaves an entry in the audit log: the setup', async () => {
    const entries = shared.server.db.selectFrom('audit_log').selectAll().orderBy('id').limit(1)
    expect(await entries.execute()).toMatchObject([{ action: 'user.create', actor_email: 'ada@example.test' }])
  })
})

describe('the list of changes that are not recorded', () => {
  it('names only requests that change data', () => {
    const routes = new Set(changingRows.map(getRoute))
    expect(Object.keys(unrecordedChanges).filter((route) => !routes.has(route))).toEqual([])
  })
})
