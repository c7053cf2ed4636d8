import type pg from 'pg'

import { compareLoads, type Load } from './measure.ts'
import type { SeededProject } from './seed.ts'
import { type Server, TOKEN } from './servers.ts'

/** The load of one read: Caseward's, and the bare handlers' whose rows JavaScript or PostgreSQL serializes. */
export interface ReadLoads {
  caseward: Load
  js: Load
  pg: Load
}

export const READS = ['results', 'test-cases', 'projects', 'test-case'] as const
export type ReadName = (typeof READS)[number]

/** How the table names the reads. */
export const READ_TITLES: Record<ReadName, string> = {
  results: 'GET /v1/runs/:rid/results',
  'test-cases': 'GET …/test-cases',
  projects: 'GET /v1/projects',
  'test-case': 'GET …/test-cases/:id',
}

/** Caseward's path and the bare handler's. */
const paths: Record<ReadName, (seeded: SeededProject, userId: string) => [string, string]> = {
  results: ({ runId }) => [`/v1/runs/${runId}/results`, `results/${runId}`],
  'test-cases': ({ projectId }) => [`/v1/projects/${projectId}/test-cases`, `test-cases/${projectId}`],
  projects: (_seeded, userId) => ['/v1/projects', `projects/${userId}`],
  'test-case': ({ projectId }) => [`/v1/projects/${projectId}/test-cases/WEB-77`, `test-case/${projectId}/77`],
}

/** The path of a read of Caseward. */
export const getReadPath = (name: ReadName, seeded: SeededProject): string => paths[name](seeded, '')[0]

/** Compares the four reads with their bare handlers, alternately. */
export async function compareReads(
  client: pg.Client,
  caseward: Server,
  reference: Server,
  seeded: SeededProject,
): Promise<Record<ReadName, ReadLoads>> {
  const { rows } = await client.query<{ id: string }>('select id from users limit 1')
  const userId = rows[0]?.id ?? ''
  const loads: [ReadName, ReadLoads][] = []
  for (const name of READS) {
    const [path, bare] = paths[name](seeded, userId)
    loads.push([
      name,
      await compareLoads({
        caseward: { server: caseward, url: caseward.url + path, headers: { authorization: `Bearer ${TOKEN}` } },
        js: { server: reference, url: `${reference.url}/js/${bare}` },
        pg: { server: reference, url: `${reference.url}/pg/${bare}` },
      }),
    ])
  }
  return Object.fromEntries(loads) as Record<ReadName, ReadLoads>
}
