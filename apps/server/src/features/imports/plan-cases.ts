import type { CaseRecord, PreparedCase } from '@caseward/importers/records'
import { sql } from 'kysely'

import type { Database } from '../../platform/database/connect.ts'
import { createYielder } from '../../platform/yielder.ts'
import { withWriterBehind, type WriteBehind } from './writer-behind.ts'
import { readFields } from '../fields/project-fields.ts'
import { selectCaseNumbersByKey } from '../test-cases/automation-keys.queries.ts'
import { parseTestCaseNumber } from '../test-cases/test-case-ids.ts'
import { toKeyDigest as toAutomationDigest } from '../test-cases/automation-keys.ts'
import { selectExistingNumbers } from '../test-cases/has-test-case.queries.ts'
import { type CurrentCase, selectCurrentCases } from './compare-case.ts'
import { comparePlanned } from './compare-planned.ts'
import { type PlannedRecord, selectRecords, type StoredRecord, updatePlannedRecords } from './import-records.queries.ts'
import type { ImportPlanning, ImportReading } from './import-summary.ts'
import type { ImportWork } from './import-work.ts'
import type { OwnFields } from './plan-own-fields.ts'
import { planCase, type WaitingCase } from './plan-case.ts'
import type { FolderTargets } from './plan-folders.ts'
import type { Mapping } from './plan-mapping.ts'
import { createSimilarPlanner } from './plan-similar.ts'
import type { SharedTargets } from './plan-shared-steps.ts'
import { selectLinks, type Source, type SourceLink, toKeyDigest, toShortDigest } from './source-links.queries.ts'

interface PlanOptions {
  source: Source
  format: string
  mapping: Mapping
  reading: ImportReading
  folders: FolderTargets
  ownFields: OwnFields
  sharedSteps: SharedTargets
  self: SelfProject
  /** Whether test cases that were deleted here are created again. */
  restoresDeleted: boolean
  /** The id here of an attachment that a text shows. */
  mapAttachment: (id: string) => string
}

/** The project that is imported into, for exports of itself. */
export interface SelfProject {
  prefix: string
  lastNumber: number
  /** Whether the file is an export of this project: certain of a bundle; a sheet only has the ids. */
  isSource: boolean
}

/** So many test cases keep other requests waiting for a few milliseconds. */
const PAGE = 100
/** A request takes several turns, and waits for such a slice in each of them. */
const SLICE_MS = 1

type CaseRow = StoredRecord<CaseRecord, PreparedCase>

interface PlannedCases {
  /** How many of them are known from earlier imports. */
  linkedCount: number
  /** How many are like others. */
  similar: NonNullable<ImportPlanning['similar']>
}

/** Plans the test cases of an import. */
export const planCases = (db: Database, work: ImportWork, options: PlanOptions): Promise<PlannedCases> =>
  withWriterBehind((writeBehind) => planPages(db, work, options, writeBehind))

async function planPages(
  db: Database,
  work: ImportWork,
  options: PlanOptions,
  writeBehind: WriteBehind,
): Promise<PlannedCases> {
  const { claim } = work
  const { projectId } = claim
  const total = options.reading.counts.find(({ kind }) => kind === 'case')?.count ?? 0
  const fields = await readFields(db, projectId)
  const members = await selectMembers(db, projectId, options.source.system)
  const sourceKeys = createSourceKeys(options)
  const usedKeys = new Set<string>()
  const similar = createSimilarPlanner(db, { id: projectId, prefix: options.self.prefix })
  let [linkedCount, done] = [0, 0]
  for (let after = 0; ;) {
    const rows = await selectRecords<CaseRecord, PreparedCase>(db, claim, { kind: 'case', after, limit: PAGE })
    const last = rows.at(-1)
    if (last === undefined) return { linkedCount, similar: similar.result }
    after = last.seq
    const yielder = createYielder(1, SLICE_MS)
    const keyed = []
    for (const row of rows) {
      if (yielder.shouldYield()) await yielder.yield()
      const { key, ...rest } = sourceKeys(row.record)
      const raw = toShortDigest(JSON.stringify(row.record) + options.mapping.signature)
      keyed.push({ row, ...rest, key, digest: toKeyDigest(key), raw, selfNumber: findSelf(row.record, options.self) })
    }
    const links = await selectLinks(
      db,
      projectId,
      options.source,
      'case',
      keyed.map(({ digest }) => digest),
    )
    linkedCount += links.size
    const places = keyed.map(({ digest, raw, selfNumber }) => {
      const link = selfNumber === null ? links.get(digest) : undefined
      const number = selfNumber ?? (link === undefined ? null : Number(link.target))
      return { link, number, isSame: link?.raw_digest === raw }
    })
    const listNumbers = (isSame: boolean) =>
      places.flatMap((place) => (place.number !== null && place.isSame === isSame ? [place.number] : []))
    // Of what the source has not changed, only whether it is still here matters.
    const here = await selectExistingNumbers(db, projectId, listNumbers(true))
    const current = await selectCurrentCases(db, projectId, fields, listNumbers(false))
    const planned: PlannedRow[] = []
    for (const [index, { row, ...keys }] of keyed.entries()) {
      if (yielder.shouldYield()) await yielder.yield()
      const { link: known, number, isSame } = places[index] ?? { link: undefined, number: null, isSame: false }
      const found = number === null ? undefined : current.get(number)
      const isHere = found !== undefined || (isSame && number !== null && here.has(number))
      const link = options.restoresDeleted && !isHere ? undefined : known
      const record = planRow(row, { ...keys, members }, options)
      if (found !== undefined && keys.selfNumber !== null) keepUnseen(record.planned, found)
      planned.push({ record, link, selfNumber: keys.selfNumber, isHere, current: found })
    }
    await takeKeysAway(db, projectId, planned, usedKeys)
    const decided = planned.map((item) => decide(item, options.format))
    await similar.mark(decided)
    await writeBehind(() => updatePlannedRecords(db, claim, decided.map(toStored)))
    done += rows.length
    await work.keep(db, { stage: 'planning', done, total })
  }
}

