import { afterAll, beforeAll, expect, it } from 'vitest'

import { expectCorrectCounters } from '@caseward/test-support/counters'
import { startTestServer, type TestServer } from '@caseward/test-support/test-server'
import { type Operation, readOperations } from './document.ts'
import { createFuzz, type Fuzz, type Tally } from './run.ts'
import { type Connections, openConnections, requestOver } from './send.ts'
import type { World } from './slots.ts'
import { createFixture } from './fixture.ts'

const SEED = Number(process.env['FUZZ_SEED'] ?? 1)
const REQUESTS = Number(process.env['FUZZ_REQUESTS'] ?? 20_000)
const CONNECTIONS = 8
/** Then a new world begins: in projects that only grow, all would become slow. */
const REQUESTS_IN_A_WORLD = 2000

/** Half of the requests, to every operation, as tests of the file that calls this: two files run at the same time. */
export function fuzzHalf(half: 0 | 1): void {
  let server: TestServer
  /** A service that nobody has set up. */
  let untouched: TestServer
  let connections: Connections[]
  let fuzz: Fuzz
  let fuzzUntouched: Fuzz
  let operations: Operation[]
  const worlds: World[] = []
  const tallies = new Map<string, Tally>()
  /** The first of each operation. */
  const failures = new Map<string, string>()

  beforeAll(
    async () => {
      server = await startTestServer()
      untouched = await startTestServer()
      const toServer = openConnections(server.url, CONNECTIONS)
      const toUntouched = openConnections(untouched.url, CONNECTIONS)
      connections = [toServer, toUntouched]
      fuzz = createFuzz(server, toServer.send, tallies)
      fuzzUntouched = createFuzz(untouched, toUntouched.send, tallies)
      operations = await readOperations(server)
      const quick: TestServer = { ...server, request: requestOver(toServer.send) }
      const rounds = Math.ceil(REQUESTS / 2 / REQUESTS_IN_A_WORLD)
      for (let round = 0; round < rounds; round += 1) {
        const world = await createFixture(quick, untouched)
        worlds.push(world)
        await fuzzAll(world, 2 * round + half, REQUESTS / 2 / rounds)
      }
    },
    60_000 + REQUESTS * 30,
  )
  afterAll(async () => {
    for (const { close } of connections) close()
    await server.close()
    await untouched.close()
  })

  /** Fuzzes every operation, several at a time. */
  async function fuzzAll(world: World, round: number, requests: number): Promise<void> {
    const whole = operations.reduce((sum, operation) => sum + getWeight(operation), 0)
    const waiting = operations.map((operation, index) => ({ operation, seed: (SEED * 1000 + round) * 100 + index }))
    const work = async () => {
      for (let next = waiting.shift(); next !== undefined; next = waiting.shift()) {
        const { operation, seed } = next
        if (failures.has(operation.id)) continue
        const count = Math.ceil((requests * getWeight(operation)) / whole)
        const one = operation.path.startsWith('/v1/setup/') ? fuzzUntouched : fuzz
        const failure = await one.operation(operation, world, count, seed)
        if (failure !== null) failures.set(operation.id, failure)
      }
    }
    await Promise.all(Array.from({ length: CONNECTIONS }, work))
  }

  it('answers every request as the document says, and none with a 5xx', () => {
    const again = `Again: FUZZ_SEED=${SEED} FUZZ_REQUESTS=${REQUESTS} npx vitest run --project server apps/server/test/fuzz`
    const told = failures.size === 0 ? [] : [...failures.values(), again]
    expect(told.join('\n\n----------\n\n')).toBe('')
  })

  it('gets past the door of every operation', () => {
    for (const { id } of operations) {
      const tally = [...(tallies.get(id) ?? [])]
      const count = (isCounted: (status: number) => boolean) =>
        tally.reduce((sum, [status, times]) => sum + (isCounted(status) ? times : 0), 0)
      const told = { id, answers: Object.fromEntries(tally) }
      // What is refused for the state that it meets has passed every check of the request itself. They are half and
      // more; a few dozen requests vary.
      const past = count((status) => status < 300 || [409, 410, 422].includes(status))
      expect({ ...told, share: past / count(() => true) }).toSatisfy(({ share }: { share: number }) => share > 1 / 4)
      expect(told).toSatisfy(() => count((status) => status < 300) > 0)
    }
  })

  it('lets no error be logged', () => {
    expect([...fuzz.strayErrors(), ...fuzzUntouched.strayErrors()]).toEqual([])
  })

  it('leaves every counter true', async () => {
    for (const { projectId } of worlds) await expect(expectCorrectCounters(server, projectId)).resolves.toBeUndefined()
  })
}

/** What takes a password takes its time, on purpose, and so does asking for a new one. */
const slow = new Set([
  'signIn',
  'acceptInvitation',
  'completeSetup',
  'resetPassword',
  'updateMe',
  'requestPasswordReset',
])

/** What takes a body has more to go wrong. */
function getWeight({ id, body, method }: Operation): number {
  if (slow.has(id)) return 0.25
  if (Object.keys(body).length > 0) return 1.5
  return method === 'GET' ? 1 : 0.5
}
