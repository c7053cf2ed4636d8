import { sql } from 'kysely'
import { describe, expect, it } from 'vitest'

import { useSharedServer } from '@caseward/test-support/test-server'
import { makeUploadScenario } from '@caseward/test-support/upload-scenario'

const server = useSharedServer()

const CASES = 500
const STACK_TRACE = '    at Object.checkout (src/shop/checkout.test.ts:12:13)\n'.repeat(20)

/** Results of a whole run. In the second round, one in fifty fails with a stack trace. */
const createResults = (round: number) =>
  Array.from({ length: CASES }, (_, index) => {
    const isFailed = round > 1 && index % 50 === 0
    return {
      test_case_id: `WEB-${index + 1}`,
      status: isFailed ? 'failed' : 'passed',
      note: isFailed ? `Round ${round}, expected ${index}\n${STACK_TRACE}` : null,
      elapsed: round,
    }
  })

/** The page of each result of a run. */
async function selectPages(runId: string): Promise<Map<string, number>> {
  const { rows } = await sql<{ id: string; page: number }>`
    select id, ((ctid::text)::point)[0]::int as page from test_results where run_id = ${runId}`.execute(server.db)
  return new Map(rows.map(({ id, page }) => [id, page]))
}

describe('an upload of a whole run', () => {
  // An update that stays on its page (HOT) writes to no index.
  it('updates all results on their page the first time, and most of them with stack traces once old versions are gone', async () => {
    const { run, upload } = await makeUploadScenario(server, CASES)
    const uploadRound = async (round: number): Promise<number> => {
      const before = await selectPages(run.id)
      await upload({ results: createResults(round) })
      const after = await selectPages(run.id)
      return [...before].filter(([id, page]) => after.get(id) === page).length / CASES
    }
    expect(await uploadRound(1)).toBeGreaterThan(0.95)
    // Not always at once: the space of old versions is free when no other transaction, of autovacuum for example, sees them.
    const shares: number[] = []
    for (let round = 2; round <= 6; round += 1) shares.push(await uploadRound(round))
    expect(Math.max(...shares)).toBeGreaterThan(0.6)
  })
})
