import { OTHER_TESTS_PLACE } from '@caseward/contract/run-configurations'
import type { OwnSource, RunRecord } from '@caseward/importers/records'
import { cutText } from '@caseward/matching/note'
import { sql } from 'kysely'
import { v7 as uuidv7 } from 'uuid'

import { isText } from '../../platform/http/text-formats.ts'
import type { Database } from '../../platform/database/connect.ts'
import type { StoredValues } from '../fields/stored-values.ts'
import type { HistoryContext } from './history-context.ts'
import { type PlannedRecord, selectRecords, type StoredRecord, updatePlannedRecords } from './import-records.queries.ts'
import type { ImportWork } from './import-work.ts'
import { type PlannedFields, planFieldValues } from './own-field-values.ts'
import { planSources } from './own-sources.ts'
import { toStoredName } from './stored-name.ts'
import type { MilestoneTargets } from './plan-milestones.ts'
import { planRunUploads, type PlannedUploads } from './plan-run-uploads.ts'
import { type PlannedRunConfiguration, planRunConfigurations } from './plan-run-configurations.ts'
import { lacksTime, readContents, readTimes, type RunContent, type RunTimes } from './run-contents.queries.ts'
import { selectLinks, type SourceLink, toKeyDigest, toShortDigest } from './source-links.queries.ts'

/** A run of the source as it is stored. */
export interface PlannedRun {
  id: string
  name: string
  description: string
  milestone_id: string | null
  created_by: string | null
  completed_by: string | null
  /** Those who are imported people. */
  created_by_person: string | null
  completed_by_person: string | null
  created_at: string
  status: 'in_progress' | 'completed'
  /** Null for a run that goes on. */
  completed_at: string | null
  metadata: Record<string, string>
  run_configurations: PlannedRunConfiguration[]
  /** The greatest place that it has, or has had; 0 without any. */
  last_configuration_place: number
  adds_test_cases: boolean
  /** The run that it repeats and the first one of its chain, by the digests of their keys; null for none. */
  rerun: { of: string; root: string; number: number } | null
  raw_digest: string
  /** Values of custom fields; null without any. */
  fields: PlannedFields | null
  /** The same as they were stored, which an undo compares; missing until then. */
  stored_fields?: StoredValues | null
  /** By which CI jobs find it; null without one. */
  run_key: string | null
  /** What other tools call it, of an export of Caseward. */
  sources: readonly OwnSource[]
  /** What CI has sent to it; missing in plans of earlier versions. */
  ci?: PlannedUploads
}

/** What becomes of the results of a run. */
export interface RunTarget {
  id: string
  /** Of results without a time. */
  time: string
  action: 'create' | 'update' | 'unchanged' | 'deleted_here' | 'not_imported'
  /** Places of its configurations. */
  places: ReadonlySet<number>
}

const PAGE = 500
const MAX_DESCRIPTION = 65_536
/** One less than a run can have: the source is added. */
const MAX_METADATA = 49
const MAX_KEY = 255
/** The name of the metadata that says where a run is from. */
const ORIGIN = 'Imported from'
const UUID = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/

