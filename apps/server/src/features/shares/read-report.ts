import { splitPath } from '@caseward/case-files/folder-tree'
import type { ResultStatus } from '@caseward/contract/results'
import type { MilestoneReadiness } from '@caseward/contract/milestone-readiness'
import type { StatusCounts } from '@caseward/contract/run-schemas'

import type { Database } from '../../platform/database/connect.ts'
import { createUserNames, readFolderPaths } from '../exports/export-columns.ts'
import { type ResultRecord, selectRecords } from '../exports/result-records.queries.ts'
import { computeReadiness, PACE_DAYS } from '../milestones/milestone-readiness.ts'
import { selectMilestone } from '../milestones/milestones.queries.ts'
import { presentMilestoneDetail } from '../milestones/present-milestone.ts'
import { selectReadinessCounts } from '../milestones/readiness.queries.ts'
import { createHidePeople, selectPeople, showMentions } from './hide-people.ts'
import { createCommentReaders, NO_COMMENTS, type ReportComments } from './read-comments.ts'
import { type ReportFile, type ReportStep, selectReportFiles, selectReportSteps } from './report-details.queries.ts'
import {
  countResults,
  countUnits,
  type ReportRun,
  type ReportUnit,
  selectReportRuns,
  sumCounts,
} from './report-runs.queries.ts'
import type { OpenedShare } from './shares.queries.ts'
import { sliceUnits } from './slice-units.ts'

/** Statuses that need attention. */
export const PROBLEM_STATUSES = ['failed', 'blocked', 'retest'] as const satisfies readonly ResultStatus[]

export const RESULTS_PER_PAGE = 500
/** On one page, for print. */
export const MAX_RESULTS = 5000
/** Results that are shown with everything that belongs to them; further ones are in the list only. */
const MAX_PROBLEMS = 500
/** Of a note, in characters: a page has at most some MB. */
const MAX_NOTE_LENGTH = 4000

/** Of the newest runs. */
const MAX_COMMENTED_RUNS = 100

/** A result as the report shows it. */
export interface ReportResult extends ResultRecord {
  folder: string
  /** Null where the report has no people, or the result was set by automation. */
  tester: string | null
}

/** A result with everything that belongs to it. */
export interface ReportProblem extends ReportResult {
  steps: readonly ReportStep[]
  files: readonly ReportFile[]
  comments: ReportComments
}

/** A run on which somebody has commented. */
export interface CommentedRun {
  id: string
  name: string
  comments: ReportComments
}

export interface ReportMilestone {
  description: string
  status: string
  startDate: string | null
  dueDate: string | null
  readiness: MilestoneReadiness
}

export interface Report {
  share: OpenedShare
  asOf: Date
  /** Of the run or milestone. */
  name: string
  description: string
  /** The run that is shared; null for a milestone. */
  run: ReportRun | null
  milestone: ReportMilestone | null
  /** All runs of the milestone, or those of the chain of the run. */
  runs: readonly ReportRun[]
  counts: StatusCounts
  total: number
  problemCount: number
  /** Only on the first page. */
  problems: readonly ReportProblem[]
  /** Only on the first page. */
  commentedRuns: readonly CommentedRun[]
  results: readonly ReportResult[]
  page: ReportPage
}

export interface ReportPage {
  number: number
  count: number
  /** Whether all results, as far as one page can have them, are on it. */
  isWhole: boolean
}

/** Which page is requested: a number, or all on one. */
export type PageRequest = { number: number } | 'all'

/** What of a run, a milestone or a chain is known before its results are read. */
export interface ReportHead extends Pick<
  Report,
  'name' | 'description' | 'run' | 'milestone' | 'runs' | 'counts' | 'total'
> {
  units: readonly ReportUnit[]
}

/** Reads what a report is about; null when it was deleted meanwhile. */
export async function readReportHead(
  db: Database,
  { subject, project }: OpenedShare,
  now: Date,
): Promise<ReportHead | null> {
  const runs = await selectReportRuns(db, project.id, subject)
  const units = await countUnits(db, project.id, runs)
  const counts = sumCounts(units.map(({ stats }) => stats))
  const common = { runs, units, counts, total: countResults(counts) }
  if (subject.kind === 'run') {
    const run = runs.find(({ id }) => id === subject.id)
    return run === undefined ? null : { ...common, run, milestone: null, name: run.name, description: run.description }
  }
  const milestone = await readMilestone(db, project.id, subject.id, now)
  return milestone === null ? null : { ...common, run: null, ...milestone }
}

async function readMilestone(db: Database, projectId: string, id: string, now: Date) {
  const row = await selectMilestone(db, projectId, id)
  const readiness = await selectReadinessCounts(db, projectId, id, PACE_DAYS)
  if (row === undefined || readiness === undefined) return null
  const { name, description, status, start_date: startDate, due_date: dueDate } = presentMilestoneDetail(row, [], now)
  const milestone = { description, status, startDate, dueDate, readiness: computeReadiness(readiness, now) }
  return { name, description, milestone }
}

