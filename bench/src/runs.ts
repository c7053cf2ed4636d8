import { randomUUID } from 'node:crypto'

import type pg from 'pg'

import { measureInterleaved } from './measure.ts'
import { RUN_GROUP, type SeededProject } from './seed.ts'
import { type Server, TOKEN } from './servers.ts'

/** Compares creating a run of all test cases of a project with the bare `insert … select`: median times in milliseconds. */
export async function compareRunCreation(
  client: pg.Client,
  server: Server,
  { projectId }: SeededProject,
  rounds: number,
) {
  return await measureInterleaved(rounds, {
    bare: () =>
      client.query(
        `insert into test_results (project_id, run_id, run_group, id, case_number, title)
         select project_id, $2, (select ${RUN_GROUP} from projects where id = $1), gen_random_uuid(), number, title
         from test_cases where project_id = $1`,
        [projectId, randomUUID()],
      ),
    caseward: () => createRun(server, projectId),
  })
}

/** Creates a run of all test cases of a project and returns its id. */
export async function createRun({ url }: Server, projectId: string): Promise<string> {
  const response = await fetch(`${url}/v1/projects/${projectId}/runs`, {
    method: 'POST',
    headers: { authorization: `Bearer ${TOKEN}`, 'content-type': 'application/json' },
    body: JSON.stringify({ name: 'Nightly' }),
  })
  if (response.status !== 201) throw new Error(`${response.status}: ${await response.text()}`)
  const { data } = (await response.json()) as { data: { id: string } }
  return data.id
}

/** Deletes a run with its results. */
export async function deleteRun({ url }: Server, id: string): Promise<void> {
  const response = await fetch(`${url}/v1/runs/${id}`, {
    method: 'DELETE',
    headers: { authorization: `Bearer ${TOKEN}` },
  })
  if (response.status !== 200) throw new Error(`${response.status}: ${await response.text()}`)
  await response.arrayBuffer()
}