/** Plans the runs of an import, by their keys. A run of the same content as before is not read again. */
export async function planRuns(
  db: Database,
  work: ImportWork,
  context: HistoryContext,
  milestones: MilestoneTargets,
): Promise<Map<string, RunTarget>> {
  const { claim } = work
  const targets = new Map<string, RunTarget>()
  // Not without runs: it reads all records.
  let contents: ReadonlyMap<string, string> | undefined
  let times: ReadonlyMap<string, RunTimes> | undefined
  const takenKeys = new Set<string>()
  for (let after = 0; ;) {
    const rows = await selectRecords<RunRecord>(db, claim, { kind: 'run', after, limit: PAGE })
    const last = rows.at(-1)
    if (last === undefined) return targets
    after = last.seq
    contents ??= await readContents(db, work)
    const known = contents
    times ??= rows.some(({ record }) => lacksTime(record, context.dates))
      ? await readTimes(db, work, context.dates)
      : undefined
    const timesOf = times ?? new Map<string, never>()
    const digests = rows.map(({ record }) => toKeyDigest(record.key))
    const links = await selectLinks(db, claim.projectId, context.source, 'run', digests)
    const own = context.isSelf ? rows.map(({ record }) => record.key).filter((key) => UUID.test(key)) : []
    const wanted = [...own, ...[...links.values()].map(({ target }) => target)]
    const { rows: found } = await sql<{ id: string }>`
      select id from runs where project_id = ${claim.projectId}
        and id = any(${wanted}::uuid[])`.execute(db)
    const existing = new Set(found.map(({ id }) => id))
    for (const key of await selectTakenKeys(db, claim.projectId, rows)) takenKeys.add(key)
    const planned = rows.map((row): PlannedRecord => {
      const { key } = row.record
      const repeated = targets.get(key)
      const link = links.get(toKeyDigest(key))
      const content = { hash: known.get(key) ?? null, times: timesOf.get(key) }
      const { run, losses, isOld } = toPlannedRun(
        row,
        content,
        { ...context, projectId: claim.projectId },
        milestones,
        link,
        existing,
      )
      if (repeated !== undefined) {
        return toRecord(row.seq, run, { action: 'not_imported', losses: ['run_repeated'], target: null })
      }
      const action =
        context.isSelf && link === undefined ? decideOwn(existing, key) : decide(link, existing, run.raw_digest, isOld)
      if (action === 'create' && run.run_key !== null) {
        if (takenKeys.has(run.run_key)) {
          run.run_key = null
          losses.push('not_imported:keys_of_ci_runs')
        } else takenKeys.add(run.run_key)
      }
      const places = new Set(run.run_configurations.map(({ place }) => place))
      targets.set(key, { id: run.id, time: run.created_at, action, places })
      const isHere = action === 'create' || action === 'update' || action === 'unchanged'
      const stated = action === 'not_imported' ? [...losses, 'older_than_retention'] : losses
      return toRecord(row.seq, run, { action, losses: stated, target: isHere ? run.id : null })
    })
    await updatePlannedRecords(db, claim, planned)
    await work.keep(db, { stage: 'planning', done: 0, total: 0 })
  }
}

/** Which keys of CI builds runs here have. */
async function selectTakenKeys(
  db: Database,
  projectId: string,
  records: readonly StoredRecord<RunRecord>[],
): Promise<string[]> {
  const keys = records.flatMap(({ record }) => record.run_key ?? [])
  if (keys.length === 0) return []
  const { rows } = await sql<{ run_key: string }>`
    select run_key from runs where project_id = ${projectId} and run_key = any(${keys}::text[])`.execute(db)
  return rows.map((row) => row.run_key)
}

/** Of an export of this project, runs that are here are newer, and others were deleted. */
const decideOwn = (existing: ReadonlySet<string>, key: string): RunTarget['action'] =>
  existing.has(key) ? 'unchanged' : 'deleted_here'

function decide(
  link: SourceLink | undefined,
  existing: ReadonlySet<string>,
  digest: string,
  isOld: boolean,
): RunTarget['action'] {
  if (link === undefined) return isOld ? 'not_imported' : 'create'
  if (!existing.has(link.target)) return 'deleted_here'
  return link.raw_digest === digest ? 'unchanged' : 'update'
}

const toRecord = (
  seq: number,
  run: PlannedRun,
  { action, losses, target }: Pick<PlannedRecord, 'action' | 'losses' | 'target'>,
): PlannedRecord => ({
  seq,
  action,
  losses,
  changed: [],
  planned: run,
  place: 0,
  target,
  is_done: action !== 'create' && action !== 'update',
})

