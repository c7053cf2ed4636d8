/** The key of every query. A prefix selects all queries below it: `['project', id]` those of a project. */
export const queryKeys = {
  me: () => ['me'],
  projects: () => ['projects'],
  sessions: () => ['sessions'],
  tokens: () => ['tokens'],
  identities: () => ['identities'],
  /** Everything of a project, except its runs' results. */
  inProject: (projectId: string) => ['project', projectId],
  project: (projectId: string) => ['project', projectId, 'details'],
  cases: (projectId: string) => ['project', projectId, 'cases'],
  case: (projectId: string, caseId: string) => ['project', projectId, 'case', caseId],
  caseResults: (projectId: string, caseId: string, page: number) => [
    'project',
    projectId,
    'case-results',
    caseId,
    page,
  ],
  searchedCases: (projectId: string, filter: object) => ['project', projectId, 'searched-cases', filter],
  folders: (projectId: string) => ['project', projectId, 'folders'],
  tags: (projectId: string) => ['project', projectId, 'tags'],
  people: (projectId: string) => ['project', projectId, 'people'],
  milestones: (projectId: string) => ['project', projectId, 'milestones'],
  /** With the runs and results of each. Below the key of all milestones. */
  milestoneList: (projectId: string) => ['project', projectId, 'milestones', 'list'],
  allRuns: (projectId: string) => ['project', projectId, 'runs'],
  runs: (projectId: string, filter: object) => ['project', projectId, 'runs', filter],
  /** The lists of tests of a project. */
  allTests: (projectId: string) => ['project', projectId, 'tests'],
  tests: (projectId: string, filter: object) => ['project', projectId, 'tests', filter],
  /** What is known about single tests. */
  allTestDetails: (projectId: string) => ['project', projectId, 'test'],
  test: (projectId: string, testId: string) => ['project', projectId, 'test', testId],
  testOutcomes: (projectId: string, testId: string) => ['project', projectId, 'test', testId, 'outcomes'],
  /** Recent results by test case; `beforeRunId` null for those of all runs. */
  recentResults: (projectId: string, beforeRunId: string | null) => ['project', projectId, 'recent', beforeRunId],
  allRecentResults: (projectId: string) => ['project', projectId, 'recent'],
  inRun: (runId: string) => ['run', runId],
  run: (runId: string) => ['run', runId, 'details'],
  results: (runId: string) => ['run', runId, 'results'],
  result: (runId: string, resultId: string) => ['run', runId, 'result', resultId],
  allRunTests: (runId: string) => ['run', runId, 'tests'],
  runTests: (runId: string, filter: object) => ['run', runId, 'tests', filter],
  allRunTestDetails: (runId: string) => ['run', runId, 'test'],
  runTest: (runId: string, testId: string) => ['run', runId, 'test', testId],
  suiteErrors: (runId: string) => ['run', runId, 'suite-errors'],
} as const
