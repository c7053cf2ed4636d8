import { makeConfigurations, makeRun, makeTestCase } from '@caseward/test-support/factories'

import { makeRunOfOneCase } from './runs.ts'
import type { Scenario } from './scenario.ts'
import { type Prepare, table } from './table.ts'

let configurationCount = 0

/** Creates a run of one test case that is tested with one configuration. */
async function makeCombination({ server, project }: Scenario) {
  configurationCount += 1
  const group = `r${configurationCount}`
  // A project has only 20 groups in use.
  await server.db
    .updateTable('configurations')
    .set({ retired_at: new Date() })
    .where('project_id', '=', project.id)
    .execute()
  await makeConfigurations(server, project, { [group]: ['one', 'two'] })
  const { id } = await makeTestCase(server, project)
  const configurations = { groups: { [group]: ['one'] } }
  const run = await makeRun(server, project, { test_case_ids: [id], configurations })
  return { group, ids: { id, runId: run.id, place: '1' } }
}

const existing: Prepare = async (scenario) => ({ ids: (await makeCombination(scenario)).ids })
const passed: Prepare = async (scenario) => ({
  ids: (await makeCombination(scenario)).ids,
  body: { status: 'passed' },
})
const changed: Prepare = async (scenario) => {
  const { group, ids } = await makeCombination(scenario)
  return { ids, body: { add: { groups: { [group]: ['two'] } }, remove: [1] } }
}
/** A result without combinations. */
const missing: Prepare = async (scenario) => ({ ids: { ...(await makeRunOfOneCase(scenario)), place: '1' } })
const passedMissing: Prepare = async (scenario) => ({ ...(await missing(scenario)), body: { status: 'passed' } })

export const combinations = table`
    none  bad-token  read-only  viewer   member   admin    outsider  ci-read    ci-write  ci-other  session  cross-site
  GET /v1/runs/:runId/combinations ${existing}
    401   401        200        200      200      200      outsider  200        200       outsider  200      200
  GET /v1/runs/:runId/combination-rows ${existing}
    401   401        200        200      200      200      outsider  200        200       outsider  200      200
  GET /v1/runs/:runId/results/:id/combinations ${existing}
    401   401        200        200      200      200      outsider  200        200       outsider  200      200
  PUT /v1/runs/:runId/results/:id/combinations/:place ${passed}
    401   401        read-only  role     200      200      outsider  personal   personal  outsider  200      origin
  DELETE /v1/runs/:runId/results/:id/combinations/:place ${existing}
    401   401        read-only  role     200      200      outsider  personal   personal  outsider  200      origin
  PATCH /v1/runs/:runId/configurations ${changed}
    401   401        read-only  role     200      200      outsider  personal   personal  outsider  200      origin
  PUT /v1/runs/:runId/results/:id/combinations/:place ${passedMissing}
    401   401        read-only  role     404      404      outsider  personal   personal  outsider  404      origin
  DELETE /v1/runs/:runId/results/:id/combinations/:place ${missing}
    401   401        read-only  role     404      404      outsider  personal   personal  outsider  404      origin
`
