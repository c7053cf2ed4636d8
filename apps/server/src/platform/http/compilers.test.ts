import { countRounds } from '@caseward/test-support/count-rounds'
import { startTestServer } from '@caseward/test-support/test-server'
import { expect, it } from 'vitest'

import { yieldToEventLoop } from '../yielder.ts'

const TURNS = 10

it('a service that ends compiles no more schemas, which would hold up other work of the process', async () => {
  const server = await startTestServer()
  await server.close()
  // What had begun.
  await yieldToEventLoop()
  const rounds = await countRounds(async (getRound) => {
    // Loops take turns, one in each round of the event loop.
    for (let turn = 0; turn < TURNS; turn += 1) await yieldToEventLoop()
    return getRound()
  })
  expect(rounds).toBeLessThanOrEqual(TURNS)
})
