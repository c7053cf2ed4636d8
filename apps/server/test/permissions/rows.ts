import { accounts, invitationLinks, members } from './accounts.ts'
import { attachments } from './attachments.ts'
import { combinations } from './combinations.ts'
import { comments } from './comments.ts'
import { imports } from './imports.ts'
import { instance } from './instance.ts'
import { caseAliases } from './case-aliases.ts'
import { links } from './links.ts'
import { linksOfResults } from './links-of-results.ts'
import { insight } from './insight.ts'
import { quarantines } from './quarantines.ts'
import { otherOwners } from './other-project.ts'
import { publicPages, signInPages, webAppPages } from './pages.ts'
import { sharedSteps } from './shared-steps.ts'
import { configurations, fields } from './fields.ts'
import { folders, projects } from './projects.ts'
import { testCases } from './test-cases.ts'
import { milestones, results, runs, uploads } from './runs.ts'
import type { Row } from './table.ts'
import { sharedReports, shares } from './shares.ts'
import { tests } from './tests.ts'
import { views } from './views.ts'

/** The rows of all permission tables. */
export const rows: readonly Row[] = [
  projects,
  folders,
  fields,
  configurations,
  sharedSteps,
  imports,
  testCases,
  runs,
  results,
  linksOfResults,
  caseAliases,
  combinations,
  comments,
  shares,
  views,
  attachments,
  tests,
  insight,
  quarantines,
  uploads,
  milestones,
  members,
  invitationLinks,
  accounts,
  links,
  otherOwners,
  instance,
  publicPages,
  sharedReports,
  signInPages,
  webAppPages,
].flat()

/** Replaces the names of a route's parameters, which the contract and the tables choose differently. */
export const withoutParameterNames = (route: string): string => route.replaceAll(/:\w+|\{\w+\}/g, ':')
