import type { ResultStatus } from '@caseward/contract/results'

import type { Database } from '../../platform/database/connect.ts'
import * as queries from './apply-results.queries.ts'
import { type DoneRecord, markDone, savePlanned, selectWaiting, type WaitingRecord } from './import-records.queries.ts'
import type { ClaimedImport } from './imports.queries.ts'
import { replaceCombinations } from './apply-combinations.queries.ts'
import { toEarlier } from './planned-combinations.ts'
import { mergeResults, type ResultValue } from './merge-results.ts'
import { storeFields } from './own-field-values.ts'
import type { PlannedResult } from './plan-results.ts'
import type { Source } from './source-links.queries.ts'

const BATCH = 2000

type Waiting = WaitingRecord<PlannedResult>

/** The results of a test case in a run, the oldest first. */
interface Group {
  run: queries.ReceivingRun
  number: number
  title: string
  version: number
  records: Waiting[]
}

/**
 * Writes results of a plan. The caller holds the lock on the project.
 * @returns how many were done; 0 at the end
 */
export async function applyResults(
  tx: Database,
  claim: ClaimedImport,
  { source, userId, plannedAt }: { source: Source; userId: string | null; plannedAt: Date },
): Promise<number> {
  const { projectId } = claim
  const waiting = keepWholePlaces(await selectWaiting<PlannedResult>(tx, claim, 'result', BATCH))
  if (waiting.length === 0) return 0
  await storeFields(tx, projectId, 'result', waiting)
  const runs = new Map(
    (await queries.lockRuns(tx, projectId, [...new Set(waiting.map(({ planned }) => planned.run_id))])).map((run) => [
      run.id,
      run,
    ]),
  )
  const digests = [...new Set(waiting.map(({ planned }) => planned.case_digest))]
  const cases = await queries.selectCases(tx, projectId, source, digests)
  const done: DoneRecord[] = []
  const groups = new Map<string, Group>()
  for (const record of waiting) {
    const run = runs.get(record.planned.run_id)
    const found = cases.get(record.planned.case_digest)
    if (run === undefined) done.push(toDone(record, 'deleted_here'))
    else if (found === undefined) done.push(toDone(record, 'not_imported', 'result_without_case'))
    else {
      const key = queries.toPlaceKey(run.id, found.number)
      const group = groups.get(key) ?? { run, ...found, records: [] }
      group.records.push(record)
      groups.set(key, group)
    }
  }
  done.push(...(await writeGroups(tx, projectId, { userId, plannedAt }, groups)))
  await savePlanned(
    tx,
    claim,
    waiting.filter(({ planned }) => (planned.stored_fields ?? null) !== null),
  )
  await markDone(tx, claim, done)
  return waiting.length
}

/** The results of a test case in a run are written together. The last ones may go on in the next batch. */
function keepWholePlaces(waiting: readonly Waiting[]): readonly Waiting[] {
  const last = waiting.at(-1)
  if (last === undefined || waiting.length < BATCH) return waiting
  const isLast = ({ planned }: Waiting) =>
    planned.run_id === last.planned.run_id && planned.case_digest === last.planned.case_digest
  return waiting.filter((record) => !isLast(record))
}

/** The oldest first; those that nobody has tested last, because any other says more. */
const compareAge = ({ planned: a, seq }: Waiting, { planned: b, seq: other }: Waiting): number =>
  Number(b.is_tested) - Number(a.is_tested) || a.at.localeCompare(b.at) || seq - other

const toDone = (
  { seq, losses }: Waiting,
  action: DoneRecord['action'],
  loss: string | null = null,
  target: string | null = null,
): DoneRecord => ({ seq, action, target, losses: loss === null ? losses : [loss] })

