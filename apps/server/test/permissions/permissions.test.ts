import { channel } from 'node:diagnostics_channel'

import type { RouteOptions } from 'fastify'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'

import { waitForImports } from '@caseward/test-support/import-scenario'
import type { App } from '../../src/platform/http/app.ts'
import { unrecordedChanges } from './unrecorded-changes.ts'
import { readOperations } from '../fuzz/read-operations.ts'
import { rows, withoutParameterNames } from './rows.ts'
import { createScenarios, type Scenario, type Scenarios, type SharedSetup } from './scenario.ts'
import { formatCell, sendRequest } from './send-request.ts'
import { startSharedSetup } from './shared-setup.ts'
import { type Cell, prepareNothing, type RequestContent, type Row } from './table.ts'
import { waitForDemoFiles } from './wait-for-demo-files.ts'
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
    for (const name of [method].flat()) routes.add(withoutParameterNames(`${name} ${url}`))
  })
}

/** The first user of the shared setup was created with one. The permission tables contain no valid setup link. */
const SETUP = ['POST /v1/setup/:secret', 'POST /setup/:secret']

/** Every GET has a HEAD, which is tested with it. Few endpoints have only that. */
const toTestedRoute = (route: string) => {
  const get = route.replace(/^HEAD/, 'GET')
  return route.startsWith('HEAD /v1') && !routes.has(get) ? route : get
}

const getRoute = ({ method, path }: Row) => `${method} ${path}`
const changingRows = rows.filter(({ cells }) => cells.some(({ cell }) => cell.changesData))

/** The callers of rows that change nothing, and need nothing prepared; all of these rows share them. */
let sharedScenarios: Promise<Scenarios> | undefined
const getScenarios = (row: Row): Promise<Scenarios> =>
  row.prepare === prepareNothing && !changingRows.includes(row)
    ? (sharedScenarios ??= createScenarios(shared))
    : createScenarios(shared)

/** Leaves one caller for each expected response: HEAD has the permission of GET, which is tested with all callers. */
const takeOneOfEach = (cells: Row['cells']) =>
  cells.filter(({ cell }, index) => cells.findIndex((other) => formatCell(other.cell) === formatCell(cell)) === index)

type Responses = Record<string, string>

/** Sends the requests that change nothing, all at the same time, about the same resource of an admin. */
async function sendUnchanging(
  scenarios: Scenarios,
  row: Row,
  { method, cells, prepare }: { method: string; cells: Row['cells']; prepare: () => Promise<RequestContent> },
): Promise<Responses> {
  if (cells.length === 0) return {}
  const content = await prepare()
  await readChangedTables()
  const request = { method, path: row.path, content }
  const responses = await Promise.all(
    cells.map(async ({ caller }) => [caller, await sendRequest(scenarios[caller], request, async () => [])] as const),
  )
  const changedTables = await readChangedTables()
  return { ...Object.fromEntries(responses), ...(changedTables.length === 0 ? {} : { changed: changedTables.join() }) }
}

/** Sends a request that changes data, about a resource of its own. */
async function sendChanging(scenario: Scenario, { prepare, path }: Row, method: string): Promise<string> {
  const content = await prepare(scenario)
  await readChangedTables()
  let changedTables: string[] = []
  const readAndKeepChanges = async () => (changedTables = await readChangedTables())
  const response = await sendRequest(scenario, { method, path, content }, readAndKeepChanges)
  return `${response}, ${changedTables.includes('audit_log') ? '' : 'not '}recorded`
}

describe('the permission tables', () => {
  it(
    'have a row for every route of the server, and no other row',
    { tags: ['spec:authentication/eight-permissions-over-three-roles'] },
    () => {
      expect(new Set(rows.map((row) => withoutParameterNames(getRoute(row))))).toEqual(
        new Set([...routes].map(toTestedRoute)),
      )
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
      const scenarios = await getScenarios(row)
      // HEAD is about the same as GET.
      let content: Promise<RequestContent> | undefined
      const prepare = () => (content ??= Promise.resolve(row.prepare(scenarios.admin)))
      const recording = getRoute(row) in unrecordedChanges ? ', not recorded' : ', recorded'
      for (const method of row.method === 'GET' ? ['GET', 'HEAD'] : [row.method]) {
        const cells = method === 'HEAD' ? takeOneOfEach(row.cells) : row.cells
        const format = (cell: Cell) => formatCell(method === 'HEAD' ? { ...cell, code: null } : cell)
        const unchanging = cells.filter(({ cell }) => !cell.changesData)
        const changing = cells.filter(({ cell }) => cell.changesData)
        // The others delete what these are about.
        const actual = await sendUnchanging(scenarios, row, { method, cells: unchanging, prepare })
        for (const { caller } of changing) actual[caller] = await sendChanging(scenarios[caller], row, method)
        if (getRoute(row) === 'POST /v1/projects/demo') await waitForDemoFiles(shared.server.db)
        if (row.path.includes('/imports')) await waitForImports(shared.server)
        const expected = cells.map(({ caller, cell }) => [caller, format(cell) + (cell.changesData ? recording : '')])
        // The names say which work in the background it was, if a second attempt passes.
        expect(actual, `changed: ${actual['changed'] ?? 'nothing'}`).toEqual(Object.fromEntries(expected))
      }
    },
  )
})

describe('every request that changes data', () => {
  it('is in a permission table, except those of the setup', async () => {
    const operations = await readOperations(shared.server)
    const changing = operations.filter(({ method }) => method !== 'GET').map(({ method, path }) => `${method} ${path}`)
    const tested = new Set([...rows.map(getRoute), ...SETUP].map(withoutParameterNames))
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
