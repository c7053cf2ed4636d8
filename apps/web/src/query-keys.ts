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
  allRuns: (projectId: string) => ['project', projectId, 'runs'],
  runs: (projectId: string, filter: object) => ['project', projectId, 'runs', filter],
  /** Recent results by test case; `beforeRunId` null for those of all runs. */
  recentResults: (projectId: string, beforeRunId: string | null) => ['project', projectId, 'recent', beforeRunId],
  allRecentResults: (projectId: string) => ['project', projectId, 'recent'],
  inRun: (runId: string) => ['run', runId],
  run: (runId: string) => ['run', runId, 'details'],
  results: (runId: string) => ['run', runId, 'results'],
  result: (runId: string, resultId: string) => ['run', runId, 'result', resultId],
} as const
