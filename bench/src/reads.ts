import type pg from 'pg'

import { throughput } from './measure.ts'
import type { SeededProject } from './seed.ts'
import { type Server, TOKEN } from './servers.ts'

/** Requests per second of one read: Caseward's, and the bare handlers' whose rows JavaScript or PostgreSQL serializes. */
export interface ReadRates {
  caseward: number
  js: number
  pg: number
}

export const READS = ['results', 'test-cases', 'projects', 'test-case'] as const
export type ReadName = (typeof READS)[number]

/** Caseward's path and the bare handler's. */
const paths: Record<ReadName, (seeded: SeededProject, userId: string) => [string, string]> = {
  results: ({ runId }) => [`/v1/runs/${runId}/results`, `results/${runId}`],
  'test-cases': ({ projectId }) => [`/v1/projects/${projectId}/test-cases`, `test-cases/${projectId}`],
  projects: (_seeded, userId) => ['/v1/projects', `projects/${userId}`],
  'test-case': ({ projectId }) => [`/v1/projects/${projectId}/test-cases/WEB-77`, `test-case/${projectId}/77`],
}

/** Compares the four reads with their bare handlers, alternately. */
export async function compareReads(
  client: pg.Client,
  caseward: Server,
  reference: Server,
  seeded: SeededProject,
): Promise<Record<ReadName, ReadRates>> {
  const { rows } = await client.query<{ id: string }>('select id from users limit 1')
  const userId = rows[0]?.id ?? ''
  const rates: [ReadName, ReadRates][] = []
  for (const name of READS) {
    const [path, bare] = paths[name](seeded, userId)
    rates.push([
      name,
      await throughput({
        caseward: { url: caseward.url + path, headers: { authorization: `Bearer ${TOKEN}` } },
        js: { url: `${reference.url}/js/${bare}` },
        pg: { url: `${reference.url}/pg/${bare}` },
      }),
    ])
  }
  return Object.fromEntries(rates) as Record<ReadName, ReadRates>
}
