import { randomUUID } from 'node:crypto'

import type pg from 'pg'

import { addCases, type SeededProject, seedProject, seedRun } from './seed.ts'

/**
 * What is measured, the same in the small and in the large database. The large one has more runs of `main`, and other
 * projects around all of these.
 */
export interface World {
  /** 10,000 test cases, in one run or in many. */
  main: SeededProject
  mainRunIds: string[]
  /** 20 test cases in 20 runs. */
  history: SeededProject
  /** 200 test cases, two of which have the rare word in their title. */
  ordinary: SeededProject
  /** 100,000 test cases, 20 of which have the rare word in their title. */
  extensive: SeededProject
}

const HISTORY_RUNS = 20
const OTHER_PROJECTS = 5000
/** Empty projects of the user in both databases, so that the first page of the list is as long in both. */
const OWN_PROJECTS = 20
/** Other projects of the user in the large database. */
const OTHER_OWN_PROJECTS = 1000
export const RARE_WORD = 'zebra'

/** Seeds what both databases contain: about 10,000 results. */
export async function seedWorld(client: pg.Client): Promise<World> {
  const history = await seedProject(client, 20)
  for (let run = 1; run < HISTORY_RUNS; run += 1) await seedRun(client, history.projectId)
  const ordinary = await seedProject(client, 0)
  await addCases(client, ordinary.projectId, 200)
  const extensive = await seedProject(client, 0)
  await addCases(client, extensive.projectId, 100_000)
  await addRareWord(client, ordinary.projectId, 100)
  await addRareWord(client, extensive.projectId, 5000)
  const main = await seedProject(client, 10_000)
  for (let project = 0; project < OWN_PROJECTS; project += 1) await seedProject(client, 0)
  return { main, mainRunIds: [main.runId], history, ordinary, extensive }
}

async function addRareWord(client: pg.Client, projectId: string, every: number): Promise<void> {
  await client.query(
    `update test_cases set title = title || ' over a ${RARE_WORD} crossing' where project_id = $1 and number % $2 = 7`,
    [projectId, every],
  )
}

/** Adds a million test cases in 5,000 other projects, 1,000 of them the user's. */
export async function addOtherProjects(client: pg.Client): Promise<void> {
  const ids = Array.from({ length: OTHER_PROJECTS }, () => randomUUID())
  await client.query(
    `insert into projects (id, name, prefix, member_count, test_case_count, last_test_case_number)
     select unnest($1::uuid[]), 'Other', 'OTH', 1, 200, 200`,
    [ids],
  )
  await client.query(
    `insert into memberships (project_id, user_id, role)
     select project_id, users.id, 'admin' from users, unnest($1::uuid[]) project_id`,
    [ids.slice(0, OTHER_OWN_PROJECTS)],
  )
  // Building the index of searches again is faster than a million insertions into it.
  const { rows } = await client.query<{ indexdef: string }>(
    `select indexdef from pg_indexes where indexname = 'test_cases_search'`,
  )
  await client.query('drop index test_cases_search')
  // Case by case, so that the test cases of a project are not next to each other.
  await client.query(
    `insert into test_cases (project_id, number, title, tags)
     select project_id, n, 'Case ' || n || ': ' || md5(project_id::text || n), '{web}'
     from generate_series(1, 200) n, unnest($1::uuid[]) project_id`,
    [ids],
  )
  await client.query(rows[0]?.indexdef ?? '')
}

/** Creates runs of all test cases of the main project until there are as many results. */
export async function growMain(client: pg.Client, { main, mainRunIds }: World, results: number): Promise<void> {
  while (mainRunIds.length * main.cases < results) mainRunIds.push(await seedRun(client, main.projectId))
}
