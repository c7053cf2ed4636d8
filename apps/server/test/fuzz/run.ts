import fc from 'fast-check'

import type { TestServer } from '@caseward/test-support/test-server'
import type { Operation } from './document.ts'
import { watchErrors } from './error-log.ts'
import { createResponseChecker, type ResponseChecker } from './response-checker.ts'
import { requestsTo } from './requests.ts'
import type { Reply, Send } from './send.ts'
import { fillSlots, type World } from './slots.ts'
import { formatReply, formatRequest } from './format-exchange.ts'

/** How often an operation answered with each status. */
export type Tally = Map<number, number>

/** Fuzzes the operations of one server. */
export interface Fuzz {
  /**
   * Sends so many requests to an operation, one after the other.
   * @returns the smallest request found to be answered wrongly, with what is wrong; null for none
   */
  operation(operation: Operation, world: World, count: number, seed: number): Promise<string | null>
  /** Errors that the server logged beside any request that was judged. */
  strayErrors(): string[]
}

export function createFuzz(server: TestServer, send: Send, tallies: Map<string, Tally>): Fuzz {
  const errors = watchErrors(server.logged)
  const judges = new Map<string, ResponseChecker>()

  function getChecker(operation: Operation): ResponseChecker {
    const known = judges.get(operation.id) ?? createResponseChecker(operation)
    judges.set(operation.id, known)
    return known
  }

  function judge(operation: Operation, reply: Reply): string[] {
    const tally = tallies.get(operation.id) ?? new Map<number, number>()
    tallies.set(operation.id, tally.set(reply.status, (tally.get(reply.status) ?? 0) + 1))
    return [...getChecker(operation)(reply), ...errors.of(String(reply.headers['x-request-id']))]
  }

  return {
    async operation(operation, world, count, seed) {
      const here = { ...world, standing: { ...world.standing, server: [{ origin: server.url }] } }
      const property = fc.asyncProperty(requestsTo(operation), async (planned) => {
        const request = await fillSlots(planned, here)
        const reply = await send(request).catch((error: Error) => error)
        const isAnswer = !(reply instanceof Error)
        const complaints = isAnswer ? judge(operation, reply) : [`there is no answer: ${reply.message}`]
        if (complaints.length === 0) return
        const answer = isAnswer ? `\n\nanswers ${formatReply(reply)}` : ''
        throw new Error(`${formatRequest(request, server.url)}${answer}\n\nbut ${complaints.join('\nand ')}`)
      })
      const { failed, errorInstance, counterexamplePath } = await fc.check(property, { numRuns: count, seed })
      if (!failed) return null
      const said = errorInstance instanceof Error ? errorInstance.message : String(errorInstance)
      return `${operation.id} (fast-check seed ${seed}, path ${counterexamplePath})\n\n${said}`
    },
    strayErrors: () => errors.left(),
  }
}
