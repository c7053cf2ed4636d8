import { MAX_RESULT_CHANGES } from '@caseward/contract/result-changes'
import { MAX_LINKS } from '@caseward/contract/link-schemas'
import type { ResultStatus } from '@caseward/contract/results'
import type { ResultRecord } from '@caseward/importers/records'
import { readTime } from '@caseward/importers/steps/read-time'
import { truncateNote } from '@caseward/matching/note'
import { sql } from 'kysely'

import type { Database } from '../../platform/database/connect.ts'
import { plannedAnew } from '../../platform/database/plans.ts'
import { createYielder } from '../../platform/yielder.ts'
import type { StoredValues } from '../fields/stored-values.ts'
import type { HistoryContext } from './history-context.ts'
import { type PlannedRecord, selectRecords, updatePlannedRecords } from './import-records.queries.ts'
import type { ImportReading } from './import-summary.ts'
import type { ImportWork } from './import-work.ts'
import { type PlannedFields, planFieldValues } from './own-field-values.ts'
import { type CombinationValue, planAssignee, planCombinations, rollUp } from './planned-combinations.ts'
import { type PlannedSteps, planSteps } from './planned-steps.ts'
import { isPossibleAddress, type PlannedLink, toLinkLabel } from './plan-links.ts'
import type { RunTarget } from './plan-runs.ts'
import { isAddress } from '@caseward/importers/read-statistics'
import { selectLinks, toKeyDigest } from './source-links.queries.ts'
import { withWholeJoins } from './whole-joins.ts'
import { withWriterBehind, type WriteBehind } from './writer-behind.ts'

/** A result of the source as it is stored. */
export interface PlannedResult {
  run_id: string
  /** By which its test case is found. */
  case_digest: string
  status: ResultStatus
  note: string | null
  elapsed: number | null
  tested_by: string | null
  at: string
  /** When another value took its place; null if the source does not say. */
  replaced_at: string | null
  /** Whether somebody has tested; else the test case was only part of the run. */
  is_tested: boolean
  links: PlannedLink[]
  /** Of the configurations of its run; null without any. */
  combinations: CombinationValue[] | null
  /** Results of its steps; null without any. */
  steps: PlannedSteps | null
  /** Values of custom fields; null without any. */
  fields: PlannedFields | null
  /** The same as they were stored, which an undo compares; missing until then. */
  stored_fields?: StoredValues | null
  /** The member who is to test it; null for nobody. */
  assigned_to: string | null
  /** The version of the test case that was tested; null if the source does not say. */
  case_version: number | null
  /** Place among the results of its run, of an export of Caseward; null for that of the test case. */
  order: number | null
}

const PAGE = 1000
/** A request takes several turns, and waits for such a slice in each of them. */
const SLICE_MS = 1
const MAX_ELAPSED = 2_147_483_647

/** Plans the results of an import: each goes into its run, and of several for one test case the newest one counts. */
export async function planResults(
  db: Database,
  work: ImportWork,
  context: HistoryContext,
  { reading, runs }: { reading: ImportReading; runs: ReadonlyMap<string, RunTarget> },
): Promise<void> {
  const total = reading.counts.find(({ kind }) => kind === 'result')?.count ?? 0
  if (total === 0) return
  const inFile = await selectCaseKeys(db, work, new Set(reading.duplicateKeys))
  const places = await withWriterBehind((writeBehind) =>
    planPages(db, work, context, { runs, inFile, total, writeBehind }),
  )
  // It reads all of them: most histories have one result for a test case in a run.
  if (await places.hasSeveral()) await withWholeJoins(db, (tx) => joinResults(tx, work))
}