interface PlannedRow {
  record: Omit<PlannedRecord, 'action' | 'changed' | 'is_done' | 'target' | 'planned'> & { planned: WaitingCase }
  link: SourceLink | undefined
  /** The number of the test case of which it is an export. */
  selfNumber: number | null
  /** Whether the test case that it leads to is in the project. */
  isHere: boolean
  /** What is here; not read if the source has not changed. */
  current: CurrentCase | undefined
}

/** The number of the test case that a row of this project's own export is; null for any other row. */
function findSelf({ key, own }: CaseRecord, { prefix, lastNumber, isSource }: SelfProject): number | null {
  if (key === null || own === undefined || (own.columns === null && !isSource)) return null
  const number = parseTestCaseNumber(key, prefix)
  return number !== null && number <= lastNumber ? number : null
}

/** A sheet has the first automation key only, and other line ends: what it cannot say stays. */
function keepUnseen(planned: WaitingCase, current: CurrentCase): void {
  if (planned.own?.columns === null) return
  for (const name of ['precondition', 'expected_result'] as const) {
    if (isSameText(planned[name], current[name])) planned[name] = current[name]
  }
  const isSame = planned.steps.every(({ action, expected }, index) => {
    const step = current.steps[index]
    return step !== undefined && isSameText(action, step.action) && isSameText(expected, step.expected)
  })
  if (isSame && planned.steps.length === current.steps.length) planned.steps = current.steps
  const [first, ...others] = current.automation_keys
  if (first === undefined) return
  const [sent] = planned.automation_keys
  planned.automation_keys = [...(sent === undefined ? [] : [sent]), ...others.filter((key) => key !== sent)]
}

const isSameText = (a: string, b: string) => a.replaceAll(/\r\n?/g, '\n') === b.replaceAll(/\r\n?/g, '\n')

function planRow(
  { seq, record, prepared, read_losses: readLosses }: CaseRow,
  {
    key,
    id,
    losses: keyLosses,
    raw,
    members,
    selfNumber,
  }: SourceKey & { raw: string; members: ReadonlyMap<string, string>; selfNumber: number | null },
  { mapping, folders, ownFields, sharedSteps, self, mapAttachment }: PlanOptions,
): PlannedRow['record'] {
  const folderId = record.folder === null ? null : (folders.ids.get(record.folder) ?? null)
  const keepsNumber = self.lastNumber === 0
  const own = { isSelf: selfNumber !== null, keepsNumber }
  const { planned, losses } = planCase(record, prepared, {
    mapping,
    folderId,
    members,
    own,
    ownFields,
    sharedSteps,
    mapAttachment,
  })
  // Test cases that keep their numbers are created in the order of these.
  const number = planned.own?.number ?? null
  return {
    seq,
    losses: [...new Set([...readLosses, ...keyLosses, ...losses])],
    place: number ?? (record.folder === null ? 0 : (folders.places.get(record.folder) ?? 0)),
    planned: { ...planned, source_key: key, source_id: id, raw_digest: raw },
  }
}

