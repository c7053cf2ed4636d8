import { randomUUID } from 'node:crypto'

import type pg from 'pg'

import { measureInterleaved } from './measure.ts'
import type { SeededProject } from './seed.ts'
import { type Server, TOKEN } from './servers.ts'

/** Compares creating a run of all test cases of a project with the bare `insert … select`: median times in milliseconds. */
export async function compareRunCreation(
  client: pg.Client,
  { url }: Server,
  { projectId }: SeededProject,
  rounds: number,
) {
  return await measureInterleaved(rounds, {
    bare: () =>
      client.query(
        `insert into test_results (project_id, run_id, id, case_number, title)
         select project_id, $2, gen_random_uuid(), number, title from test_cases where project_id = $1`,
        [projectId, randomUUID()],
      ),
    caseward: async () => {
      const response = await fetch(`${url}/v1/projects/${projectId}/runs`, {
        method: 'POST',
        headers: { authorization: `Bearer ${TOKEN}`, 'content-type': 'application/json' },
        body: JSON.stringify({ name: 'Nightly' }),
      })
      if (response.status !== 201) throw new Error(`${response.status}: ${await response.text()}`)
      await response.arrayBuffer()
    },
  })
}
