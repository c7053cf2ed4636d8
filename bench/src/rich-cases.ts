import type pg from 'pg'

import type { Connection } from '@caseward/embedded-postgres'

import { measureVersions } from './case-versions.ts'
import { boundFigure, type Figure, growthFigure, rateFigure, timeFigure } from './figures.ts'
import { compareThroughput, measureInterleaved, throughput } from './measure.ts'
import { createSender, deleteProject, getIds, headers, type Send, seedReachable } from './rich-cases-projects.ts'
import { measureIndexKb } from './rows.ts'
import { createRun } from './runs.ts'
import { addCases, type SeededProject, vacuumAnalyze } from './seed.ts'
import type { Server } from './servers.ts'

interface RichCasesBench {
  connection: Connection
  client: pg.Client
  caseward: Server
}

const ROUNDS = 7
/** Fields, versions, shared steps and configurations of test cases. */
export async function measureRichCases({ connection, client, caseward }: RichCasesBench): Promise<Figure[]> {
  const send = createSender(caseward)
  return [
    ...(await measureFields(client, caseward, send)),
    ...(await measureVersions({ connection, client, caseward })),
    await measureSharedSteps(client, caseward, send),
    ...(await measureCombinations(client, caseward, send)),
  ]
}

const FIELDS = [
  {
    key: 'severity',
    name: 'Severity',
    type: 'select',
    options: ['a', 'b', 'c', 'd', 'e'].map((key) => ({ key, label: key })),
  },
  { key: 'risk', name: 'Risk', type: 'number', min: 0, max: 10, decimals: 1 },
  { key: 'component', name: 'Component', type: 'text' },
  { key: 'due', name: 'Due', type: 'date' },
  { key: 'is_manual', name: 'Manual', type: 'checkbox' },
  { key: 'area', name: 'Area', type: 'text' },
] as const

const makeValues = (index: number) => ({
  severity: 'abcde'[index % 5],
  risk: (index % 100) / 10,
  component: `Component ${index % 40}`,
  due: `2026-0${(index % 9) + 1}-11`,
  is_manual: index % 2 === 0,
  area: `Area ${index % 12}`,
})

async function measureFields(client: pg.Client, caseward: Server, send: Send): Promise<Figure[]> {
  const [small, large] = [await seedReachable(client, caseward, 10_000), await seedReachable(client, caseward, 100_000)]
  for (const { projectId } of [small, large]) {
    for (const field of FIELDS) await send('POST', `/v1/projects/${projectId}/fields`, field)
    // The numbers of fields and options are those of their order.
    await client.query(
      `update test_cases set fields = jsonb_build_object(
         '1', number % 5 + 1, '2', (number % 100)::numeric / 10, '3', 'Component ' || number % 40)
       where project_id = $1`,
      [projectId],
    )
    await client.query(
      `insert into case_field_values (project_id, field, value, number)
       select project_id, v.key::smallint, v.value::text::float8, number
       from test_cases cross join lateral jsonb_each(fields) v where project_id = $1 and v.key <> '3'`,
      [projectId],
    )
  }
  const created = await seedReachable(client, caseward, 1)
  const withFields = await seedReachable(client, caseward, 1)
  for (const field of FIELDS) await send('POST', `/v1/projects/${withFields.projectId}/fields`, field)
  const create = async ({ projectId }: SeededProject, hasFields: boolean) => {
    for (let start = 0; start < 10_000; start += CASES_PER_REQUEST) {
      const test_cases = Array.from({ length: CASES_PER_REQUEST }, (_, index) => ({
        title: `A customer pays in way ${start + index}`,
        ...(hasFields ? { fields: makeValues(start + index) } : {}),
      }))
      await send('POST', `/v1/projects/${projectId}/test-cases/bulk`, { test_cases })
    }
  }
  const creating = await measureInterleaved(3, {
    plain: () => create(created, false),
    fields: () => create(withFields, true),
  })
  await vacuumAnalyze(client)
  const list = ({ projectId }: SeededProject, query: string) => ({
    url: `${caseward.url}/v1/projects/${projectId}/test-cases?per_page=50&${query}`,
    headers,
  })
  const figures = [
    timeFigure('13. Creating 10,000 cases with 6 fields; reference: without', creating.fields, creating.plain, 1.5),
  ]
  for (const [what, query, most] of [
    // Matches are counted up to 10,000, which is five times as many as in the small project (ARCHITECTURE.md, "Custom fields").
    ['with an option', 'field.severity=b', 1.75],
    ['within a range', 'field.risk.min=7&field.risk.max=7.2', 1.5],
    ['sorted by a number', 'sort=field.risk', 1.5],
  ] as const) {
    const rates = await compareThroughput(list(large, query), list(small, query))
    const title = `13. A page of test cases ${what}, of 100,000`
    figures.push({
      ...growthFigure(`${title}; reference: of 10,000`, rates.measured, rates.reference, rates.ratio),
      limit: { at: 'most', value: most, unit: '×' },
    })
    const read = async () => await (await fetch(list(large, query).url, { headers })).arrayBuffer()
    const { page } = await measureInterleaved(3 * ROUNDS, { page: read })
    figures.push(boundFigure(`${title}, for one client`, page, 50, 'ms'))
  }
  const indexKb = await measureIndexKb(caseward, small, '&columns=severity,risk,component')
  figures.push(boundFigure('13. Rows of 10,000 test cases with 3 fields, compressed', indexKb, 420, 'KB'))
  for (const { projectId } of [small, large, created, withFields]) await deleteProject(client, projectId)
  return figures
}