/** Plans all results, and returns their places. */
async function planPages(
  db: Database,
  work: ImportWork,
  context: HistoryContext,
  {
    runs,
    inFile,
    total,
    writeBehind,
  }: {
    runs: ReadonlyMap<string, RunTarget>
    inFile: Awaited<ReturnType<typeof selectCaseKeys>>
    total: number
    writeBehind: WriteBehind
  },
): Promise<Places> {
  const { claim } = work
  const places = new Places()
  let done = 0
  for (let after = 0; ;) {
    const rows = await selectRecords<ResultRecord, ResultRecord['own'] | null>(db, claim, {
      kind: 'result',
      after,
      limit: PAGE,
    })
    const last = rows.at(-1)
    if (last === undefined) break
    after = last.seq
    const keys = [...new Set(rows.flatMap(({ record }) => listCaseKeys(record, context)))]
    const others = keys.filter((key) => !inFile.has(key))
    const linked = await selectLinks(db, claim.projectId, context.source, 'case', others.map(toKeyDigest))
    const plan = ({ seq, record, prepared: own }: (typeof rows)[number]): PlannedRecord => {
      const key = listCaseKeys(record, context).find((each) => inFile.has(each) || linked.has(toKeyDigest(each)))
      const run = runs.get(record.run)
      const { result, losses } = toPlannedResult(
        { ...record, ...(own && { own }) },
        own === null ? null : seq,
        run,
        key ?? '',
        context,
      )
      const decided = decide(run, key)
      if (decided.action === 'create') places.add(result.run_id, result.case_digest)
      return {
        seq,
        action: decided.action,
        losses: [...(decided.action === 'not_imported' ? [] : losses), ...decided.losses],
        changed: [],
        planned: result,
        place: seq,
        target: null,
        is_done: decided.action !== 'create',
      }
    }
    const planned: PlannedRecord[] = []
    const yielder = createYielder(8, SLICE_MS)
    for (const row of rows) {
      if (yielder.shouldYield()) await yielder.yield()
      planned.push(plan(row))
    }
    await writeBehind(() => updatePlannedRecords(db, claim, planned))
    done += rows.length
    await work.keep(db, { stage: 'planning', done, total })
  }
  return places
}

/** Of which test cases runs have results, in a few bytes for each result. */
class Places {
  readonly #cases = new Map<string, number>()
  readonly #runs = new Map<string, number[]>()

  add(runId: string, caseDigest: string): void {
    const number = this.#cases.get(caseDigest) ?? this.#cases.size
    this.#cases.set(caseDigest, number)
    const run = this.#runs.get(runId)
    if (run === undefined) this.#runs.set(runId, [number])
    else run.push(number)
  }

  /** Whether a run has several results of a test case. */
  async hasSeveral(): Promise<boolean> {
    const yielder = createYielder(1)
    for (const cases of this.#runs.values()) {
      if (yielder.shouldYield()) await yielder.yield()
      if (new Set(cases).size < cases.length) return true
    }
    return false
  }
}

function decide(
  run: RunTarget | undefined,
  key: string | undefined,
): { action: 'create' | 'unchanged' | 'deleted_here' | 'not_imported'; losses: string[] } {
  if (run === undefined) return { action: 'not_imported', losses: ['result_without_run'] }
  if (run.action === 'not_imported') return { action: 'not_imported', losses: ['older_than_retention'] }
  if (run.action === 'deleted_here') return { action: 'deleted_here', losses: [] }
  if (key === undefined) return { action: 'not_imported', losses: ['result_without_case'] }
  return { action: run.action === 'unchanged' ? 'unchanged' : 'create', losses: [] }
}

/** What a test case may be called: TestLink puts the prefix of the project before its ids, but not in every file. */
function listCaseKeys({ case: key }: ResultRecord, { source }: HistoryContext): string[] {
  const number = source.system === 'testlink' ? /^[^-\s]+-(\d{1,12})$/.exec(key)?.[1] : undefined
  return number === undefined || key.startsWith('internal-') ? [key] : [key, number]
}

/** The ids of test cases of the file, without those that several have. */
async function selectCaseKeys(
  db: Database,
  { claim }: ImportWork,
  duplicates: ReadonlySet<string>,
): Promise<Set<string>> {
  const { rows } = await sql<{ key: string }>`${plannedAnew}
    select key from import_records
    where project_id = ${claim.projectId} and import_id = ${claim.id} and kind = 'case' and key is not null`.execute(db)
  return new Set(rows.map(({ key }) => key).filter((key) => !duplicates.has(key)))
}

