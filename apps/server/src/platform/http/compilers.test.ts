import { countRounds } from '@caseward/test-support/count-rounds'
import type { TypeBoxTypeProvider } from '@fastify/type-provider-typebox'
import fastify from 'fastify'
import { expect, it } from 'vitest'

import { yieldToEventLoop } from '../yielder.ts'
import type { App } from './app.ts'
import { compileSchemas } from './compilers.ts'

const TURNS = 10
const ROUTES = 100

/** Starts a service with schemas that no other service of the process has. */
async function startService(): Promise<App> {
  const app: App = fastify().withTypeProvider<TypeBoxTypeProvider>()
  compileSchemas(app, app.log)
  for (let number = 0; number < ROUTES; number += 1) {
    app.get(`/${number}`, { schema: { response: { 200: { type: 'string' } } } }, () => '')
  }
  await app.listen({ host: '127.0.0.1', port: 0 })
  return app
}

/** Counts the rounds of the event loop in which these turns are taken: one for each, and one for each of another loop. */
async function countRoundsOfTurns(): Promise<number> {
  return await countRounds(async (getRound) => {
    for (let turn = 0; turn < TURNS; turn += 1) await yieldToEventLoop()
    return getRound()
  })
}

it('a service compiles its schemas in turns with other work once it listens', async () => {
  const app = await startService()
  expect(await countRoundsOfTurns()).toBeGreaterThan(TURNS)
  await app.close()
})

it('a service that ends compiles no more schemas, which would hold up other work of the process', async () => {
  const app = await startService()
  await app.close()
  // What had begun.
  await yieldToEventLoop()
  expect(await countRoundsOfTurns()).toBeLessThanOrEqual(TURNS)
})
