import type { Health } from '@caseward/contract/health-schemas'
import { makeEvaluationScenario, type NewBuild, type Outcomes } from './evaluation-scenario.ts'
import type { TestServer } from './test-server.ts'
import { sql } from 'kysely'

import { readHealth } from '@caseward/server/features/health/read-health'

/** Builds whose times a test chooses, and their health. */
export async function makeHealthScenario(server: TestServer) {
  const scenario = await makeEvaluationScenario(server)
  const { project, build, evaluate, get } = scenario
  return {
    ...scenario,
    /** A run that was created, and whose reports came, at a time. */
    buildAt: async (at: string, outcomes: Outcomes, options: NewBuild = {}) => {
      const run = await build(outcomes, { metadata: { branch: 'main' }, ...options })
      await sql`update runs set created_at = ${at} where id = ${run.id}`.execute(server.db)
      await sql`update run_uploads set uploaded_at = ${at} where run_id = ${run.id}`.execute(server.db)
      await evaluate(run.id)
      return run.id
    },
    read: async (now: string, query: Parameters<typeof readHealth>[2] = {}) =>
      await readHealth(server.db, project.id, query, new Date(now)),
    getHealth: async (query = '') => (await get<{ data: Health }>(`/v1/projects/${project.id}/health?${query}`)).data,
  }
}
