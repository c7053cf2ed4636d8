import { channel } from 'node:diagnostics_channel'

import type { RouteOptions } from 'fastify'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'

import { type OidcProvider, startOidcProvider } from '@caseward/test-support/oidc-provider'
import { PASSWORD } from '@caseward/test-support/users'
import { sendRequest, wordsFor } from '../../test/permissions/send-request.ts'
import { ofOthers } from '../../test/permissions/other-project.ts'
import { links } from '../../test/permissions/links.ts'
import { accountPages, comingIn, open, runPages } from '../../test/permissions/pages.ts'
import { accounts, invitationLinks, members } from '../../test/permissions/accounts.ts'
import { folders, projects, testCases } from '../../test/permissions/projects.ts'
import { milestones, results, runs, uploads } from '../../test/permissions/runs.ts'
import { createScenarios, type SharedSetup } from '../../test/permissions/scenario.ts'
import { watchTables } from '../../test/permissions/watch-tables.ts'
import { startTestServer, type TestServer } from '@caseward/test-support/server'
import { createSetupLink } from '../features/auth/setup/create-setup-link.ts'
import type { App } from '../platform/http/app.ts'

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
  ofOthers,
  open,
  comingIn,
  runPages,
  accountPages,
].flat()

let server: TestServer
let provider: OidcProvider
let stage: SharedSetup
let listChangedTables: () => Promise<string[]>
const routes = new Set<string>()

beforeAll(async () => {
  provider = await startOidcProvider(() => `${server.url.replace('127.0.0.1', 'localhost')}/sign-in/oidc/callback`)
  const initialization = channel('fastify.initialization')
  initialization.subscribe(listRoutes)
  const { issuer: oidcIssuer, clientId: oidcClientId, clientSecret: oidcClientSecret } = provider
  server = await startTestServer({ oidcIssuer, oidcClientId, oidcClientSecret })
  initialization.unsubscribe(listRoutes)
  stage = { server, provider, usedSetupSecret: await setUp() }
  listChangedTables = await watchTables(server.db)
})
afterAll(async () => {
  await server.close()
  provider.close()
})

/** Collects every route of every Fastify instance, so that the table cannot miss one. */
function listRoutes(message: unknown): void {
  const { fastify } = message as { fastify: App }
  fastify.addHook('onRoute', ({ method, url }: RouteOptions) => {
    for (const name of [method].flat()) routes.add(removeParameterNames(`${name === 'HEAD' ? 'GET' : name} ${url}`))
  })
}

const removeParameterNames = (route: string) => route.replaceAll(/:\w+/g, ':')

async function setUp(): Promise<string> {
  const secret = (await createSetupLink(server.db)) ?? ''
  const body = new URLSearchParams({ name: 'Ada', email: 'ada@example.test', password: PASSWORD }).toString()
  const headers = { 'content-type': 'application/x-www-form-urlencoded', origin: server.url }
  const { status } = await server.request('POST', `/setup/${secret}`, { headers, body })
  if (status !== 303) throw new Error(`Setting up answered ${status}`)
  return secret
}

describe('the permission table', () => {
  it(
    'has a row for every route, and a route for every row',
    { tags: ['spec:authentication/eight-permissions-over-three-roles'] },
    () => {
      expect(new Set(rows.map(({ method, path }) => removeParameterNames(`${method} ${path}`)))).toEqual(routes)
    },
  )

  it.each(rows.map((row) => [row.title, row] as const))(
    'states the response to every caller for %s',
    {
      tags: [
        'spec:authentication/eight-permissions-over-three-roles',
        'spec:authentication/which-role-holds-what-decided',
      ],
    },
    async (_, row) => {
      const { path, cells, prepare } = row
      const scenes = await createScenarios(stage)
      for (const method of row.method === 'GET' ? ['GET', 'HEAD'] : [row.method]) {
        const expected: Record<string, string> = {}
        const responses: Record<string, string> = {}
        // Requests that change nothing use the same content, of an admin. They come first, before it is changed.
        let content = await prepare(scenes.admn)
        await listChangedTables()
        for (const { caller, cell } of cells.toSorted((a, b) => Number(a.cell.changes) - Number(b.cell.changes))) {
          if (cell.changes) {
            content = await prepare(scenes[caller])
            await listChangedTables()
          }
          expected[caller] = wordsFor(method === 'HEAD' ? { ...cell, code: null } : cell)
          responses[caller] = await sendRequest(scenes[caller], { method, path, content }, listChangedTables)
        }
        expect(responses).toEqual(expected)
      }
    },
  )
})
