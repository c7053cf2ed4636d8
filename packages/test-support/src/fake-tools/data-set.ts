/*
 * One project of a test management tool, from which each fake tool answers in its own words: three suites, 130 test cases, 6 runs
 * with 400 results, 30 files. It follows from numbers, so that it is the same in every test. The largest lists have three and more
 * of the pages of the fake tools.
 */

export interface DataStep {
  readonly action: string
  readonly data: string
  readonly expected: string
  /** Id of shared steps, instead of texts. */
  readonly shared: number | null
}

export interface DataCase {
  readonly id: number
  readonly suite: number
  readonly folder: number
  readonly title: string
  /** From 1, the highest, to 4. */
  readonly priority: number
  readonly precondition: string
  readonly steps: readonly DataStep[]
  readonly tags: readonly string[]
  readonly reference: string
  readonly estimateSeconds: number
  readonly severity: 'Minor' | 'Major'
  readonly createdBy: number
  readonly createdAt: Date
}

export type DataStatus = 'passed' | 'failed' | 'blocked' | 'known_issue' | 'in_review'

export interface DataResult {
  readonly id: number
  readonly run: number
  readonly testCase: number
  readonly status: DataStatus
  readonly comment: string
  readonly elapsedSeconds: number
  readonly person: number
  readonly at: Date
  readonly defects: readonly string[]
}

export interface DataRun {
  readonly id: number
  readonly name: string
  /** Id of its plan; null for a run of its own. */
  readonly plan: number | null
  readonly configuration: string
  readonly milestone: number
  readonly createdAt: Date
  /** Test cases in it, tested or not. */
  readonly cases: readonly number[]
}

export interface DataFile {
  readonly id: number
  readonly name: string
  readonly testCase: number
  /** Of the result of this run; null for the test case itself. */
  readonly run: number | null
  readonly bytes: Buffer
}

const SUITES = [110, 12, 8] as const
const FOLDERS_PER_SUITE = 4
const RUNS = 6
const RESULTS = 400
const TESTED_PER_RUN = 60
const UNTESTED_PER_RUN = 5
const FILES = 30
const START = Date.UTC(2024, 0, 15, 9)
const DAY_MS = 86_400_000
const DAYS_BETWEEN_RUNS = 60

const PEOPLE = [
  { id: 1, name: 'Ada Lovelace', email: 'ada@example.com' },
  { id: 2, name: 'Grace Hopper', email: 'grace@example.com' },
] as const
const STATUSES: readonly DataStatus[] = ['passed', 'passed', 'passed', 'failed', 'blocked', 'known_issue', 'in_review']

const toMoment = (days: number, seconds = 0) => new Date(START + days * DAY_MS + seconds * 1000)
const times = <T>(count: number, make: (index: number) => T): T[] =>
  Array.from({ length: count }, (_, index) => make(index))

function makeSteps(id: number): DataStep[] {
  const own = times(1 + (id % 3), (index) => ({
    action: `Step ${index + 1} of ${id}`,
    data: index === 0 ? `user-${id}` : '',
    expected: `Result ${index + 1} of ${id}`,
    shared: null,
  }))
  return id % 50 === 0 ? [{ action: '', data: '', expected: '', shared: 1 + (id % 2) }, ...own] : own
}

function makeCases(): DataCase[] {
  const cases: DataCase[] = []
  for (const [index, count] of SUITES.entries()) {
    for (let position = 0; position < count; position += 1) {
      const id = cases.length + 1
      cases.push({
        id,
        suite: index + 1,
        folder: index * FOLDERS_PER_SUITE + 1 + (position % FOLDERS_PER_SUITE),
        title: `Case ${id} & friends`,
        priority: 1 + (id % 4),
        precondition: id % 5 === 0 ? `Precondition of ${id}` : '',
        steps: makeSteps(id),
        tags: id % 10 === 0 ? ['nightly'] : [],
        reference: id % 20 === 0 ? `REQ-${id}` : '',
        estimateSeconds: id % 4 === 0 ? 90 : 0,
        severity: id % 2 === 0 ? 'Major' : 'Minor',
        createdBy: 1 + (id % 2),
        createdAt: toMoment(-100, id),
      })
    }
  }
  return cases
}

