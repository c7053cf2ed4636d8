import type pg from 'pg'

import { throughput } from './measure.ts'
import { addCases, type SeededProject, seedProject, seedRun, vacuumAnalyze } from './seed.ts'
import { type Server, TOKEN } from './servers.ts'

/** Grows a project to 100,000 cases with ten runs over all of them: a million results. */
export async function growTo100k(client: pg.Client, seeded: SeededProject): Promise<SeededProject> {
  await addCases(client, seeded.projectId, 100_000)
  let runId = seeded.runId
  for (let run = 0; run < 10; run += 1) runId = await seedRun(client, seeded.projectId)
  await vacuumAnalyze(client)
  return { ...seeded, runId, cases: 100_000 }
}

/**
 * Grows a project to a million cases, 20 of which have a word in their title; compares its search with a single read, and
 * the search of a small project beside it for two letters, which the index on titles cannot serve.
 */
export async function compareSearch(client: pg.Client, { url }: Server, seeded: SeededProject) {
  await addCases(client, seeded.projectId, 1_000_000)
  await client.query(
    `update test_cases set title = title || ' over a zebra crossing' where project_id = $1 and number % 50000 = 7`,
    [seeded.projectId],
  )
  const small = await seedProject(client, 10)
  await vacuumAnalyze(client)
  const headers = { authorization: `Bearer ${TOKEN}` }
  const listCaseIds = ({ projectId }: SeededProject) => `${url}/v1/projects/${projectId}/test-cases`
  return await throughput({
    search: { url: `${listCaseIds(seeded)}?search=zebra`, headers },
    twoLetters: { url: `${listCaseIds(small)}?search=se`, headers },
    single: { url: `${listCaseIds(seeded)}/WEB-77`, headers },
  })
}