async function writeGroups(
  tx: Database,
  projectId: string,
  { userId, plannedAt }: { userId: string | null; plannedAt: Date },
  groups: ReadonlyMap<string, Group>,
): Promise<DoneRecord[]> {
  const stored = await queries.selectStored(tx, projectId, [...groups.values()])
  const merged = [...groups].map(([key, group]) => {
    const records = group.records.toSorted(compareAge)
    const before = stored.get(key)
    const planned = records.map((record) => ({
      ...record.planned,
      stored_fields: record.planned.stored_fields ?? null,
      case_version: limitVersion(record.planned.case_version ?? null, group.version),
    }))
    return { key, group, records, before, result: mergeResults(planned, before) }
  })
  const ids = await queries.insertResults(
    tx,
    projectId,
    plannedAt,
    merged.flatMap(({ group: { run, number, title }, records, before, result: { current, added } }) =>
      before === undefined
        ? [
            {
              ...pickValue(current),
              run_id: run.id,
              run_group: run.run_group,
              number,
              title,
              change_count: added.length,
              order: Math.min(...records.map(({ planned }) => planned.order ?? number)),
            },
          ]
        : [],
    ),
  )
  const written = merged.map((item) => {
    const id = item.before?.id ?? ids.get(item.key)
    if (id === undefined) throw new Error('An imported result was not stored')
    return { ...item, id }
  })
  await queries.replaceResults(
    tx,
    projectId,
    written.flatMap(({ id, group: { run }, before, result: { current, added, isReplaced } }) =>
      before !== undefined && (isReplaced || added.length > 0)
        ? [{ ...pickValue(current), run_id: run.id, id, change_count: before.change_count + added.length }]
        : [],
    ),
  )
  await queries.insertChanges(
    tx,
    projectId,
    written.flatMap(({ id, group: { run }, before, result: { current, added } }) =>
      added.map((value, index) => ({
        ...pickValue(value),
        run_id: run.id,
        result_id: id,
        place: (before?.change_count ?? 0) + index,
        steps: value.steps?.steps ?? null,
        combinations: value.combinations === null ? null : toEarlier(value.combinations),
        replaced_at:
          value.replaced_at ?? (added[index + 1] ?? current).tested_at ?? value.tested_at ?? new Date().toISOString(),
      })),
    ),
  )
  await queries.saveSteps(
    tx,
    projectId,
    written.flatMap(({ id, group: { run }, result: { current, isReplaced } }) =>
      isReplaced && current.steps !== null && current.steps.case_steps !== ''
        ? [{ ...current.steps, run_id: run.id, result_id: id }]
        : [],
    ),
  )
  await replaceCombinations(
    tx,
    projectId,
    written.flatMap(({ id, group: { run }, before, result: { current, isReplaced } }) =>
      isReplaced
        ? [
            {
              run_id: run.id,
              result_id: id,
              before: before?.combinations ?? [],
              after: (current.combinations ?? []).filter(({ configuration }) => configuration !== null),
            },
          ]
        : [],
    ),
  )
  await queries.addLinks(
    tx,
    projectId,
    userId,
    written.flatMap(({ id, group: { run }, records }) =>
      records.flatMap(({ planned: { links } }) => links.map((link) => ({ run_id: run.id, result_id: id, ...link }))),
    ),
  )
  const counts: queries.CountChanges = new Map()
  for (const { group, before, result } of written) {
    addCount(counts, group.run.id, result.current.status, 1)
    if (before !== undefined) addCount(counts, group.run.id, before.status, -1)
  }
  await queries.addCounts(tx, projectId, counts)
  return written.flatMap(({ id, group, records, result: { outcomes, losesVersion } }) =>
    records.map((record, index) => {
      const outcome = outcomes[index]
      if (outcome === 'cut') return toDone(record, 'not_imported', 'earlier_results_cut')
      const done = toDone(record, outcome ?? 'unchanged', null, id)
      return losesVersion[index] === true || (outcome === 'create' && isVersionLost(record, group))
        ? { ...done, losses: [...done.losses, 'tested_version_missing'] }
        : done
    }),
  )
}

/** The version that was tested; null for one that the test case does not have here. */
const limitVersion = (sent: number | null, current: number): number | null =>
  sent !== null && Number.isInteger(sent) && sent >= 1 && sent <= current ? sent : null

const isVersionLost = ({ planned }: Waiting, { version }: Group): boolean =>
  (planned.case_version ?? null) !== null && limitVersion(planned.case_version, version) === null

/** Without what only a stored result has. */
const pickValue = ({
  status,
  note,
  elapsed,
  tested_by,
  tested_at,
  fields,
  assigned_to,
  case_version,
}: ResultValue) => ({
  status,
  note,
  elapsed,
  tested_by,
  tested_at,
  fields,
  assigned_to,
  case_version,
})

function addCount(counts: queries.CountChanges, runId: string, status: ResultStatus, count: number): void {
  const run = counts.get(runId) ?? { passed: 0, failed: 0, blocked: 0, retest: 0, not_tested: 0 }
  run[status] += count
  counts.set(runId, run)
}