function toPlannedResult(
  record: ResultRecord,
  order: number | null,
  run: RunTarget | undefined,
  key: string,
  context: HistoryContext,
): { result: PlannedResult; losses: string[] } {
  const { source, mapping, importedAt, people, dates } = context
  const { combinations, losses } = planCombinations(record.combinations ?? [], run?.places ?? new Set(), context)
  const steps = record.own_steps === undefined ? null : planSteps(record.own_steps)
  if (record.own_steps !== undefined && steps === null) losses.push('not_imported:results_of_steps')
  const word = record.status.trim().slice(0, 200)
  const sent = (mapping.statuses.get(word) ?? 'not_tested') as ResultStatus
  const status = rollUp(combinations) ?? sent
  if (status !== sent) losses.push('status_of_configurations')
  const isUnknown = mapping.unknownStatuses.has(word)
  if (isUnknown) losses.push('status_unknown')
  const read = dates.read('result.at', record.at)
  const limit = importedAt.toISOString()
  const isTested = status !== 'not_tested' || read !== null || record.note.trim() !== '' || isUnknown
  if (read === null && isTested) losses.push('time_missing')
  const time = read?.toISOString() ?? run?.time ?? limit
  const { fields, isLost } = planFieldValues(record.own_fields, context.ownFields.bySubject.result, people)
  if (isLost) losses.push('not_imported:fields_of_results')
  const assignedTo = planAssignee(record.assigned_to, people, losses)
  const testedBy = people.find(record.person)
  if (people.isImported(record.person)) losses.push('tester_unknown')
  const { links: defects, ids } = planDefects(record.defects, mapping.idPattern)
  const ownLinks = (record.own_links ?? [])
    .filter(({ url }) => isAddress(url) && isPossibleAddress(url))
    .slice(0, MAX_LINKS)
  if (ownLinks.length < (record.own_links ?? []).length) losses.push('not_imported:links_of_results')
  const links = [
    ...defects.map((url): PlannedLink => ({ url, kind: 'defect', label: null })),
    ...ownLinks.map(({ url, kind, label }): PlannedLink => ({ url, kind, label: toLinkLabel(label) })),
  ]
  if (ids.length > 0) losses.push('defects_without_address')
  const isOwn = source.system === 'caseward' && !isUnknown && ids.length === 0
  const parts = [
    isUnknown ? `[${word}] ${record.note}`.trim() : record.note.trim(),
    ids.length === 0 ? '' : `Defects: ${ids.join(', ')}`,
  ]
  const note = isOwn ? record.note : parts.filter((text) => text !== '').join('\n\n')
  if (time > limit) losses.push('time_in_future')
  const stored = truncateNote(note)
  if (stored !== note) losses.push('text_cut')
  const replaced = readTime(record.replaced_at ?? '')?.toISOString() ?? null
  const { elapsed_seconds: elapsed } = record
  const isDuration = elapsed !== null && elapsed >= 0 && elapsed <= MAX_ELAPSED
  if (elapsed !== null && !isDuration) losses.push('duration_out_of_range')
  return {
    result: {
      run_id: run?.id ?? '',
      case_digest: toKeyDigest(key),
      status,
      note: stored === '' ? null : stored,
      elapsed: isDuration ? Math.round(elapsed) : null,
      tested_by: testedBy,
      at: time > limit ? limit : time,
      replaced_at: replaced !== null && replaced > limit ? limit : replaced,
      is_tested: isTested,
      links,
      combinations: combinations.length === 0 ? null : combinations,
      steps,
      fields,
      assigned_to: assignedTo,
      case_version: record.own?.case_version ?? null,
      order,
    },
    losses: [...new Set(losses)],
  }
}

function planDefects(defects: readonly string[], idPattern: string | null): { links: string[]; ids: string[] } {
  const links: string[] = []
  const ids: string[] = []
  for (const defect of new Set(defects.map((text) => text.trim()))) {
    if (defect === '') continue
    const url = isAddress(defect) ? defect : idPattern?.replaceAll('{id}', () => encodeURIComponent(defect))
    if (url !== undefined && isPossibleAddress(url)) links.push(url)
    else ids.push(defect)
  }
  return { links, ids }
}

/**
 * Gives the results of a test case in a run a place in common, below zero, so that one batch writes them all. A single one keeps its own,
 * which is that in the file. More than can be kept are left out, the oldest ones.
 */
async function joinResults(db: Database, { claim }: ImportWork): Promise<void> {
  await sql`${plannedAnew}
    with planned as materialized (
      select r.seq, p.* from import_records r
      cross join lateral json_to_record(r.planned) as p (run_id text, case_digest text, at text)
      where r.project_id = ${claim.projectId} and r.import_id = ${claim.id} and r.kind = 'result' and r.action = 'create'
    ), several as materialized (
      select run_id, case_digest, min(seq) as first from planned group by run_id, case_digest having count(*) > 1
    ), aged as materialized (
      select p.seq, s.first, row_number() over (partition by s.first order by p.at desc, p.seq desc) as age
      from several s join planned p on p.run_id = s.run_id and p.case_digest = s.case_digest
    )
    update import_records r set place = -aged.first,
      action = case when aged.age > ${MAX_RESULT_CHANGES + 1} then 'not_imported' else 'create' end,
      losses = case when aged.age > ${MAX_RESULT_CHANGES + 1} then array['earlier_results_cut'] else r.losses end,
      is_done = aged.age > ${MAX_RESULT_CHANGES + 1}
    from aged
    where r.project_id = ${claim.projectId} and r.import_id = ${claim.id} and r.seq = aged.seq`.execute(db)
}
