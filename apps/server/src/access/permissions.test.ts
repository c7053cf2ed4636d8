import { channel } from 'node:diagnostics_channel'

import type { RouteOptions } from 'fastify'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'

import { type OidcProvider, startOidcProvider } from '@caseward/test-support/oidc-provider'
import { startTestServer, type TestServer } from '@caseward/test-support/test-server'
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
import { createSetupLink } from '../features/auth/setup/setup-link.ts'
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
let changed: () => Promise<string[]>
const routes = new Set<string>()

beforeAll(async () => {
  provider = await startOidcProvider(() => `${server.url.replace('127.0.0.1', 'localhost')}/sign-in/oidc/callback`)
  const made = channel('fastify.initialization')
  made.subscribe(listRoutes)
  const { issuer: oidcIssuer, clientId: oidcClientId, clientSecret: oidcClientSecret } = provider
  server = await startTestServer({ oidcIssuer, oidcClientId, oidcClientSecret })
  made.unsubscribe(listRoutes)
  stage = { server, provider, usedSetupSecret: await setUp() }
  changed = await watchTables(server.db)
})
afterAll(async () => {
  await server.close()
  provider.close()
})

/** Fastify tells of every instance it makes, and an instance of every route, so that none can be left out. */
function listRoutes(message: unknown): void {
  const { fastify } = message as { fastify: App }
  fastify.addHook('onRoute', ({ method, url }: RouteOptions) => {
    for (const one of [method].flat()) routes.add(nameless(`${one === 'HEAD' ? 'GET' : one} ${url}`))
  })
}

const nameless = (route: string) => route.replaceAll(/:\w+/g, ':')

async function setUp(): Promise<string> {
  const secret = (await createSetupLink(server.db)) ?? ''
  const body = new URLSearchParams({ name: 'Ada', email: 'ada@example.test', password: PASSWORD }).toString()
  const headers = { 'content-type': 'application/x-www-form-urlencoded', origin: server.url }
  const { status } = await server.request('POST', `/setup/${secret}`, { headers, body })
  if (status !== 303) throw new Error(`Setting up answered ${status}`)
  return secret
}

describe('the permission matrix', () => {
  it(
    'has a row for every route, and a route for every row',
    { tags: ['spec:authentication/eight-permissions-over-three-roles'] },
    () => {
      expect(new Set(rows.map(({ method, path }) => nameless(`${method} ${path}`)))).toEqual(routes)
    },
  )

  it.each(rows.map((row) => [row.title, row] as const))(
    'tells everybody what the contract says: %s',
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
        const told: Record<string, string> = {}
        // Where nothing may change, all reach for the same thing: an admin's. They come before those who take it away.
        let content = await prepare(scenes.admn)
        await changed()
        for (const { caller, cell } of cells.toSorted((a, b) => Number(a.cell.changes) - Number(b.cell.changes))) {
          if (cell.changes) {
            content = await prepare(scenes[caller])
            await changed()
          }
          expected[caller] = wordsFor(method === 'HEAD' ? { ...cell, code: null } : cell)
          told[caller] = await sendRequest(scenes[caller], { method, path, content }, changed)
        }
        expect(told).toEqual(expected)
      }
    },
  )
})