const CASES_PER_REQUEST = 100

async function measureSharedSteps(client: pg.Client, caseward: Server, send: Send): Promise<Figure> {
  const { projectId } = await seedReachable(client, caseward, 1)
  const path = `/v1/projects/${projectId}`
  const steps = [
    { action: 'Open the sign-in page', expected: 'The form is shown' },
    { action: 'Sign in', expected: 'The overview is shown' },
  ]
  const { data: shared } = (await send('POST', `${path}/shared-steps`, { title: 'Sign in', steps })) as {
    data: { id: string }
  }
  for (let start = 0; start < 5000; start += CASES_PER_REQUEST) {
    const test_cases = Array.from({ length: CASES_PER_REQUEST }, (_, index) => ({
      title: `Case ${start + index}`,
      steps: [{ shared_step_id: shared.id }, { position: 2, action: 'Pay', expected: 'Paid' }],
    }))
    await send('POST', `${path}/test-cases/bulk`, { test_cases })
  }
  const { projectId: plainId } = await seedReachable(client, caseward, 1)
  await addCases(client, plainId, 5000)
  await vacuumAnalyze(client)
  let round = 0
  const times = await measureInterleaved(ROUNDS, {
    plain: () =>
      client.query(
        `update test_cases set steps = $2, version = version + 1, updated_at = now() where project_id = $1`,
        [
          plainId,
          JSON.stringify(
            steps.map((step, index) => ({ position: index + 1, ...step, action: `${step.action} ${(round += 1)}` })),
          ),
        ],
      ),
    shared: () =>
      send('PATCH', `${path}/shared-steps/${shared.id}`, {
        steps: steps.map((step) => ({ ...step, action: `${step.action} ${(round += 1)}` })),
        apply_to: 'all',
      }),
  })
  for (const id of [projectId, plainId]) await deleteProject(client, id)
  const title = '13. Changing shared steps of 5,000 test cases; reference: a bare update of as many'
  return timeFigure(title, times.shared, times.plain, 2)
}

async function measureCombinations(client: pg.Client, caseward: Server, send: Send): Promise<Figure[]> {
  const { projectId } = await seedReachable(client, caseward, 12_000)
  const groups = { browser: ['chrome', 'firefox', 'safari'], system: ['windows', 'linux'] }
  for (const [group, keys] of Object.entries(groups)) {
    for (const key of keys) {
      const body = { group_key: group, group_name: group, key, name: key }
      await send('POST', `/v1/projects/${projectId}/configurations`, body)
    }
  }
  const create = async (body: object) => {
    const run = (await send('POST', `/v1/projects/${projectId}/runs`, { name: 'Release', ...body })) as {
      data: { id: string }
    }
    return run.data.id
  }
  const combined = { test_case_ids: getIds(2000), configurations: { groups } }
  const creating = await measureInterleaved(ROUNDS, {
    plain: () => createRun(caseward, projectId),
    combined: () => create(combined),
  })
  const [all, plain, grid] = [
    await createRun(caseward, projectId),
    await create({ test_case_ids: getIds(2000) }),
    await create(combined),
  ]
  await vacuumAnalyze(client)
  let round = 0
  const setMany = async (runId: string, isGrid: boolean) => {
    round += 1
    const results = Array.from({ length: 10_000 }, (_, index) => ({
      test_case_id: `WEB-${(isGrid ? index % 2000 : index) + 1}`,
      status: (index + Math.floor(round / 2)) % 7 === 0 ? 'failed' : 'passed',
      ...(isGrid ? { place: Math.floor(index / 2000) + 1 } : {}),
    }))
    await send('POST', `/v1/runs/${runId}/results/bulk`, { results })
  }
  const many = await measureInterleaved(ROUNDS, { plain: () => setMany(all, false), grid: () => setMany(grid, true) })
  const setOne = async (path: string) => {
    round += 1
    for (let number = 1; number <= 50; number += 1) {
      const status = (round + number) % 4 < 2 ? 'passed' : 'blocked'
      await send('PUT', path.replace('WEB-1', `WEB-${number}`), { status })
    }
  }
  const one = await measureInterleaved(ROUNDS, {
    plain: () => setOne(`/v1/runs/${plain}/results/WEB-1`),
    grid: () => setOne(`/v1/runs/${grid}/results/WEB-1/combinations/1`),
  })
  // Rows say who tested, and when, with combinations or without.
  const results = getIds(2000).map((id) => ({ test_case_id: id, status: 'passed' }))
  await send('POST', `/v1/runs/${plain}/results/bulk`, { results })
  await vacuumAnalyze(client)
  const list = (runId: string) => ({
    url: `${caseward.url}/v1/runs/${runId}/results?fields=row&per_page=2000`,
    headers,
  })
  const rates = await throughput({ plain: list(plain), grid: list(grid) })
  await deleteProject(client, projectId)
  return [
    timeFigure(
      '13. Creating a run of 2,000 cases with 6 combinations each; reference: a run of 12,000 cases',
      creating.combined,
      creating.plain,
      // Pages with space for settings make it dearer (ARCHITECTURE.md, "The database").
      0.7,
    ),
    timeFigure('13. Setting 10,000 combinations; reference: 10,000 results', many.grid, many.plain, 1.6),
    timeFigure('13. Setting one combination; reference: one result', one.grid / 50, one.plain / 50, 1.3),
    rateFigure('13. 2,000 rows of a run with 6 combinations each; reference: without', rates.grid, rates.plain, 0.8),
  ]
}
