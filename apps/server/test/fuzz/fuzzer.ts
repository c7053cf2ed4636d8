import fc from 'fast-check'

import type { TestServer } from '@caseward/test-support/test-server'
import type { Operation } from './read-operations.ts'
import { watchErrors } from './error-log.ts'
import { createResponseChecker, type ResponseChecker } from './response-checker.ts'
import { type FuzzRequest, generateRequests, generateRequestsWithImpossibleIds } from './requests.ts'
import type { RawResponse, Send } from './raw-http.ts'
import { fillSlots, type Fixture } from './slots.ts'
import { formatResponse, formatRequest } from './format-exchange.ts'

/** The number of responses by status. */
export type StatusCounts = Map<number, number>

/** Fuzzes the operations of one server. */
export interface Fuzzer {
  /**
   * Sends `count` generated requests to an operation, one after the other.
   * @returns the smallest request whose response has faults, with the faults; null if there is none
   */
  fuzzOperation(operation: Operation, fixture: Fixture, count: number, seed: number): Promise<string | null>
  /**
   * Sends a request for each id in the path of an operation that no row can have.
   * @returns the smallest request whose response has faults, with the faults; null if there is none
   */
  sendImpossibleIds(operation: Operation, fixture: Fixture, seed: number): Promise<string | null>
  /** Returns the logged errors that belong to no checked request. */
  getOtherErrors(): string[]
}

/** Creates a fuzzer that records the status of each response in `statusCounts`. */
export function createFuzzer(server: TestServer, send: Send, statusCounts: Map<string, StatusCounts>): Fuzzer {
  const errors = watchErrors(server.logged)
  const checkers = new Map<string, ResponseChecker>()

  function getChecker(operation: Operation): ResponseChecker {
    const checker = checkers.get(operation.id) ?? createResponseChecker(operation)
    checkers.set(operation.id, checker)
    return checker
  }

  function checkResponse(operation: Operation, response: RawResponse): string[] {
    const counts = statusCounts.get(operation.id) ?? new Map<number, number>()
    statusCounts.set(operation.id, counts.set(response.status, (counts.get(response.status) ?? 0) + 1))
    return [...getChecker(operation)(response), ...errors.takeErrors(String(response.headers['x-request-id']))]
  }

  async function check(
    operation: Operation,
    fixture: Fixture,
    requests: fc.Arbitrary<FuzzRequest>,
    { count, seed }: { count: number; seed: number },
  ): Promise<string | null> {
    const fixtureWithServer = { ...fixture, existing: { ...fixture.existing, server: [{ origin: server.url }] } }
    const property = fc.asyncProperty(requests, async (requestWithSlots) => {
      const request = await fillSlots(requestWithSlots, fixtureWithServer)
      const response = await send(request).catch((error: Error) => error)
      const isResponse = !(response instanceof Error)
      const faults = isResponse ? checkResponse(operation, response) : [`there is no response: ${response.message}`]
      if (faults.length === 0) return
      const received = isResponse ? `\n\nreturns ${formatResponse(response)}` : ''
      throw new Error(`${formatRequest(request, server.url)}${received}\n\nbut ${faults.join('\nand ')}`)
    })
    const { failed, errorInstance, counterexamplePath } = await fc.check(property, { numRuns: count, seed })
    if (!failed) return null
    const message = errorInstance instanceof Error ? errorInstance.message : String(errorInstance)
    return `${operation.id} (fast-check seed ${seed}, path ${counterexamplePath})\n\n${message}`
  }

  return {
    fuzzOperation: async (operation, fixture, count, seed) =>
      await check(operation, fixture, generateRequests(operation), { count, seed }),
    async sendImpossibleIds(operation, fixture, seed) {
      for (const requests of generateRequestsWithImpossibleIds(operation)) {
        const failure = await check(operation, fixture, requests, { count: 1, seed })
        if (failure !== null) return failure
      }
      return null
    },
    getOtherErrors: () => errors.takeRemainingErrors(),
  }
}
