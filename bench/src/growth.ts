import type pg from 'pg'

import { type Figure, rateFigure } from './figures.ts'
import { throughput } from './measure.ts'
import { addCases, type SeededProject, seedProject, seedRun, vacuumAnalyze } from './seed.ts'
import { type Server, TOKEN } from './servers.ts'

/** Grows a project to 100,000 test cases and adds ten runs of all of them: a million results. */
export async function growTo100k(client: pg.Client, seeded: SeededProject): Promise<SeededProject> {
  await addCases(client, seeded.projectId, 100_000)
  let runId = seeded.runId
  for (let run = 0; run < 10; run += 1) runId = await seedRun(client, seeded.projectId)
  await vacuumAnalyze(client)
  return { ...seeded, runId, cases: 100_000 }
}

/**
 * Grows a project to a million test cases. All titles have one word in common, and 20 have another one. Compares a
 * search for the rare word with a single read, and searches in small projects: for the common word, and for two letters,
 * which the index on titles does not support.
 */
export async function compareSearch(client: pg.Client, { url }: Server, seeded: SeededProject) {
  await addCases(client, seeded.projectId, 1_000_000)
  await client.query(
    `update test_cases set title = title || ' over a zebra crossing' where project_id = $1 and number % 50000 = 7`,
    [seeded.projectId],
  )
  const small = await seedProject(client, 10)
  const ordinary = await seedProject(client, 200)
  await vacuumAnalyze(client)
  const headers = { authorization: `Bearer ${TOKEN}` }
  const getCasesUrl = ({ projectId }: SeededProject) => `${url}/v1/projects/${projectId}/test-cases`
  return await throughput({
    search: { url: `${getCasesUrl(seeded)}?search=zebra`, headers },
    twoLetters: { url: `${getCasesUrl(small)}?search=se`, headers },
    commonWord: { url: `${getCasesUrl(ordinary)}?search=case`, headers },
    commonLetters: { url: `${getCasesUrl(ordinary)}?search=se`, headers },
    single: { url: `${getCasesUrl(seeded)}/WEB-77`, headers },
  })
}

/** The figures of {@link compareSearch}. */
export function toSearchFigures(rates: Awaited<ReturnType<typeof compareSearch>>): Figure[] {
  return [
    rateFigure(
      '4. `search` that matches 20 of 1,000,000 titles; reference: a single read',
      rates.search,
      rates.single,
      1 / 3,
    ),
    rateFigure(
      '4. `search` for two letters in 10 titles beside those; reference: a single read',
      rates.twoLetters,
      rates.single,
      1 / 5,
    ),
    rateFigure(
      '4. `search` for a word that 1,000,000 titles have, in 200 of them; reference: for two letters there',
      rates.commonWord,
      rates.commonLetters,
      0.8,
    ),
  ]
}
