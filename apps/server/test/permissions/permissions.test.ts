import { channel } from 'node:diagnostics_channel'

import type { RouteOptions } from 'fastify'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'

import type { App } from '../../src/platform/http/app.ts'
import { unrecordedChanges } from './unrecorded-changes.ts'
import { readOperations } from '../fuzz/read-operations.ts'
import { rows, withoutParameterNames } from './rows.ts'
import { createScenarios, type SharedSetup } from './scenario.ts'
import { formatCell, sendRequest } from './send-request.ts'
import { startSharedSetup } from './shared-setup.ts'
import type { Row } from './table.ts'
import { watchTables } from './watch-tables.ts'

let shared: SharedSetup
let close: () => Promise<void>
let readChangedTables: () => Promise<string[]>
const routes = new Set<string>()

beforeAll(async () => {
  const initialization = channel('fastify.initialization')
  initialization.subscribe(collectRoutes)
  const setup = await startSharedSetup()
  initialization.unsubscribe(collectRoutes)
  shared = setup
  close = setup.close
  readChangedTables = await watchTables(shared.server.db)
})
afterAll(() => close())

/** Fastify publishes every instance on this channel, and an instance calls the hook for each of its routes. */
function collectRoutes(message: unknown): void {
  const { fastify } = message as { fastify: App }
  fastify.addHook('onRoute', ({ method, url }: RouteOptions) => {
    for (const name of [method].flat()) routes.add(withoutParameterNames(`${name === 'HEAD' ? 'GET' : name} ${url}`))
  })
}

/** The first user of the shared setup was created with one. The permission tables contain no valid setup link. */
const SETUP = ['POST /v1/setup/:secret', 'POST /setup/:secret']

const getRoute = ({ method, path }: Row) => `${method} ${path}`
const changingRows = rows.filter(({ cells }) => cells.some(({ cell }) => cell.changesData))

const unchangedFirst = (cells: Row['cells']) =>
  cells.toSorted((a, b) => Number(a.cell.changesData) - Number(b.cell.changesData))

describe('the permission tables', () => {
  it(
    'have a row for every route of the server, and no other row',
    { tags: ['spec:authentication/eight-permissions-over-three-roles'] },
    () => {
      expect(new Set(rows.map((row) => withoutParameterNames(getRoute(row))))).toEqual(routes)
    },
  )

  it.each(rows.map((row) => [row.title, row] as const))(
    'match the responses to every caller, and whether the audit log records what they change: %s',
    {
      tags: [
        'spec:authentication/eight-permissions-over-three-roles',
        'spec:authentication/which-role-holds-what-decided',
      ],
    },
    async (_title, row) => {
      const { method: rowMethod, path, cells, prepare } = row
      const scenarios = await createScenarios(shared)
      const isRecorded = !(getRoute(row) in unrecordedChanges)
      let changedTables: string[] = []
      const readAndKeepChanges = async () => (changedTables = await readChangedTables())
      for (const method of rowMethod === 'GET' ? ['GET', 'HEAD'] : [rowMethod]) {
        const expected: Record<string, string> = {}
        const actual: Record<string, string> = {}
        // Requests that change nothing use the same resource of an admin, before the others delete it.
        let content = await prepare(scenarios.admin)
        await readChangedTables()
        for (const { caller, cell } of unchangedFirst(cells)) {
          if (cell.changesData) {
            content = await prepare(scenarios[caller])
            await readChangedTables()
          }
          const recording = (hasEntry: boolean) => (cell.changesData ? `, ${hasEntry ? '' : 'not '}recorded` : '')
          expected[caller] = formatCell(method === 'HEAD' ? { ...cell, code: null } : cell) + recording(isRecorded)
          const response = await sendRequest(scenarios[caller], { method, path, content }, readAndKeepChanges)
          actual[caller] = response + recording(changedTables.includes('audit_log'))
        }
        expect(actual).toEqual(expected)
      }
    },
  )
})

describe('every request that changes data', () => {
  it('is in a permission table, except those of the setup', async () => {
    const operations = await readOperations(shared.server)
    const changing = operations.filter(({ method }) => method !== 'GET').map(({ method, path }) => `${method} ${path}`)
    const tested = new Set([...changingRows.map(getRoute), ...SETUP].map(withoutParameterNames))
    expect(changing.filter((route) => !tested.has(withoutParameterNames(route)))).toEqual([])
  })

  it('leaves an entry in the audit log: the setup', async () => {
    const entries = shared.server.db.selectFrom('audit_log').selectAll().orderBy('id').limit(1)
    expect(await entries.execute()).toMatchObject([{ action: 'user.create', actor_email: 'ada@example.test' }])
  })
})

describe('the list of changes that are not recorded', () => {
  it('names only requests that change data', () => {
    const changingRoutes = new Set(changingRows.map(getRoute))
    expect(Object.keys(unrecordedChanges).filter((route) => !changingRoutes.has(route))).toEqual([])
  })
})
