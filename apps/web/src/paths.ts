import { formatSearch, type Search } from './search-params.ts'
import { searchSchemas } from './search-schemas.ts'

/** The pages below `/account`. */
export const ACCOUNT_PAGES = ['profile', 'password', 'sessions', 'tokens', 'keys', 'review'] as const
export type AccountPage = (typeof ACCOUNT_PAGES)[number]

/** The pages below `/projects/:projectId/settings`. */
export const SETTINGS_PAGES = ['general', 'fields', 'configurations', 'tokens', 'danger'] as const
export type SettingsPage = (typeof SETTINGS_PAGES)[number]

/** The pages of the user guide that the app links to. */
export const HELP_PAGES = [
  'first-project',
  'writing-test-cases',
  'custom-fields',
  'shared-steps',
  'import',
  'moving-in',
  'running-tests',
  'ci',
  'failures',
  'insight',
  'milestones',
  'sharing',
  'roles',
  'account',
  'second-factors',
  'keys',
  'administration',
  'backup',
] as const
export type HelpPageName = (typeof HELP_PAGES)[number]

/** The pages below `/admin`. */
export const ADMIN_PAGES = ['users', 'audit', 'fields', 'configurations', 'settings'] as const
export type AdminPage = (typeof ADMIN_PAGES)[number]

type PageSearch<Page extends keyof typeof searchSchemas> = Partial<Search<(typeof searchSchemas)[Page]>>

/** Builds the URL of every page. Nothing else contains a path. */
export const paths = {
  projects: (search: PageSearch<'projects'> = {}) => `/${formatSearch(searchSchemas.projects, search)}`,
  project: (projectId: string, search: PageSearch<'overview'> = {}) =>
    `/projects/${encode(projectId)}${formatSearch(searchSchemas.overview, search)}`,
  cases: (projectId: string, search: PageSearch<'cases'> = {}) =>
    `${paths.project(projectId)}/cases${formatSearch(searchSchemas.cases, search)}`,
  importCases: (projectId: string, search: PageSearch<'import'> = {}) =>
    `${paths.project(projectId)}/cases/import${formatSearch(searchSchemas.import, search)}`,
  /** An import from another tool; without an id, that of a new one. */
  imports: (projectId: string, id = 'tool') => `${paths.importCases(projectId)}/${encode(id)}`,
  sharedSteps: (projectId: string) => `${paths.project(projectId)}/shared-steps`,
  sharedStep: (projectId: string, id: string, search: PageSearch<'sharedStep'> = {}) =>
    `${paths.sharedSteps(projectId)}/${encode(id)}${formatSearch(searchSchemas.sharedStep, search)}`,
  duplicates: (projectId: string) => `${paths.project(projectId)}/cases/duplicates`,
  archivedCases: (projectId: string) => `${paths.project(projectId)}/cases/archived`,
  case: (projectId: string, caseId: string) => `${paths.project(projectId)}/cases/${encode(caseId)}`,
  runs: (projectId: string, search: PageSearch<'runs'> = {}) =>
    `${paths.project(projectId)}/runs${formatSearch(searchSchemas.runs, search)}`,
  tests: (projectId: string, search: PageSearch<'tests'> = {}) =>
    `${paths.project(projectId)}/tests${formatSearch(searchSchemas.tests, search)}`,
  /** @param part of what follows, with its parameters; `insight-paths.ts` builds it */
  insight: (projectId: string, part = '') => `${paths.project(projectId)}/insight${part}`,
  milestones: (projectId: string, search: PageSearch<'milestones'> = {}) =>
    `${paths.project(projectId)}/milestones${formatSearch(searchSchemas.milestones, search)}`,
  milestone: (projectId: string, milestoneId: string, search: PageSearch<'milestone'> = {}) =>
    `${paths.project(projectId)}/milestones/${encode(milestoneId)}${formatSearch(searchSchemas.milestone, search)}`,
  members: (projectId: string) => `${paths.project(projectId)}/members`,
  /** The groups of the sign-in provider that have a role in the project. */
  memberGroups: (projectId: string) => `${paths.members(projectId)}/groups`,
  /** Those who tested in other tools, and are no members. */
  importedPeople: (projectId: string) => `${paths.members(projectId)}/imported`,
  settings: (projectId: string, page: SettingsPage = 'general') => `${paths.project(projectId)}/settings/${page}`,
  projectAudit: (projectId: string, search: PageSearch<'audit'> = {}) =>
    `${paths.project(projectId)}/settings/audit${formatSearch(searchSchemas.audit, search)}`,
  newRun: (projectId: string, search: PageSearch<'newRun'> = {}) =>
    `${paths.project(projectId)}/runs/new${formatSearch(searchSchemas.newRun, search)}`,
  run: (runId: string, search: PageSearch<'run'> = {}) =>
    `/runs/${encode(runId)}${formatSearch(searchSchemas.run, search)}`,
  runTests: (runId: string, search: PageSearch<'runTests'> = {}) =>
    `/runs/${encode(runId)}/tests${formatSearch(searchSchemas.runTests, search)}`,
  runFailures: (runId: string) => `/runs/${encode(runId)}/failures`,
  compareRuns: (projectId: string, search: PageSearch<'compareRuns'> = {}) =>
    `${paths.project(projectId)}/compare${formatSearch(searchSchemas.compareRuns, search)}`,
  together: (runId: string, search: PageSearch<'together'> = {}) =>
    `/runs/${encode(runId)}/together${formatSearch(searchSchemas.together, search)}`,
  execution: (runId: string, search: PageSearch<'execution'> = {}) =>
    `/runs/${encode(runId)}/execute${formatSearch(searchSchemas.execution, search)}`,
  /** The viewer of one attachment. */
  file: (projectId: string, attachmentId: string) => `/files/${encode(projectId)}/${encode(attachmentId)}`,
  work: () => '/work',
  search: (search: PageSearch<'search'> = {}) => `/search${formatSearch(searchSchemas.search, search)}`,
  help: (page = '') => (page === '' ? '/help' : `/help/${encode(page)}`),
  account: (page: AccountPage = 'profile') => `/account/${page}`,
  users: (search: PageSearch<'users'> = {}) => `/admin/users${formatSearch(searchSchemas.users, search)}`,
  /** The audit log of the instance. */
  audit: (search: PageSearch<'audit'> = {}) => `/admin/audit${formatSearch(searchSchemas.audit, search)}`,
  instanceFields: () => '/admin/fields',
  instanceConfigurations: () => '/admin/configurations',
  instanceSettings: () => '/admin/settings',
  /** `/WEB-123` opens the test case, or a choice if several projects have the prefix. */
  caseById: (caseId: string) => `/${encode(caseId)}`,
  /** A page of the server. It returns to `next` after sign-in. */
  signIn: (next: string) => `/sign-in?next=${encode(next)}`,
  /** A page of the server: the sign-in provider asks who it is, and it returns to `next`. */
  confirmAtProvider: (next: string) => `/sign-in/oidc?confirm=yes&next=${encode(next)}`,
  /** A page of the server: sets up the second factor that it requires. */
  setUpSecondFactor: () => '/sign-in/set-up-second-factor',
  reference: () => '/docs',
  /** A page of the server: asks for a link by email that sets a password. */
  resetPassword: () => '/reset',
  signOut: () => '/sign-out',
} as const

