import type pg from 'pg'

import { throughput } from './measure.ts'
import { type Seeded, seedProject, seedRun, settle } from './seed.ts'
import { type Server, TOKEN } from './servers.ts'

/** Adds test cases to a project until it has `cases`; titles are unlike each other. */
export async function addCases(client: pg.Client, { projectId }: Seeded, cases: number): Promise<void> {
  await client.query(
    `insert into test_cases (project_id, number, title, steps, tags)
     select $1, n, 'Case ' || n || ': ' || md5(n::text), '[{"position":1,"action":"Open the page","expected":"It is there"}]', '{web}'
     from projects, generate_series(last_test_case_number + 1, $2::int) n where id = $1`,
    [projectId, cases],
  )
  await client.query('update projects set test_case_count = $2, last_test_case_number = $2 where id = $1', [
    projectId,
    cases,
  ])
}

/** Grows a project to 100,000 cases with ten runs over all of them: a million results. */
export async function growTo100k(client: pg.Client, seeded: Seeded): Promise<Seeded> {
  await addCases(client, seeded, 100_000)
  let runId = seeded.runId
  for (let run = 0; run < 10; run += 1) runId = await seedRun(client, seeded.projectId)
  await settle(client)
  return { ...seeded, runId, cases: 100_000 }
}

/**
 * Grows a project to a million cases, 20 of which have a word in their title; compares its search with a single read, and
 * the search of a small project beside it for two letters, which the index on titles cannot serve.
 */
export async function compareSearch(client: pg.Client, { url }: Server, seeded: Seeded) {
  await addCases(client, seeded, 1_000_000)
  await client.query(
    `update test_cases set title = title || ' over a zebra crossing' where project_id = $1 and number % 50000 = 7`,
    [seeded.projectId],
  )
  const small = await seedProject(client, 10)
  await settle(client)
  const headers = { authorization: `Bearer ${TOKEN}` }
  const casesOf = ({ projectId }: Seeded) => `${url}/v1/projects/${projectId}/test-cases`
  return await throughput({
    search: { url: `${casesOf(seeded)}?search=zebra`, headers },
    twoLetters: { url: `${casesOf(small)}?search=se`, headers },
    single: { url: `${casesOf(seeded)}/WEB-77`, headers },
  })
}