/** The first four runs belong to two plans. */
const makeRuns = (): DataRun[] =>
  times(RUNS, (index) => ({
    id: index + 1,
    name: `Run ${index + 1}`,
    plan: index < 4 ? 1 + Math.floor(index / 2) : null,
    configuration: index < 4 ? (index % 2 === 0 ? 'Chrome' : 'Firefox') : '',
    milestone: 1 + (index % 2),
    createdAt: toMoment(index * DAYS_BETWEEN_RUNS),
    cases: times(TESTED_PER_RUN + UNTESTED_PER_RUN, (number) => number + 1),
  }))

/** Some test cases have two results in a run. */
const makeResults = (runs: readonly DataRun[]): DataResult[] =>
  times(RESULTS, (index) => {
    const run = 1 + (index % RUNS)
    const place = Math.floor(index / RUNS)
    const started = runs[run - 1]?.createdAt.getTime() ?? START
    return {
      id: index + 1,
      run,
      testCase: 1 + (place % TESTED_PER_RUN),
      status: STATUSES[index % STATUSES.length] ?? 'passed',
      comment: index % 3 === 0 ? `Comment ${index + 1}` : '',
      elapsedSeconds: 1 + (index % 100),
      person: 1 + (index % 2),
      at: new Date(started + (place + 1) * 60_000),
      defects: index % 40 === 0 ? [`BUG-${index}`] : [],
    }
  })

const makeFiles = (): DataFile[] =>
  times(FILES, (index) => ({
    id: index + 1,
    name: `file ${index + 1}.txt`,
    testCase: 1 + index,
    run: index < 20 ? null : RUNS,
    bytes: Buffer.from(`Content of file ${index + 1}\n`.repeat(1 + index * 50)),
  }))

const runs = makeRuns()

export const DATA_SET = {
  project: { id: 3, key: 'SHOP', name: 'Web shop' },
  people: PEOPLE,
  suites: SUITES.map((_, index) => ({ id: index + 1, name: `Suite ${index + 1}` })),
  /** Of each suite, the last folder is in the first. */
  folders: SUITES.flatMap((_, suite) =>
    times(FOLDERS_PER_SUITE, (index) => ({
      id: suite * FOLDERS_PER_SUITE + 1 + index,
      suite: suite + 1,
      parent: index === FOLDERS_PER_SUITE - 1 ? suite * FOLDERS_PER_SUITE + 1 : null,
      name: `Folder ${index + 1}`,
    })),
  ),
  sharedSteps: times(2, (index) => ({
    id: index + 1,
    title: `Shared ${index + 1}`,
    steps: [
      { action: `Sign in as ${index + 1}`, expected: 'Signed in' },
      { action: 'Open the shop', expected: 'The shop is shown' },
    ],
  })),
  cases: makeCases(),
  milestones: times(2, (index) => ({ id: index + 1, name: `Release ${index + 1}`, dueAt: toMoment(200 + index) })),
  plans: times(2, (index) => ({
    id: index + 1,
    name: `Plan ${index + 1}`,
    createdAt: toMoment(index * 2 * DAYS_BETWEEN_RUNS),
  })),
  runs,
  results: makeResults(runs),
  files: makeFiles(),
} as const

/** Suites, and the folders in them: those of the top level have none above. */
export const FOLDER_TREE: readonly { readonly id: number; readonly parent: number | null; readonly name: string }[] = [
  ...DATA_SET.suites.map(({ id, name }) => ({ id: 100 + id, parent: null, name })),
  ...DATA_SET.folders.map(({ id, suite, parent, name }) => ({ id, parent: parent ?? 100 + suite, name })),
]

export const findPerson = (id: number) => PEOPLE.find((person) => person.id === id) ?? PEOPLE[0]
export const listResults = (run: number): DataResult[] => DATA_SET.results.filter((result) => result.run === run)
export const listUntested = ({ id, cases }: DataRun): number[] => {
  const tested = new Set(listResults(id).map(({ testCase }) => testCase))
  return cases.filter((testCase) => !tested.has(testCase))
}

/** For tools that have one result of a test case in a run: the newest. */
export const listNewestResults = (run: number): DataResult[] => [
  ...new Map(listResults(run).map((result) => [result.testCase, result])).values(),
]
/** Newest results, and test cases that nobody has tested. */
export const NEWEST_RESULTS = runs.reduce(
  (sum, run) => sum + listNewestResults(run.id).length + listUntested(run).length,
  0,
)

export const findFiles = (run: number | null, testCase: number): DataFile[] =>
  DATA_SET.files.filter((file) => file.run === run && file.testCase === testCase)
