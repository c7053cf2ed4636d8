import type pg from 'pg'

import { measureInterleaved } from './measure.ts'
import { type SeededProject, seedRun, vacuumAnalyze } from './seed.ts'
import { type Server, TOKEN } from './servers.ts'

const STATUSES = ['passed', 'failed', 'passed', 'blocked', 'passed'] as const

const createNote = (n: number, round: number) =>
  n % 20 === 0 ? `AssertionError in round ${round}: expected ${n} to be ${n + 1}` : null

/** A result as an upload contains it. */
export interface SentResult {
  test_case_id: string
  status: (typeof STATUSES)[number]
  note: string | null
  elapsed: number
}

/** The results of a suite. They differ in each round, so that every row changes. */
export function createResults(count: number, round: number): SentResult[] {
  return Array.from({ length: count }, (_, index) => ({
    test_case_id: `WEB-${index + 1}`,
    status: STATUSES[(index + round) % STATUSES.length] ?? 'passed',
    note: createNote(index, round),
    elapsed: (index + round) % 60,
  }))
}

const TRACE = Array.from(
  { length: 12 },
  (_, depth) => `    at Object.step${depth} (src/shop/checkout-${depth}.test.ts:${depth * 7}:13)`,
).join('\n')

/** A JUnit report with 5 % failures, which have stack traces. */
export function createJUnitReport(count: number, round: number): string {
  const cases = Array.from({ length: count }, (_, index) => {
    const open = `<testcase classname="shop.checkout" name="[WEB-${index + 1}] pays ${index} &amp; more" time="${((index + round) % 60) + 0.25}"`
    if ((index + round) % 20 !== 0) return `${open}/>`
    return `${open}><failure type="AssertionError" message="expected ${index}">round ${round}: expected ${index} &lt; ${index}\n${TRACE}</failure></testcase>`
  })
  return `<?xml version="1.0" encoding="UTF-8"?>\n<testsuites><testsuite name="shop">\n${cases.join('\n')}\n</testsuite></testsuites>`
}

/** Creates a CI token for a project. */
export async function createCiToken(
  { url }: Pick<Server, 'url'>,
  { projectId }: Pick<SeededProject, 'projectId'>,
): Promise<string> {
  const response = await fetch(`${url}/v1/projects/${projectId}/tokens`, {
    method: 'POST',
    headers: { authorization: `Bearer ${TOKEN}`, 'content-type': 'application/json' },
    body: JSON.stringify({ name: 'bench' }),
  })
  const { data } = (await response.json()) as { data: { token: string } }
  return data.token
}

/** @throws when the response has another status than expected */
export async function upload(
  { url }: Server,
  token: string,
  body: string,
  query = '',
  expectedStatus = 200,
): Promise<void> {
  const response = await fetch(`${url}/v1/results${query}`, {
    method: 'POST',
    headers: {
      authorization: `Bearer ${token}`,
      'content-type': query === '' ? 'application/json' : 'application/xml',
    },
    body,
  })
  const text = await response.text()
  if (response.status !== expectedStatus) throw new Error(`${response.status}: ${text.slice(0, 500)}`)
}

/** Writes the same rows by the bare statement, in one transaction, with the same driver. */
export async function bareUpdate(
  client: pg.Client,
  { projectId, runId }: SeededProject,
  count: number,
  round: number,
): Promise<void> {
  const rows = createResults(count, round)
  await client.query('begin')
  await client.query(
    `update test_results r set status = i.status, note = i.note, elapsed = i.elapsed, tested_by = null, tested_at = now()
     from unnest($3::int[], $4::result_status[], $5::text[], $6::int[]) as i (case_number, status, note, elapsed)
     where r.project_id = $1 and r.run_group = (select run_group from runs where id = $2)
       and r.case_number = i.case_number and r.run_id = $2`,
    [
      projectId,
      runId,
      rows.map((_, index) => index + 1),
      rows.map((row) => row.status),
      rows.map((row) => row.note),
      rows.map((row) => row.elapsed),
    ],
  )
  await client.query('commit')
}

/**
 * Compares uploads of one size with the bare statement: median times in milliseconds. `json` are the first results of a run,
 * as for a build; `again` overwrites them with others, which keeps what they were.
 */
export async function compareUploads(
  client: pg.Client,
  server: Server,
  seeded: SeededProject,
  count: number,
  rounds: number,
) {
  const runIds: string[] = []
  for (let index = 0; index < 2 * (rounds + 1); index += 1) runIds.push(await seedRun(client, seeded.projectId))
  await vacuumAnalyze(client)
  const token = await createCiToken(server, seeded)
  const bodies = runIds.map((runId, index) => JSON.stringify({ run_id: runId, results: createResults(count, index) }))
  const laterBodies = runIds.map((runId, index) =>
    JSON.stringify({ run_id: runId, results: createResults(count, index + 1) }),
  )
  const counts = { bare: 0, json: 0, again: 0 }
  // The bare statement does not update counters, so it has every other run for itself.
  return await measureInterleaved(rounds, {
    bare: () => bareUpdate(client, { ...seeded, runId: runIds[2 * counts.bare + 1] ?? '' }, count, (counts.bare += 1)),
    json: () => upload(server, token, bodies[2 * counts.json++] ?? ''),
    again: () => upload(server, token, laterBodies[2 * counts.again++] ?? ''),
  })
}
