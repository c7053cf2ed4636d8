import { subscribe, unsubscribe } from 'node:diagnostics_channel'

import { startTestServer } from '@caseward/test-support/test-server'
import fastJsonStringify from 'fast-json-stringify'
import type { RouteOptions } from 'fastify'
import { expect, it } from 'vitest'

import type { App } from './app.ts'
import { compileValidator } from './validation.ts'

/** Returns the options of all routes of the service. */
async function collectRoutes(): Promise<RouteOptions[]> {
  const routes: RouteOptions[] = []
  const collect = (message: unknown) => {
    const { fastify } = message as { fastify: App }
    fastify.addHook('onRoute', (route) => void routes.push(route))
  }
  subscribe('fastify.initialization', collect)
  const server = await startTestServer()
  unsubscribe('fastify.initialization', collect)
  await server.close()
  return routes
}

it('the schemas of every route compile, which otherwise only its first request would do', async () => {
  const bodies = new Set<object>()
  const queries = new Set<object>()
  const responses = new Set<object>()
  const routes = await collectRoutes()
  for (const { schema = {} } of routes) {
    const { body, querystring, params, headers, response = {} } = schema
    if (body) bodies.add(body)
    for (const part of [querystring, params, headers]) if (part) queries.add(part)
    for (const [status, answer] of Object.entries(response as Record<string, object>))
      if (Number(status) < 400) responses.add(answer)
  }
  expect(Math.min(bodies.size, queries.size, responses.size)).toBeGreaterThan(50)
  for (const schema of bodies) compileValidator(schema, 'body')
  for (const schema of queries) compileValidator(schema, 'query')
  for (const schema of responses) fastJsonStringify(schema)
})