/** The patterns of the router. Their parameters are those of {@link paths}. */
export const routePatterns = {
  projects: '/',
  project: '/projects/:projectId',
  cases: '/projects/:projectId/cases',
  importCases: '/projects/:projectId/cases/import/:importId?',
  sharedSteps: '/projects/:projectId/shared-steps/:sharedStepId?',
  duplicates: '/projects/:projectId/cases/duplicates',
  archivedCases: '/projects/:projectId/cases/archived',
  case: '/projects/:projectId/cases/:caseId',
  runs: '/projects/:projectId/runs',
  newRun: '/projects/:projectId/runs/new',
  tests: '/projects/:projectId/tests',
  insight: '/projects/:projectId/insight/:tab?/:signature?',
  milestones: '/projects/:projectId/milestones',
  members: '/projects/:projectId/members/:tab?',
  settings: '/projects/:projectId/settings/:page?',
  milestone: '/projects/:projectId/milestones/:milestoneId',
  run: '/runs/:runId',
  runTests: '/runs/:runId/tests',
  runFailures: '/runs/:runId/failures',
  compareRuns: '/projects/:projectId/compare',
  together: '/runs/:runId/together',
  execution: '/runs/:runId/execute',
  file: '/files/:projectId/:attachmentId',
  work: '/work',
  search: '/search',
  help: '/help/:page?',
  account: '/account/:page?',
  admin: '/admin/:page?',
  projectAudit: '/projects/:projectId/settings/audit',
  caseById: '/:caseId',
} as const

/** Parses the id of a test case as people type it: `web-12`, ` WEB-12 `. @returns null if it is none */
export function parseCaseId(text: string): { id: string; prefix: string } | null {
  const match = /^\s*([a-z]{2,5})-([1-9]\d{0,9})\s*$/i.exec(text)
  if (match === null) return null
  const prefix = String(match[1]).toUpperCase()
  return { id: `${prefix}-${match[2]}`, prefix }
}

const encode = encodeURIComponent
