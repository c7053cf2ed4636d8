import { type Server, TOKEN } from '../servers.ts'

const CASES = 10_000
const CASES_PER_REQUEST = 100
const AREAS = 20
/** Each area contains others, so that there are 200 folders. */
const FOLDERS_PER_AREA = 9
const RUNS = 200
export const RESULTS_PER_RUN = 2000

const actors = ['A customer', 'A guest', 'An administrator', 'A support agent', 'A returning customer']
const actions = [
  'pays by card',
  'cancels the order',
  'changes the address',
  'redeems a voucher',
  'downloads the invoice',
]
const places = [
  'in the web shop',
  'on a phone',
  'with a slow connection',
  'after the session ended',
  'without a basket',
]
const priorities = ['critical', 'high', 'medium', 'low'] as const

/** A project of the size that the pages are measured with. */
export interface WebProject {
  projectId: string
  /** The latest run; its first results are not tested yet. */
  runId: string
}

/**
 * Creates 10,000 test cases in 200 folders, and 200 runs with 2,000 results, as clients do. Every title ends with an order
 * number, so that each further letter of it in the search changes the list.
 */
export async function seedWeb({ url }: Server): Promise<WebProject> {
  async function post<T>(path: string, body: object, token = TOKEN): Promise<T> {
    const response = await fetch(`${url}${path}`, {
      method: 'POST',
      headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
      body: JSON.stringify(body),
    })
    if (!response.ok) throw new Error(`POST ${path}: ${response.status} ${await response.text()}`)
    return ((await response.json()) as { data: T }).data
  }

  const { id: projectId } = await post<{ id: string }>('/v1/projects', { name: 'Web shop', prefix: 'WEB' })
  const project = `/v1/projects/${projectId}`
  const { token: ciToken } = await post<{ token: string }>(`${project}/tokens`, { name: 'CI' })
  const folders: string[] = []
  for (let area = 1; area <= AREAS; area += 1) {
    const { id } = await post<{ id: string }>(`${project}/folders`, { name: `Area ${area}` })
    folders.push(id)
    for (let part = 1; part <= FOLDERS_PER_AREA; part += 1) {
      folders.push((await post<{ id: string }>(`${project}/folders`, { name: `Part ${part}`, parent_id: id })).id)
    }
  }
  for (let first = 1; first <= CASES; first += CASES_PER_REQUEST) {
    const test_cases = Array.from({ length: CASES_PER_REQUEST }, (_, index) => describeCase(first + index, folders))
    await post(`${project}/test-cases/bulk`, { test_cases })
  }
  let runId = ''
  for (let run = 1; run <= RUNS; run += 1) {
    const ids = Array.from({ length: RESULTS_PER_RUN }, (_, index) => `WEB-${index + 1}`)
    const { id } = await post<{ id: string }>(`${project}/runs`, { name: `Nightly ${run}`, test_case_ids: ids })
    const results = ids.slice(run === RUNS ? RESULTS_PER_RUN / 2 : 0).map((test_case_id, index) => ({
      test_case_id,
      status: (index + run) % 20 === 0 ? 'failed' : 'passed',
      note: (index + run) % 20 === 0 ? 'The page shows an error instead of the receipt.' : null,
      elapsed: (index + run) % 60,
    }))
    await post('/v1/results', { run_id: id, results }, ciToken)
    runId = id
  }
  return { projectId, runId }
}

function describeCase(number: number, folders: readonly string[]) {
  const pick = <T>(values: readonly T[], step: number) => values[Math.floor(number / step) % values.length] as T
  return {
    title: `${pick(actors, 1)} ${pick(actions, 5)} ${pick(places, 25)}, order ${getOrderNumber(number)}`,
    folder_id: pick(folders, CASES / folders.length),
    priority: pick(priorities, 3),
    tags: [pick(['smoke', 'regression', 'checkout', 'account'], 7)],
    precondition: 'A customer with an account and an article in the basket',
    steps: [
      { position: 1, action: 'Open the shop', expected: 'The start page appears' },
      { position: 2, action: 'Go to the basket', expected: 'The article is listed' },
    ],
  }
}

/** Six digits that look random: 7,919 and a million have no common divisor, so that no two test cases have the same. */
export const getOrderNumber = (number: number) => String((number * 7919 * 31) % 1_000_000).padStart(6, '0')
