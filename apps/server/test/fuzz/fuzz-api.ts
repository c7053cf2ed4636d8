import { crc32 } from 'node:zlib'

import { afterAll, beforeAll, expect, it } from 'vitest'

import { expectCorrectCounters } from '@caseward/test-support/counters'
import { startTestServer, type TestServer } from '@caseward/test-support/test-server'
import { type Operation, readOperations } from './read-operations.ts'
import { createFuzzer, type Fuzzer, type StatusCounts } from './fuzzer.ts'
import { type Connections, openConnections, requestOver } from './raw-http.ts'
import type { Fixture } from './slots.ts'
import { createFixture } from './fixture.ts'

const SEED = Number(process.env['FUZZ_SEED'] ?? 1)
const CONNECTIONS = 8
/** Fewer say little about an operation. */
const MIN_REQUESTS = 12
/** After this many requests a new fixture is created, because a growing project makes all requests slow. */
const REQUESTS_PER_FIXTURE = 4000

interface FuzzOptions {
  /** The number of the first fixture: other numbers have other requests. */
  firstRound: number
  requests: number
  /** How many requests each operation gets at least. Fewer than twelve say little about which of them it accepts. */
  leastRequests?: number
}

/**
 * Registers tests that send generated requests to all operations.
 * @returns a function for a test after them, which finds operations that refuse three quarters of their requests, or all
 */
export function fuzzApi({ firstRound, requests, leastRequests = MIN_REQUESTS }: FuzzOptions): {
  findRarelyAccepted: () => unknown[]
} {
  let server: TestServer
  let serverWithoutUsers: TestServer
  let connections: Connections[]
  let fuzzer: Fuzzer
  let fuzzerWithoutUsers: Fuzzer
  let operations: Operation[]
  const fixtures: Fixture[] = []
  const statusCounts = new Map<string, StatusCounts>()
  /** The first failure of each operation. */
  const failures = new Map<string, string>()

  beforeAll(
    async () => {
      server = await startTestServer()
      serverWithoutUsers = await startTestServer()
      const toServer = openConnections(server.url, CONNECTIONS)
      const toUntouched = openConnections(serverWithoutUsers.url, CONNECTIONS)
      connections = [toServer, toUntouched]
      fuzzer = createFuzzer(server, toServer.send, statusCounts)
      fuzzerWithoutUsers = createFuzzer(serverWithoutUsers, toUntouched.send, statusCounts)
      operations = await readOperations(server)
      const fastServer: TestServer = { ...server, request: requestOver(toServer.send) }
      const rounds = Math.ceil(requests / REQUESTS_PER_FIXTURE)
      for (let round = 0; round < rounds; round += 1) {
        const fixture = await createFixture(fastServer, serverWithoutUsers)
        fixtures.push(fixture)
        await fuzzAll(fixture, firstRound + round, requests / rounds)
      }
    },
    450_000 + requests * 60,
  )
  afterAll(async () => {
    for (const { close } of connections) close()
    await server.close()
    await serverWithoutUsers.close()
  })

  /** Fuzzes all operations, several in parallel. */
  async function fuzzAll(fixture: Fixture, round: number, requestsOfRound: number): Promise<void> {
    const totalWeight = operations.reduce((sum, operation) => sum + getWeight(operation), 0)
    const queue = [...operations]
    const fuzzNext = async () => {
      for (let operation = queue.shift(); operation !== undefined; operation = queue.shift()) {
        if (failures.has(operation.id)) continue
        // By its name, so that a new operation does not change the requests of all others.
        const seed = crc32(`${SEED} ${round} ${operation.id}`) | 0
        const share = Math.ceil((requestsOfRound * getWeight(operation)) / totalWeight)
        const count = requestCounts[operation.id] ?? Math.max(leastRequests, share)
        const operationFuzzer = operation.path.startsWith('/v1/setup/') ? fuzzerWithoutUsers : fuzzer
        const failure = await operationFuzzer.fuzzOperation(operation, fixture, count, seed)
        if (failure !== null) failures.set(operation.id, failure)
      }
    }
    await Promise.all(Array.from({ length: CONNECTIONS }, fuzzNext))
  }

  it('returns only documented responses and no 5xx', () => {
    const command = `To repeat: FUZZ_SEED=${SEED} FUZZ_REQUESTS=${requests} npx vitest run apps/server/test/fuzz`
    const lines = failures.size === 0 ? [] : [...failures.values(), command]
    expect(lines.join('\n\n----------\n\n')).toBe('')
  })

  it('refuses ids that no row can have', async () => {
    const [fixture] = fixtures
    const toServer = connections[0]
    if (fixture === undefined || toServer === undefined) throw new Error('There is no fixture')
    const idFuzzer = createFuzzer(server, toServer.send, new Map())
    const found = []
    for (const operation of operations) found.push(await idFuzzer.sendImpossibleIds(operation, fixture, SEED))
    expect(found.filter((failure) => failure !== null).join('\n\n----------\n\n')).toBe('')
  }, 60_000)

  it('logs no errors', () => {
    expect([...fuzzer.getOtherErrors(), ...fuzzerWithoutUsers.getOtherErrors()]).toEqual([])
  })

  it('keeps all counters correct', async () => {
    for (const { projectId } of fixtures)
      await expect(expectCorrectCounters(server, projectId)).resolves.toBeUndefined()
  })

  const findRarelyAccepted = () => {
    const summaries = operations.map(({ id }) => {
      const tally = [...(statusCounts.get(id) ?? [])]
      const count = (isCounted: (status: number) => boolean) =>
        tally.reduce((sum, [status, times]) => sum + (isCounted(status) ? times : 0), 0)
      // 409, 410 and 422 depend on the state, so the request itself was valid. At least half of the requests are valid;
      // the bound is lower because an operation with few requests varies.
      const accepted = count((status) => status < 300 || [409, 410, 422].includes(status))
      const share = accepted / count(() => true)
      return { id, responses: Object.fromEntries(tally), share, successes: count((status) => status < 300) }
    })
    return summaries.filter(({ share, successes }) => !(share > 1 / 4) || successes === 0)
  }
  return { findRarelyAccepted }
}

/** How many requests these operations get, whatever the others get. */
const requestCounts: Record<string, number> = {
  // They hardly differ, and each one that succeeds creates 300 test cases and 13 runs.
  createDemoProject: 4,
  // What they need is generated for few requests.
  acceptInvitation: 24,
  undoImport: 24,
  uploadResults: 40,
}

/** Operations that hash passwords are slow on purpose, and so is the request of a password reset. */
const slowOperations = new Set([
  'signIn',
  'confirmSession',
  'acceptInvitation',
  'completeSetup',
  'resetPassword',
  'updateMe',
  'requestPasswordReset',
])

/** Operations with a body have more cases to test. */
function getWeight({ id, body, method }: Operation): number {
  if (slowOperations.has(id)) return 0.25
  // What has a content for its body is refused for most of the invalid ones: of few requests, too few would be accepted.
  if (id.startsWith('attachTo')) return 3
  if (Object.keys(body).length > 0) return 1.5
  return method === 'GET' ? 1 : 0.5
}
