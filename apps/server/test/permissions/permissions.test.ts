import { channel } from 'node:diagnostics_channel'

import { type OidcProvider, startOidcProvider } from '@caseward/test-support/oidc-provider'
import { startTestServer, type TestServer } from '@caseward/test-support/test-server'
import { PASSWORD } from '@caseward/test-support/users'
import type { RouteOptions } from 'fastify'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'

import { createSetupLink } from '../../src/features/auth/setup/create-setup-link.ts'
import type { App } from '../../src/platform/http/app.ts'
import { accounts, invitationLinks, members } from './accounts.ts'
import { links } from './links.ts'
import { otherOwners } from './other-project.ts'
import { accountPages, publicPages, runPages, signInPages } from './pages.ts'
import { folders, projects, testCases } from './projects.ts'
import { milestones, results, runs, uploads } from './runs.ts'
import { createScenarios, type SharedSetup } from './scenario.ts'
import { formatCell, sendRequest } from './send-request.ts'
import type { Row } from './table.ts'
import { watchTables } from './watch-tables.ts'

const rows = [
  projects,
  folders,
  testCases,
  runs,
  results,
  uploads,
  milestones,
  members,
  invitationLinks,
  accounts,
  links,
  otherOwners,
  publicPages,
  signInPages,
  runPages,
  accountPages,
].flat()

let server: TestServer
let provider: OidcProvider
let shared: SharedSetup
let readChangedTables: () => Promise<string[]>
const routes = new Set<string>()

beforeAll(async () => {
  provider = await startOidcProvider(() => `${server.url.replace('127.0.0.1', 'localhost')}/sign-in/oidc/callback`)
  const initialization = channel('fastify.initialization')
  initialization.subscribe(collectRoutes)
  const { issuer: oidcIssuer, clientId: oidcClientId, clientSecret: oidcClientSecret } = provider
  server = await startTestServer({ oidcIssuer, oidcClientId, oidcClientSecret })
  initialization.unsubscribe(collectRoutes)
  shared = { server, provider, usedSetupSecret: await createFirstUser() }
  readChangedTables = await watchTables(server.db)
})
afterAll(async () => {
  await server.close()
  provider.close()
})

/** Fastify publishes every instance on this channel, and an instance calls the hook for each of its routes. */
function collectRoutes(message: unknown): void {
  const { fastify } = message as { fastify: App }
  fastify.addHook('onRoute', ({ method, url }: RouteOptions) => {
    for (const name of [method].flat()) routes.add(withoutParameterNames(`${name === 'HEAD' ? 'GET' : name} ${url}`))
  })
}

const unchangedFirst = (cells: Row['cells']) =>
  cells.toSorted((a, b) => Number(a.cell.changesData) - Number(b.cell.changesData))

const withoutParameterNames = (route: string) => route.replaceAll(/:\w+/g, ':')

/** Creates the first user with a setup link and returns the used secret. */
async function createFirstUser(): Promise<string> {
  const secret = (await createSetupLink(server.db)) ?? ''
  const body = new URLSearchParams({ name: 'Ada', email: 'ada@example.test', password: PASSWORD }).toString()
  const headers = { 'content-type': 'application/x-www-form-urlencoded', origin: server.url }
  const { status } = await server.request('POST', `/setup/${secret}`, { headers, body })
  if (status !== 303) throw new Error(`POST /setup/:secret returned ${status}`)
  return secret
}

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
