import { createBrowserRouter, type RouteObject } from 'react-router'

import { routePatterns } from './paths.ts'
import { PageError } from './shell/page-error.tsx'

/** Every page, loaded when it is opened. */
const pages: RouteObject[] = [
  {
    path: routePatterns.projects,
    lazy: async () => ({ Component: (await import('./features/projects/projects.page.tsx')).ProjectsPage }),
  },
  {
    path: routePatterns.project,
    lazy: async () => ({ Component: (await import('./features/overview/overview.page.tsx')).OverviewPage }),
  },
  {
    path: routePatterns.account,
    lazy: async () => ({ Component: (await import('./features/account/account.page.tsx')).AccountPage }),
  },
  {
    path: routePatterns.admin,
    lazy: async () => ({
      Component: (await import('./features/administration/administration.page.tsx')).AdministrationPage,
    }),
  },
  {
    path: routePatterns.projectAudit,
    lazy: async () => ({ Component: (await import('./features/audit/project-audit.page.tsx')).ProjectAuditPage }),
  },
  {
    path: routePatterns.work,
    lazy: async () => ({ Component: (await import('./features/assignments/work.page.tsx')).WorkPage }),
  },
  {
    path: routePatterns.search,
    lazy: async () => ({ Component: (await import('./features/search/search.page.tsx')).SearchPage }),
  },
  {
    path: routePatterns.runs,
    lazy: async () => ({ Component: (await import('./features/runs/runs.page.tsx')).RunsPage }),
  },
  {
    path: routePatterns.newRun,
    lazy: async () => ({ Component: (await import('./features/runs/new-run.page.tsx')).NewRunPage }),
  },
  {
    path: routePatterns.run,
    lazy: async () => ({ Component: (await import('./features/runs/run.page.tsx')).RunPage }),
  },
  {
    path: routePatterns.runTests,
    lazy: async () => ({ Component: (await import('./features/tests/run-tests.page.tsx')).RunTestsPage }),
  },
  {
    path: routePatterns.runFailures,
    lazy: async () => ({ Component: (await import('./features/failures/run-failures.page.tsx')).RunFailuresPage }),
  },
  {
    path: routePatterns.compareRuns,
    lazy: async () => ({ Component: (await import('./features/run-comparison/compare.page.tsx')).ComparePage }),
  },
  {
    path: routePatterns.together,
    lazy: async () => ({ Component: (await import('./features/reruns/together.page.tsx')).TogetherPage }),
  },
  {
    path: routePatterns.tests,
    lazy: async () => ({ Component: (await import('./features/tests/tests.page.tsx')).TestsPage }),
  },
  {
    path: routePatterns.insight,
    lazy: async () => ({ Component: (await import('./features/insight/insight.page.tsx')).InsightPage }),
  },
  {
    path: routePatterns.members,
    lazy: async () => ({ Component: (await import('./features/members/members-area.tsx')).MembersArea }),
  },
  {
    path: routePatterns.help,
    lazy: async () => ({ Component: (await import('./features/help/help.page.tsx')).HelpPage }),
  },
  {
    path: routePatterns.settings,
    lazy: async () => ({ Component: (await import('./features/settings/settings.page.tsx')).SettingsPage }),
  },
  {
    path: routePatterns.milestone,
    lazy: async () => ({ Component: (await import('./features/milestones/milestone.page.tsx')).MilestonePage }),
  },
  {
    path: routePatterns.milestones,
    lazy: async () => ({ Component: (await import('./features/milestones/milestones.page.tsx')).MilestonesPage }),
  },
  {
    path: routePatterns.execution,
    lazy: async () => ({ Component: (await import('./features/execution/execution.page.tsx')).ExecutionPage }),
  },
  {
    path: routePatterns.file,
    lazy: async () => ({ Component: (await import('./features/files/file.page.tsx')).FilePage }),
  },
  {
    path: routePatterns.cases,
    lazy: async () => ({ Component: (await import('./features/test-cases/cases.page.tsx')).CasesPage }),
  },
  {
    path: routePatterns.importCases,
    lazy: async () => ({ Component: (await import('./features/transfer/import.page.tsx')).ImportPage }),
  },
  {
    path: routePatterns.sharedSteps,
    lazy: async () => ({ Component: (await import('./features/shared-steps/shared-steps.page.tsx')).SharedStepsPage }),
  },
  {
    path: routePatterns.duplicates,
    lazy: async () => ({ Component: (await import('./features/duplicates/duplicates.page.tsx')).DuplicatesPage }),
  },
  {
    path: routePatterns.archivedCases,
    lazy: async () => ({
      Component: (await import('./features/test-cases/archived-cases.page.tsx')).ArchivedCasesPage,
    }),
  },
  {
    path: routePatterns.case,
    lazy: async () => ({ Component: (await import('./features/test-cases/case.page.tsx')).CasePage }),
  },
  {
    path: routePatterns.caseById,
    lazy: async () => ({ Component: (await import('./features/test-cases/case-by-id.page.tsx')).CaseByIdPage }),
  },
  {
    path: '*',
    lazy: async () => ({ Component: (await import('./features/not-found/not-found.page.tsx')).NotFoundPage }),
  },
]

/** The page of all components needs neither a user nor the service. */
const gallery: RouteObject = {
  path: '/ui',
  lazy: async () => ({ Component: (await import('./ui/gallery/gallery.page.tsx')).GalleryPage }),
}

const routes: RouteObject[] = [
  ...(import.meta.env.MODE === 'development' ? [gallery] : []),
  {
    // Loaded at the same time as the page.
    lazy: async () => ({ Component: (await import('./shell/app-shell.tsx')).AppShell }),
    ErrorBoundary: PageError,
    // The shell stays empty until the code of the first page has arrived.
    HydrateFallback: () => null,
    children: [
      {
        // The header stays when a page fails.
        ErrorBoundary: PageError,
        children: pages,
      },
    ],
  },
]

export const createRouter = () => createBrowserRouter(routes)
