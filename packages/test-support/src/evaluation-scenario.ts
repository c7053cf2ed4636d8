import type { Evaluation } from '@caseward/contract/evaluation'
import type { Run } from '@caseward/contract/run-schemas'
import type { TestVerdict } from '@caseward/contract/verdicts'
import type { TestServer } from './test-server.ts'
import { makeTest, makeTestsScenario } from './tests-scenario.ts'
import { sql } from 'kysely'

type Status = 'passed' | 'failed' | 'blocked' | 'interrupted' | 'skipped'

/** A test by its name: its attempts, and the message of those that failed. */
export type Outcomes = Readonly<
  Record<string, Status | readonly Status[] | { statuses: readonly Status[]; message: string }>
>

export interface NewBuild {
  metadata?: Record<string, string>
  /** Whether the run stays open; it is completed by default. */
  isOpen?: boolean
  upload?: object
  /** How long ago it was created. */
  daysAgo?: number
}

const toTest = (name: string, outcome: Outcomes[string]) => {
  const { statuses, message } =
    typeof outcome === 'object' && 'message' in outcome
      ? outcome
      : { statuses: [outcome].flat(), message: `The cart of ${name} lost its contents` }
  return {
    ...makeTest(name, [...statuses]),
    attempts: statuses.map((status) => ({
      status,
      elapsed_ms: 10,
      ...(status === 'passed' || status === 'skipped' ? {} : { message, details: '' }),
    })),
  }
}

/** A project whose runs come from builds of branches. */
export async function makeEvaluationScenario(server: TestServer) {
  const scenario = await makeTestsScenario(server)
  const { token, ci } = scenario
  let count = 0

  const upload = async (runId: string, outcomes: Outcomes, fields: object = {}) => {
    const tests = Object.entries(outcomes).map(([name, outcome]) => toTest(name, outcome))
    const response = await server.request('POST', '/v1/results', {
      token: ci,
      body: { run_id: runId, format: 'tests', tests, ...fields },
    })
    if (![200, 207].includes(response.status)) throw new Error(JSON.stringify(response.body))
  }

  /** A run of a build that has reported these outcomes. */
  const build = async (
    outcomes: Outcomes,
    { metadata = { branch: 'main' }, isOpen = false, upload: fields = {}, daysAgo }: NewBuild = {},
  ): Promise<Run> => {
    count += 1
    const run = await scenario.makeRunByKey(`build of ${count}`, { metadata: { default_branch: 'main', ...metadata } })
    await upload(run.id, outcomes, fields)
    if (daysAgo !== undefined) {
      await sql`update runs set created_at = now() - make_interval(days => ${daysAgo}) where id = ${run.id}`.execute(
        server.db,
      )
    }
    if (!isOpen) await patch(run.id, { status: 'completed' })
    return run
  }

  const patch = async (runId: string, body: object) => {
    const response = await server.request('PATCH', `/v1/runs/${runId}`, { token, body })
    if (response.status !== 200) throw new Error(JSON.stringify(response.body))
  }

  const get = async <T>(path: string) => {
    const response = await server.request<T>('GET', path, { token })
    if (response.status !== 200) throw new Error(JSON.stringify(response.body))
    return response.body
  }

  const evaluate = async (runId: string) => (await get<{ data: Evaluation }>(`/v1/runs/${runId}/evaluation`)).data
  const listVerdicts = async (runId: string, query = '') => {
    await evaluate(runId)
    return (await get<{ data: TestVerdict[] }>(`/v1/runs/${runId}/verdicts?per_page=500&${query}`)).data
  }
  /** The verdict of each test by name; those that block end with `!`. */
  const getVerdicts = async (runId: string, query = ''): Promise<Record<string, string>> =>
    Object.fromEntries(
      (await listVerdicts(runId, query)).map(({ name, verdict, blocks }) => [name, `${verdict}${blocks ? '!' : ''}`]),
    )
  const quarantine = async (testId: string, branches: string[] = [], days = 14) => {
    await sql`
      insert into quarantines (project_id, id, test_id, reason, branches, expires_at)
      values (${scenario.project.id}, gen_random_uuid(), ${testId}, 'flaps', ${branches}, now() + make_interval(days => ${days}))`.execute(
      server.db,
    )
  }
  const listFlakeEvents = async () => {
    const { rows } = await sql<{ name: string; kind: string; commit_key: string }>`
      select t.name, e.kind, e.commit_key from flake_events e join tests t on t.project_id = e.project_id and t.id = e.test_id
      where e.project_id = ${scenario.project.id} order by t.name, e.at`.execute(server.db)
    return rows
  }
  const findTestId = async (name: string) => {
    const { rows } = await sql<{ id: string }>`
      select id from tests where project_id = ${scenario.project.id} and name = ${name}`.execute(server.db)
    return rows[0]?.id ?? ''
  }
  return {
    ...scenario,
    upload,
    build,
    patch,
    get,
    evaluate,
    listVerdicts,
    getVerdicts,
    quarantine,
    listFlakeEvents,
    findTestId,
  }
}