function toPlannedRun(
  { record, seq }: StoredRecord<RunRecord>,
  content: RunContent,
  {
    source,
    mapping,
    importedAt,
    keptSince,
    people,
    isSelf,
    configurations: known,
    ownFields,
    dates,
    projectId,
  }: HistoryContext & { projectId: string },
  milestones: MilestoneTargets,
  link: SourceLink | undefined,
  existing: ReadonlySet<string>,
): { run: PlannedRun; losses: string[]; isOld: boolean } {
  const limit = importedAt.toISOString()
  const { configurations, isLost } = planRunConfigurations(record, known, projectId)
  const startedAt = dates.read('run.created_at', record.created_at)?.toISOString() ?? content.times?.first ?? null
  const createdAt = startedAt === null || startedAt > limit ? limit : startedAt
  const ended = [
    dates.read('run.completed_at', record.completed_at)?.toISOString() ?? content.times?.last ?? createdAt,
    createdAt,
  ]
  const latest = ended.toSorted().at(-1) ?? createdAt
  const completedAt = latest > limit ? limit : latest
  const losses = startedAt === null ? ['time_missing'] : []
  if (isLost) losses.push('not_imported:configurations_of_runs')
  const { isLost: areUploadsLost, ...ci } = planRunUploads(record, importedAt)
  if (areUploadsLost) losses.push('not_imported:uploads_of_runs')
  if ((startedAt !== null && startedAt > limit) || latest > limit) losses.push('time_in_future')
  const { fields, isLost: areFieldsLost } = planFieldValues(record.own_fields, ownFields.bySubject.run, people)
  if (areFieldsLost) losses.push('not_imported:fields_of_runs')
  const key = record.run_key ?? null
  const isKey = key !== null && isText(key) && Array.from(key).length <= MAX_KEY
  if (key !== null && !isKey) losses.push('not_imported:keys_of_ci_runs')
  const isOpen = record.is_open === true
  const milestone = milestones.get(record.milestone ?? '')
  const { created_by: createdBy = '', completed_by: completedBy = '' } = record
  const entries = Object.entries(record.metadata ?? {}).filter(([name]) => name !== ORIGIN)
  if (entries.length > MAX_METADATA) losses.push('not_imported:metadata_of_runs')
  const metadata = entries.slice(0, MAX_METADATA).map(([name, value]) => [cutText(name, 64), cutText(value, 1000)])
  const run: PlannedRun = {
    // The order of ids is that of lists. Runs of one moment keep the order of the file.
    id:
      link?.target ?? (isSelf && existing.has(record.key) ? record.key : uuidv7({ msecs: Date.parse(createdAt), seq })),
    name: toStoredName(record.name, 'Untitled'),
    description: cutText(record.description ?? '', MAX_DESCRIPTION),
    milestone_id: milestone?.id ?? null,
    created_by: people.findUser(createdBy),
    completed_by: people.findUser(completedBy),
    created_by_person: people.isImported(createdBy) ? people.find(createdBy) : null,
    completed_by_person: people.isImported(completedBy) ? people.find(completedBy) : null,
    created_at: createdAt,
    status: isOpen ? 'in_progress' : 'completed',
    completed_at: isOpen ? null : completedAt,
    metadata: { ...Object.fromEntries(metadata), [ORIGIN]: source.source },
    run_configurations: configurations,
    last_configuration_place: Math.max(
      record.last_configuration_place === OTHER_TESTS_PLACE ? 0 : (record.last_configuration_place ?? 0),
      ...configurations.map(({ place }) => (place === OTHER_TESTS_PLACE ? 0 : place)),
    ),
    adds_test_cases: record.adds_test_cases === true,
    rerun:
      record.rerun === null || record.rerun === undefined
        ? null
        : { of: toKeyDigest(record.rerun.of), root: toKeyDigest(record.rerun.root), number: record.rerun.number },
    raw_digest: toShortDigest(
      JSON.stringify([record, content.hash, mapping.statusSignature, mapping.idPattern, ...dates.signature]),
    ),
    fields,
    run_key: isKey ? key : null,
    sources: planSources(record.sources),
    ci,
  }
  const isOld = keptSince !== null && !isOpen && completedAt < keptSince.toISOString() && milestone?.isOpen !== true
  return { run, losses, isOld }
}
