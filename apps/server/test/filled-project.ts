import type { Problem } from '@caseward/contract/problem'
import type { StoredFieldValue } from '@caseward/contract/field-values'
import type { TestCase } from '@caseward/contract/test-case-schemas'
import { makeField, makeProject } from '@caseward/test-support/factories'
import type { TestServer } from '@caseward/test-support/test-server'
import fc from 'fast-check'
import { sql } from 'kysely'

import { fieldValuesJob } from '@caseward/server/features/fields/fill-field-values'

/** The keys of all options. */
export const keys = ['a', 'b', 'c']
export const options = keys.map((key) => ({ key, label: key.toUpperCase() }))
export const definitions: Parameters<typeof makeField>[2][] = [
  { key: 'severity', type: 'select', options },
  { key: 'browsers', type: 'multi_select', options },
  { key: 'risk', type: 'number' },
  { key: 'due', type: 'date' },
  { key: 'manual', type: 'checkbox' },
  { key: 'line', type: 'text' },
]

export type Values = Readonly<Record<string, StoredFieldValue>>

const values = fc.record(
  {
    severity: fc.constantFrom(...keys),
    browsers: fc.subarray(keys, { minLength: 1 }),
    risk: fc.constantFrom(-1, 0, 1.5, 2, 10),
    due: fc.constantFrom('2025-12-31', '2026-01-01', '2026-11-21'),
    manual: fc.boolean(),
    line: fc.constantFrom('a', 'A "b" \\ c', '.*', 'Größe'),
  },
  { requiredKeys: [] },
)

/** Test cases after so many have the same values again: to make up values for each takes longer than to insert them. A prime, so that pages differ. */
const DIFFERENT_CASES = 1009

/** The numbers of options are their places from 1, those of the fields, too. */
function toStored(of: Values): object | null {
  const toNumber = (key: unknown) => keys.indexOf(String(key)) + 1
  const entries = definitions.flatMap((definition, index) => {
    const value = of[definition?.key ?? '']
    if (value === undefined) return []
    if (definition?.type === 'select') return [[index + 1, toNumber(value)]]
    return [[index + 1, Array.isArray(value) ? value.map(toNumber) : value]]
  })
  return entries.length === 0 ? null : (Object.fromEntries(entries) as object)
}

/**
 * Makes a project whose test cases have random values.
 * @param options.isStored whether the values are in `case_field_values`, too, as a job adds them after an upgrade
 */
export async function makeFilledProject(server: TestServer, size: number, { isStored }: { isStored: boolean }) {
  const project = await makeProject(server)
  for (const definition of definitions) await makeField(server, project, { ...definition, name: definition?.key ?? '' })
  const different = fc.sample(values, { numRuns: Math.min(size, DIFFERENT_CASES), seed: 7 }) as Values[]
  const cases = Array.from({ length: size }, (_, index) => different[index % DIFFERENT_CASES] ?? {})
  const stored = cases.map((of, index) => ({ number: index + 1, fields: toStored(of) }))
  await sql`
    insert into test_cases (project_id, number, title, fields)
    select ${project.id}, number, 'Case', fields
    from json_to_recordset(${JSON.stringify(stored)}) as item (number int, fields jsonb)`.execute(server.db)
  // Without statistics, reading a large project takes as long as its plan happens to.
  await sql`analyze test_cases`.execute(server.db)
  const counters = { test_case_count: size, last_test_case_number: size }
  await server.db.updateTable('projects').set(counters).where('id', '=', project.id).execute()
  const since = new Date(isStored ? 0 : Date.now())
  await server.db.insertInto('unfilled_case_field_values').values({ project_id: project.id, since }).execute()
  if (isStored) await fieldValuesJob.run(server.db, new AbortController().signal)
  await sql`analyze case_field_values`.execute(server.db)
  const get = async <T = { data: TestCase[]; meta: { total: number } }>(query: string) =>
    (
      await server.request<T & Problem>('GET', `/v1/projects/${project.id}/test-cases?${query}`, {
        token: project.admin.token,
      })
    ).body
  return { project, cases, get }
}

/** What a list answers to queries: the status, the code and the paths of the errors of each. */
export async function readRefusals(
  get: (query: string) => Promise<unknown> | undefined,
  queries: readonly string[],
): Promise<unknown[]> {
  const refusals: unknown[] = []
  for (const query of queries) {
    const problem = (await get(query)) as Problem | undefined
    refusals.push([query, problem?.status, problem?.code, problem?.errors?.map((error) => error.path)])
  }
  return refusals
}
