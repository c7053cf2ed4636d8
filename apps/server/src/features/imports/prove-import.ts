import { sql } from 'kysely'

import type { Database } from '../../platform/database/connect.ts'
import { plannedAnew } from '../../platform/database/plans.ts'
import { countActions } from './import-records.queries.ts'
import type { ImportProof, ImportReading } from './import-summary.ts'
import type { ClaimedImport } from './imports.queries.ts'
import {
  countStoredAttachments,
  countStoredComments,
  countStoredConfigurations,
  countStoredDecisions,
  countStoredHistory,
  countStoredTests,
  countStoredVersions,
  countStoredSharedSteps,
} from './prove-history.queries.ts'

/** Whose target is in the project. */
const STORED_ACTIONS = ['create', 'update', 'unchanged', 'conflict']

/** Counts again in the tables of the project, and compares with what was read. */
export async function proveImport(db: Database, claim: ClaimedImport, reading: ImportReading): Promise<ImportProof> {
  const actions = await countActions(db, claim)
  const readOf = (kind: string) => reading.counts.find((count) => count.kind === kind)?.count ?? 0
  const planned = (kind: string, names?: readonly string[]) =>
    actions
      .filter(
        ({ kind: of, action }) =>
          // What the file does not have is none of its records.
          of === kind && (names === undefined ? action !== 'absent_in_source' : names.includes(action)),
      )
      .reduce((sum, { count }) => sum + count, 0)
  const stored = await countStored(db, claim)
  const history = await countStoredHistory(db, claim)
  const configurations = await countStoredConfigurations(db, claim)
  const shared = await countStoredSharedSteps(db, claim)
  const comments = await countStoredComments(db, claim)
  const versions = await countStoredVersions(db, claim)
  const attachments = await countStoredAttachments(db, claim)
  const tests = await countStoredTests(db, claim)
  const { errors, leftOut, quarantines } = await countStoredDecisions(db, claim)
  const kinds = [
    ['configuration', 'configurations', configurations],
    ['shared_steps', 'shared steps', shared.steps],
    ['milestone', 'milestones', history.milestones],
    ['run', 'runs', history.runs],
    ['result', 'results', history.results],
  ] as const
  const differences = [
    ...compare('test cases have an action in the plan', readOf('case'), planned('case')),
    ...compare('folders have an action in the plan', readOf('folder'), planned('folder')),
    ...compare('test cases are in the project', planned('case', STORED_ACTIONS), stored.cases),
    ...compare('folders are in the project', planned('folder', STORED_ACTIONS), stored.folders),
    ...kinds.flatMap(([kind, plural, count]) => [
      ...compare(`${plural} have an action in the plan`, readOf(kind), planned(kind)),
      ...compare(`${plural} are in the project`, planned(kind, STORED_ACTIONS), count),
    ]),
    ...compare(
      'versions of new shared steps are in the project',
      planned('shared_step_version', ['create']),
      shared.versions,
    ),
    ...compare('automated tests have an action in the plan', readOf('test'), planned('test')),
    ...compare('automated tests are in the project', planned('test', STORED_ACTIONS), tests.tests),
    ...compare('outcomes of tests have an action in the plan', readOf('test_outcome'), planned('test_outcome')),
    ...compare('outcomes of tests are in the project', planned('test_outcome', STORED_ACTIONS), tests.outcomes),
    ...compare('suite errors have an action in the plan', readOf('suite_error'), planned('suite_error')),
    ...compare('suite errors are in the project', planned('suite_error', STORED_ACTIONS), errors),
    ...compare('left-out tests and errors have an action in the plan', readOf('left_out'), planned('left_out')),
    ...compare('left-out tests and errors are in the project', planned('left_out', STORED_ACTIONS), leftOut),
    ...compare('quarantines have an action in the plan', readOf('quarantine'), planned('quarantine')),
    ...compare('quarantines are in the project', planned('quarantine', STORED_ACTIONS), quarantines),
    ...compare('comments have an action in the plan', readOf('comment'), planned('comment')),
    ...compare('earlier versions have an action in the plan', readOf('case_version'), planned('case_version')),
    ...compare('earlier versions of new test cases are in the project', planned('case_version', ['create']), versions),
    ...compare('attached files have an action in the plan', readOf('attachment'), planned('attachment')),
    ...compare('attached files are in the project', planned('attachment', STORED_ACTIONS), attachments),
    ...compare('comments are in the project', planned('comment', STORED_ACTIONS), comments),
    ...compare('steps of new test cases are in the project', stored.plannedSteps, stored.steps),
  ]
  return {
    is_equal: differences.length === 0,
    cases: { read: readOf('case'), stored: stored.cases },
    folders: { read: readOf('folder'), stored: stored.folders },
    steps: { read: stored.plannedSteps, stored: stored.steps },
    shared_steps: { read: readOf('shared_steps'), stored: shared.steps },
    configurations: { read: readOf('configuration'), stored: configurations },
    milestones: { read: readOf('milestone'), stored: history.milestones },
    runs: { read: readOf('run'), stored: history.runs },
    results: { read: readOf('result'), stored: history.results },
    differences,
  }
}

const compare = (subject: string, expected: number, actual: number): string[] =>
  expected === actual ? [] : [`${actual.toLocaleString('en')} of ${expected.toLocaleString('en')} ${subject}.`]

async function countStored(db: Database, { projectId, id }: ClaimedImport) {
  const { rows: cases } = await sql<{ cases: number; planned: number; steps: number }>`${plannedAnew}
    select count(*)::int as cases,
      coalesce(sum(json_array_length(r.planned -> 'steps')) filter (where r.action = 'create'), 0)::int as planned,
      coalesce(sum(json_array_length(c.steps)) filter (where r.action = 'create'), 0)::int as steps
    from import_records r
    join test_cases c on c.project_id = ${projectId}
      and c.number = case when r.kind = 'case' then r.target::int end
    where r.project_id = ${projectId} and r.import_id = ${id} and r.kind = 'case'
      and r.action not in ('deleted_here', 'absent_in_source')`.execute(db)
  const { rows: folders } = await sql<{ count: number }>`${plannedAnew}
    select count(*)::int as count from import_records r
    join folders f on f.project_id = ${projectId} and f.id = case when r.kind = 'folder' then r.target::uuid end
    where r.project_id = ${projectId} and r.import_id = ${id} and r.kind = 'folder' and r.action <> 'deleted_here'`.execute(
    db,
  )
  return {
    cases: cases[0]?.cases ?? 0,
    plannedSteps: cases[0]?.planned ?? 0,
    steps: cases[0]?.steps ?? 0,
    folders: folders[0]?.count ?? 0,
  }
}
