/** Builds the URL of every page. Nothing else contains a path. */
export const paths = {
  projects: () => '/',
  cases: (projectId: string) => `/projects/${encodeURIComponent(projectId)}/cases`,
  case: (projectId: string, caseId: string) => `${paths.cases(projectId)}/${encodeURIComponent(caseId)}`,
  runs: (projectId: string) => `/projects/${encodeURIComponent(projectId)}/runs`,
  newRun: (projectId: string) => `${paths.runs(projectId)}/new`,
  run: (runId: string) => `/runs/${encodeURIComponent(runId)}`,
  execution: (runId: string) => `${paths.run(runId)}/execute`,
  account: () => '/account/profile',
  /** Pages of the service, not of the app. */
  reference: () => '/docs',
  signOut: () => '/sign-out',
} as const
