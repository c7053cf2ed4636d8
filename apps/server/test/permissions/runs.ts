import { makeMilestone, makeRun, makeTestCase } from '@caseward/test-support/factories'
import type { Scenario } from './scenario.ts'
import { type Prepare, table } from './table.ts'

/** A run over one case, which is what `:id` stands for. */
export async function runOverOneCase({ server, project }: Pick<Scenario, 'server' | 'project'>) {
  const { id } = await makeTestCase(server, project)
  return { id, rid: (await makeRun(server, project, { test_case_ids: [id] })).id }
}

const newRun: Prepare = async ({ server, project }) => ({
  body: { name: 'Nightly', test_case_ids: [(await makeTestCase(server, project)).id] },
})
const aRun: Prepare = async (scene) => ({ ids: await runOverOneCase(scene) })
let keys = 0
const runOfNewKey: Prepare = () => {
  keys += 1
  return { body: { name: 'Nightly', run_key: `build ${keys}` } }
}
const runOfKnownKey: Prepare = async ({ server, project }) => {
  keys += 1
  const body = { name: 'Nightly', run_key: `build ${keys}` }
  await server.request('POST', `/v1/projects/${project.id}/runs`, { token: project.admin.token, body })
  return { body }
}
const aShard: Prepare = async (scene) => ({ ids: { ...(await runOverOneCase(scene)), name: '1' } })
const completedRun: Prepare = async (scene) => ({ ...(await aRun(scene)), body: { status: 'completed' } })
const oneMoreCase: Prepare = async (scene) => ({
  ids: await runOverOneCase(scene),
  body: { test_case_ids: [(await makeTestCase(scene.server, scene.project)).id] },
})

export const runs = table`
  none wrng rvkd expd  read view memb admn othr  ci-r ci-w ci-o  sess csrf
  401  401  401  401   200  200  200  200  403m  200  200  403m  200  200   GET    /v1/projects/:pid/runs
  401  401  401  401   403t 403r 201  201  403m  403t 201  403m  201  403o  POST   /v1/projects/:pid/runs ${newRun}
  401  401  401  401   403t 403r 201  201  403m  403t 201  403m  201  403o  POST   /v1/projects/:pid/runs ${runOfNewKey}
  401  401  401  401   403t 403r 200= 200= 403m  403t 200= 403m  200= 403o  POST   /v1/projects/:pid/runs ${runOfKnownKey}
  401  401  401  401   200  200  200  200  403m  200  200  403m  200  200   GET    /v1/runs/:rid ${aRun}
  401  401  401  401   403t 403r 200  200  403m  403t 200  403m  200  403o  PATCH  /v1/runs/:rid ${completedRun}
  401  401  401  401   403t 403r 200  200  403m  403p 403p 403m  200  403o  DELETE /v1/runs/:rid ${aRun}
  401  401  401  401   403t 403r 200  200  403m  403p 403p 403m  200  403o  POST   /v1/runs/:rid/test-cases ${oneMoreCase}
  401  401  401  401   403t 403r 200  200  403m  403t 200  403m  200  403o  POST   /v1/runs/:rid/shards/:name/done ${aShard}
`

const createItem = (id: string) => ({ test_case_id: id, status: 'passed' })
const pickExisting = (id: string) => [createItem(id), createItem('WEB-999999')]

const passedResult: Prepare = async (scene) => ({ ids: await runOverOneCase(scene), body: { status: 'passed' } })
const allResults: Prepare = async (scene) => {
  const ids = await runOverOneCase(scene)
  return { ids, body: { results: [createItem(ids.id)] } }
}
const someResults: Prepare = async (scene) => {
  const ids = await runOverOneCase(scene)
  return { ids, body: { results: pickExisting(ids.id) } }
}

export const results = table`
  none wrng rvkd expd  read view memb admn othr  ci-r ci-w ci-o  sess csrf
  401  401  401  401   200  200  200  200  403m  200  200  403m  200  200   GET    /v1/runs/:rid/results ${aRun}
  401  401  401  401   403t 403r 200  200  403m  403p 403p 403m  200  403o  PUT    /v1/runs/:rid/results/:id ${passedResult}
  401  401  401  401   403t 403r 200  200  403m  403p 403p 403m  200  403o  POST   /v1/runs/:rid/results/bulk ${allResults}
  401  401  401  401   403t 403r 207  207  403m  403p 403p 403m  207  403o  POST   /v1/runs/:rid/results/bulk ${someResults}
`

const upload: Prepare = async (scene) => {
  const { id, rid } = await runOverOneCase(scene)
  return { body: { run_id: rid, results: [createItem(id)] } }
}
const partialUpload: Prepare = async (scene) => {
  const { id, rid } = await runOverOneCase(scene)
  return { body: { run_id: rid, results: pickExisting(id) } }
}
const dryRun: Prepare = async (scene) => {
  const { id, rid } = await runOverOneCase(scene)
  return { body: { run_id: rid, results: [createItem(id)], dry_run: true } }
}
const junitUpload: Prepare = async (scene) => {
  const { id, rid } = await runOverOneCase(scene)
  return { body: { run_id: rid, junit_xml: `<testsuite><testcase name="${id} pays"/></testsuite>` } }
}
const xmlUpload: Prepare = async (scene) => {
  const { id, rid } = await runOverOneCase(scene)
  return {
    query: `?run_id=${rid}`,
    headers: { 'content-type': 'application/xml' },
    body: `<testsuite><testcase name="${id} pays"/></testsuite>`,
  }
}

export const uploads = table`
  none wrng rvkd expd  read view memb admn othr  ci-r ci-w ci-o  sess csrf
  401  401  401  401   403c 403c 403c 403c 403c  403t 200  404   403c 403o  POST /v1/results ${upload}
  401  401  401  401   403c 403c 403c 403c 403c  403t 207  404   403c 403o  POST /v1/results ${partialUpload}
  401  401  401  401   403c 403c 403c 403c 403c  403t 200= 404   403c 403o  POST /v1/results ${dryRun}
  401  401  401  401   403c 403c 403c 403c 403c  403t 200  404   403c 403o  POST /v1/results ${junitUpload}
  401  401  401  401   403c 403c 403c 403c 403c  403t 200  404   403c 403o  POST /v1/results ${xmlUpload}
`

const newMilestone: Prepare = () => ({ body: { name: 'Release 2.0' } })
const aMilestone: Prepare = async ({ server, project }) => ({ ids: { id: (await makeMilestone(server, project)).id } })
const completedMilestone: Prepare = async (scene) => ({ ...(await aMilestone(scene)), body: { status: 'completed' } })

export const milestones = table`
  none wrng rvkd expd  read view memb admn othr  ci-r ci-w ci-o  sess csrf
  401  401  401  401   200  200  200  200  403m  200  200  403m  200  200   GET    /v1/projects/:pid/milestones
  401  401  401  401   200  200  200  200  403m  200  200  403m  200  200   GET    /v1/projects/:pid/milestones/:id ${aMilestone}
  401  401  401  401   403t 403r 201  201  403m  403p 403p 403m  201  403o  POST   /v1/projects/:pid/milestones ${newMilestone}
  401  401  401  401   403t 403r 200  200  403m  403p 403p 403m  200  403o  PATCH  /v1/projects/:pid/milestones/:id ${completedMilestone}
  401  401  401  401   403t 403r 204  204  403m  403p 403p 403m  204  403o  DELETE /v1/projects/:pid/milestones/:id ${aMilestone}
`
