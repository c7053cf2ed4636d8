import { makeEvaluationScenario, type Outcomes } from '@caseward/test-support/evaluation-scenario'
import type { TestServer } from '@caseward/test-support/test-server'

const refused = (port: number) => ({
  statuses: ['failed'] as const,
  message: `Error: connect ECONNREFUSED 127.0.0.1:${port}`,
})
/** Tests that pass. */
export const ALL: Outcomes = { pays: 'passed', ships: 'passed', bills: 'passed', logs: 'passed', refunds: 'passed' }

/** Builds of twelve days: an outage, a broken basket, and two tests that flake. */
export async function makeHistory(server: TestServer) {
  const scenario = await makeEvaluationScenario(server)
  const { build, evaluate } = scenario
  const add = async (daysAgo: number, outcomes: Outcomes, branch = 'main') => {
    const commit = `${daysAgo}`.padStart(2, '0').repeat(4)
    const metadata = { branch, commit: `${branch === 'main' ? 'a' : 'b'}${commit}`, suite: 'unit' }
    const run = await build({ ...ALL, ...outcomes }, { metadata, daysAgo })
    await evaluate(run.id)
    return run
  }
  await add(12, {})
  await add(11, { pays: refused(1), ships: refused(2), bills: refused(3), refunds: refused(4), logs: refused(5) })
  await add(9, { ships: ['failed', 'passed'], pays: refused(9) })
  await add(6, { ships: ['failed', 'passed'], bills: ['failed', 'passed'] })
  await add(4, { pays: { statuses: ['failed'], message: 'TypeError: total of an empty basket' } })
  const last = await add(1, { pays: { statuses: ['failed'], message: 'TypeError: total of an empty basket' } })
  const feature = await add(0, { logs: 'failed', refunds: 'failed' }, 'feature/cart')
  return { ...scenario, last, feature }
}
