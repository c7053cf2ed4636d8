import { channel } from 'node:diagnostics_channel'

import type { RouteOptions } from 'fastify'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'

import type { App } from '../../src/platform/http/app.ts'
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

const unchangedFirst = (cells: Row['cells']) =>
  cells.toSorted((a, b) => Number(a.cell.changesData) - Number(b.cell.changesData))

describe('the permission tables', () => {
  it(
    'have a row for every route of the server, and no other row',
    { tags: ['spec:authentication/eight-permissions-over-three-roles'] },
    () => {
      expect(new Set(rows.map(({ method, path }) => withoutParameterNames(`${method} ${path}`)))).toEqual(routes)
    },
  )

  it.each(rows.map((row) => [row.title, row] as const))(
    'match the responses to every caller: %s',
    {
      tags: [
        'spec:authentication/eight-permissions-over-three-roles',
        'spec:authentication/which-role-holds-what-decided',
      ],
    },
    async (_title, { method: rowMethod, path, cells, prepare }) => {
      const scenarios = await createScenarios(shared)
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
          expected[caller] = formatCell(method === 'HEAD' ? { ...cell, code: null } : cell)
          actual[caller] = await sendRequest(scenarios[caller], { method, path, content }, readChangedTables)
        }
        expect(actual).toEqual(expected)
      }
    },
  )
})