/** Reads a page of a report; null when what it is about was deleted meanwhile. */
export async function readReport(
  db: Database,
  share: OpenedShare,
  request: PageRequest,
  now: Date,
): Promise<Report | null> {
  const head = await readReportHead(db, share, now)
  if (head === null) return null
  const { units, ...shown } = head
  const page = choosePage(request, head.total)
  const readers = await createReaders(db, share)
  const range =
    request === 'all'
      ? { offset: 0, limit: MAX_RESULTS }
      : { offset: (page.number - 1) * RESULTS_PER_PAGE, limit: RESULTS_PER_PAGE }
  // Notes are with the problems only.
  const slices = sliceUnits(units, ({ stats }) => countResults(stats), range)
  const results = await readers.toResults(await selectInOrder(db, share, slices, { maxNoteLength: 0 }), units)
  const countProblems = ({ stats }: Pick<ReportUnit, 'stats'>) => countResults(stats, PROBLEM_STATUSES)
  const problemSlices = page.number === 1 ? sliceUnits(units, countProblems, { offset: 0, limit: MAX_PROBLEMS }) : []
  const found = await selectInOrder(db, share, problemSlices, {
    statuses: PROBLEM_STATUSES,
    maxNoteLength: share.include.has('notes') ? MAX_NOTE_LENGTH : 0,
  })
  const problems = await readers.toProblems(await readers.toResults(found, units), head.runs)
  return {
    share,
    asOf: now,
    ...shown,
    description: readers.adaptText(shown.description),
    problemCount: countProblems({ stats: head.counts }),
    problems,
    commentedRuns: page.number === 1 ? await readers.readCommentedRuns(head.runs) : [],
    results,
    page,
  }
}

function choosePage(request: PageRequest, total: number): ReportPage {
  if (request === 'all') return { number: 1, count: 1, isWhole: true }
  const count = Math.max(1, Math.ceil(total / RESULTS_PER_PAGE))
  return { number: Math.min(request.number, count), count, isWhole: count === 1 }
}

const selectInOrder = async (
  db: Database,
  { project }: OpenedShare,
  slices: Parameters<typeof selectRecords>[2],
  options: Parameters<typeof selectRecords>[3],
) => (slices.length === 0 ? [] : await selectRecords(db, project, slices, options))

/** What turns records into what the report shows, without what it must not show. */
async function createReaders(db: Database, { project, include }: OpenedShare) {
  const showsPeople = include.has('people')
  const getFolder = await readFolderPaths(db, project.id)
  const users = createUserNames(db)
  const adaptText = showsPeople ? showMentions : createHidePeople(await selectPeople(db, project.id))
  const comments = createCommentReaders(db, project.id, { users: showsPeople ? users : null, adaptText })

  async function toResults(records: readonly ResultRecord[], units: readonly ReportUnit[]): Promise<ReportResult[]> {
    if (showsPeople) await users.load(records.map(({ testedBy }) => testedBy))
    const places = new Map(units.map(({ source }, index) => [source.root, index]))
    return records
      .map((record) => ({
        ...record,
        title: adaptText(record.title),
        note: record.note === null ? null : adaptText(record.note),
        testedBy: null,
        tester: showsPeople && record.testedBy !== null ? users.get(record.testedBy) || null : null,
        links: include.has('links') ? record.links.map((link) => ({ ...link, label: adaptText(link.label) })) : [],
        fileNames: [],
        combinations: record.combinations.map((one) => ({
          ...one,
          name: adaptText(one.name),
          note: one.note === null ? null : adaptText(one.note),
        })),
        folder: splitPath(getFolder(record.folderId)).join(' › '),
      }))
      .toSorted((a, b) => (places.get(a.root) ?? 0) - (places.get(b.root) ?? 0))
  }

  async function toProblems(results: readonly ReportResult[], runs: readonly ReportRun[]): Promise<ReportProblem[]> {
    const withFiles = new Set(runs.filter(({ hasAttachments }) => hasAttachments).map(({ id }) => id))
    const attached = include.has('files') ? results.filter(({ runId }) => withFiles.has(runId)) : []
    const files = await selectReportFiles(db, project.id, attached)
    const steps = include.has('steps')
      ? await selectReportSteps(db, project.id, results)
      : new Map<string, ReportStep[]>()
    const said = include.has('comments') ? await comments.ofResults(results) : new Map<string, ReportComments>()
    return results.map((result) => ({
      ...result,
      comments: said.get(result.id) ?? NO_COMMENTS,
      files: (files.get(result.id) ?? []).map((file) => ({ ...file, name: adaptText(file.name) })),
      steps: (steps.get(result.id) ?? []).map((step) => ({
        ...step,
        action: step.action === null ? null : adaptText(step.action),
        actual: step.actual === null ? null : adaptText(step.actual),
      })),
    }))
  }

  async function readCommentedRuns(runs: readonly ReportRun[]): Promise<CommentedRun[]> {
    if (!include.has('comments')) return []
    const said = await comments.ofRuns(runs.slice(-MAX_COMMENTED_RUNS).map(({ id }) => id))
    return runs.flatMap(({ id, name }) => {
      const found = said.get(id)
      return found === undefined ? [] : [{ id, name, comments: found }]
    })
  }

  return { adaptText, toResults, toProblems, readCommentedRuns }
}