/** What the source has not changed, and no later step reads, is not stored a second time. */
const toStored = (record: PlannedRecord & { planned: WaitingCase }): PlannedRecord =>
  record.action === 'unchanged' && record.is_done && record.planned.own === null ? { ...record, planned: null } : record

/** Says what happens to a test case. What an earlier import has written is compared with what is here. */
function decide(
  { record, link, selfNumber, isHere, current }: PlannedRow,
  format: string,
): PlannedRecord & { planned: WaitingCase } {
  const { planned } = record
  const target = selfNumber === null ? (link?.target ?? null) : String(selfNumber)
  const base = { ...record, target, changed: [] }
  if (target === null) return { ...base, action: 'create', is_done: false }
  if (!isHere) return { ...base, action: 'deleted_here', is_done: true }
  if (current === undefined) return { ...base, action: 'unchanged', is_done: true }
  planned.compared_version = current.version
  const { changed, conflicts } = comparePlanned(planned, current, link, format)
  if (conflicts.length > 0) {
    const losses = [...record.losses, 'conflict_kept']
    return { ...base, losses, action: 'conflict', changed: [...changed, ...conflicts], is_done: false }
  }
  const isDone = changed.length === 0 && selfNumber !== null
  return { ...base, action: changed.length > 0 ? 'update' : 'unchanged', changed, is_done: isDone }
}

/** Automation keys are unique: the first test case that has one keeps it. */
async function takeKeysAway(
  db: Database,
  projectId: string,
  planned: readonly PlannedRow[],
  used: Set<string>,
): Promise<void> {
  const keys = planned.flatMap(({ record }) => record.planned.automation_keys)
  if (keys.length === 0) return
  const holders = await selectCaseNumbersByKey(db, projectId, keys)
  for (const { record, link, selfNumber } of planned) {
    const own = selfNumber ?? (link === undefined ? null : Number(link.target))
    const free = record.planned.automation_keys.filter((key) => {
      const digest = toAutomationDigest(key)
      const holder = holders.get(key)
      if (used.has(digest) || (holder !== undefined && holder !== own)) return false
      used.add(digest)
      return true
    })
    if (free.length === record.planned.automation_keys.length) continue
    record.planned.details['automation_keys'] = record.planned.automation_keys
    record.planned.automation_keys = free
    record.losses = [...record.losses, 'key_taken']
  }
}

interface SourceKey {
  key: string
  /** What the source calls it; null without an id, or for one that several have. */
  id: string | null
  losses: string[]
}

/**
 * Returns what a source calls its test cases. Without an id, and for ids that several have, it is their path and title, with
 * a number for equal ones in their order: no test case is lost.
 */
function createSourceKeys({ reading, folders }: PlanOptions): (record: CaseRecord) => SourceKey {
  const duplicates = new Set(reading.duplicateKeys)
  const counts = new Map<string, number>()
  return (record) => {
    const isDuplicate = record.key !== null && duplicates.has(record.key)
    if (record.key !== null && !isDuplicate) return { key: record.key, id: record.key, losses: [] }
    const path = record.folder === null ? [] : (folders.paths.get(record.folder) ?? [record.folder])
    const words = [...path, record.title].map((word) => word.trim().toLowerCase().replaceAll(/\s+/g, ' '))
    const place = words.join(' > ')
    const digest = toKeyDigest(place)
    const count = (counts.get(digest) ?? 0) + 1
    counts.set(digest, count)
    const isRepeated = count > 1 && !isDuplicate
    // The reader has told of ids that several have.
    const losses = isRepeated ? ['no_key', 'duplicate_title'] : isDuplicate ? [] : ['no_key']
    return { key: count === 1 ? place : `${place} (${count})`, id: null, losses }
  }
}

/**
 * Ids of those who can own test cases, by their id and their email address in lower case. Exports of Caseward also have names, if
 * whoever exports sees no addresses.
 */
async function selectMembers(db: Database, projectId: string, system: string): Promise<Map<string, string>> {
  const { rows } = await sql<{ id: string; email: string; name: string }>`
    select u.id, lower(u.email collate "C") as email, lower(u.name) as name
    from memberships m join users u on u.id = m.user_id
    where m.project_id = ${projectId} and m.role <> 'viewer' and u.disabled_at is null`.execute(db)
  const named = rows.filter(({ name }) => rows.filter((other) => other.name === name).length === 1)
  return new Map([
    ...(system === 'caseward' ? named.map(({ id, name }) => [name, id] as const) : []),
    ...rows.map(({ id, email }) => [email, id] as const),
    ...rows.map(({ id }) => [id, id] as const),
  ])
}
