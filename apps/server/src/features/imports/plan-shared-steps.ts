import { MAX_SHARED_STEP_VERSIONS } from '@caseward/contract/shared-step-versions'
import { MAX_SHARED_STEP_STEPS, MAX_SHARED_STEPS } from '@caseward/contract/shared-steps'
import type { Step } from '@caseward/contract/steps'
import type { SharedStepsRecord, SharedStepVersionRecord } from '@caseward/importers/records'
import { readTime } from '@caseward/importers/steps/read-time'
import { cutText } from '@caseward/matching/note'
import { sql } from 'kysely'
import { v7 as uuidv7 } from 'uuid'

import type { Database } from '../../platform/database/connect.ts'
import { numberSteps } from '../shared-steps/step-groups.ts'
import type { HistoryContext } from './history-context.ts'
import { type PlannedRecord, selectRecords, updatePlannedRecords } from './import-records.queries.ts'
import type { ImportWork } from './import-work.ts'
import { toStoredName } from './stored-name.ts'
import { selectLinks, toKeyDigest, toShortDigest } from './source-links.queries.ts'

/** A shared step that is created. */
export interface PlannedSharedStep {
  id: string
  title: string
  steps: Step[]
  version: number
  created_by: string | null
  updated_by: string | null
  /** Null for the time of the import. */
  created_at: string | null
  updated_at: string | null
  raw_digest: string
}

/** A version of a shared step that has ended. */
export interface PlannedSharedStepVersion {
  shared_step_id: string
  version: number
  title: string
  steps: Step[]
  changed_by: string | null
  changed_at: string
}

/** What a shared step of the file is here. */
export interface SharedTarget {
  id: string
  isCreated: boolean
  /** The title here in the version that it has in the file, if it is another one. */
  title: string | null
  /** Returns which version here is one of the file; null for one that is not here. */
  findVersion(version: number): number | null
}
export type SharedTargets = ReadonlyMap<string, SharedTarget>

type Context = Pick<HistoryContext, 'source' | 'isSelf' | 'people' | 'importedAt'>
interface CurrentSharedStep {
  id: string
  title: string
  version: number
  steps: Step[]
}

const PAGE = 500
const MAX_TEXT = 65_536
const MAX_TITLE = 255

/** A title that no other shared step of the project has. */
export function chooseTitle(title: string, taken: ReadonlySet<string>): string {
  for (let count = 1; ; count += 1) {
    const suffix = count === 1 ? '' : ` (${count})`
    const chosen = cutText(title, MAX_TITLE - suffix.length).trim() + suffix
    if (!taken.has(chosen.toLowerCase())) return chosen
  }
}

/** Plans the shared steps of a bundle: those that are here are found by key, then by title and equal steps. */
export async function planSharedSteps(db: Database, work: ImportWork, context: Context): Promise<SharedTargets> {
  const { claim } = work
  const targets = new Map<string, SharedTarget>()
  let current: CurrentSharedStep[] | null = null
  const taken = new Set<string>()
  for (let after = 0; ;) {
    const rows = await selectRecords<SharedStepsRecord>(db, claim, { kind: 'shared_steps', after, limit: PAGE })
    const last = rows.at(-1)
    if (last === undefined) break
    after = last.seq
    if (current === null) {
      const { rows: found } = await sql<CurrentSharedStep>`
        select id, title, version, steps from shared_steps where project_id = ${claim.projectId}`.execute(db)
      current = found
      for (const { title } of found) taken.add(title.toLowerCase())
    }
    const here = current
    const digests = rows.map(({ record }) => toKeyDigest(record.key))
    const links = await selectLinks(db, claim.projectId, context.source, 'shared_steps', digests)
    const planned = rows.map(({ seq, record }): PlannedRecord => {
      const planOf = (action: PlannedRecord['action'], losses: string[], step: PlannedSharedStep | null) => ({
        seq,
        action,
        losses,
        changed: [],
        planned: step,
        place: 0,
        target: action === 'create' || action === 'unchanged' ? (step?.id ?? null) : null,
        is_done: action !== 'create' && action !== 'unchanged',
      })
      const { step, isCut } = toPlanned(record, context)
      if (targets.has(record.key) || step === null) return planOf('not_imported', ['not_imported:shared_steps'], null)
      const link = links.get(toKeyDigest(record.key))
      const own = link?.target ?? (context.isSelf ? record.key : undefined)
      const found =
        own === undefined
          ? here.find(({ title, steps }) => isSameTitle(title, step.title) && isSameSteps(steps, step.steps))
          : here.find(({ id }) => id === own)
      if (own !== undefined && found === undefined) return planOf('deleted_here', [], null)
      if (found !== undefined) {
        targets.set(record.key, toTarget(found, step, own !== undefined))
        const isKept = !isSameSteps(found.steps, step.steps) || found.title !== step.title
        return planOf('unchanged', isKept ? ['shared_step_kept'] : [], { ...step, id: found.id })
      }
      if (taken.size >= MAX_SHARED_STEPS) return planOf('not_imported', ['not_imported:shared_steps'], null)
      const title = chooseTitle(step.title, taken)
      taken.add(title.toLowerCase())
      targets.set(record.key, {
        id: step.id,
        isCreated: true,
        title: title === step.title ? null : title,
        findVersion: (version) => (version <= step.version ? version : null),
      })
      const losses = [...(title === step.title ? [] : ['shared_step_renamed']), ...(isCut ? ['text_cut'] : [])]
      return planOf('create', losses, { ...step, title })
    })
    await updatePlannedRecords(db, claim, planned)
    await work.keep(db, { stage: 'planning', done: 0, total: 0 })
  }
  await planVersions(db, work, context, targets)
  return targets
}

const isSameTitle = (a: string, b: string) => a.toLowerCase() === b.toLowerCase()
const isSameSteps = (a: readonly Step[], b: readonly Step[]) =>
  a.length === b.length && a.every((step, index) => isSameStep(step, b[index]))
const isSameStep = (a: Step, b: Step | undefined) => a.action === b?.action && a.expected === b.expected

/** Of one that only has the same title, the version of the file is the current one here; earlier ones are others. */
const toTarget = (found: CurrentSharedStep, step: PlannedSharedStep, isKnown: boolean): SharedTarget => ({
  id: found.id,
  isCreated: false,
  title: isKnown ? null : found.title,
  findVersion: (version) =>
    isKnown ? (version <= found.version ? version : null) : version === step.version ? found.version : null,
})

const toStoredSteps = (steps: readonly { action: string; expected: string }[]): Step[] =>
  numberSteps(
    steps.map(({ action, expected }) => ({ action: cutText(action, MAX_TEXT), expected: cutText(expected, MAX_TEXT) })),
  )

function toPlanned(record: SharedStepsRecord, { people }: Context): { step: PlannedSharedStep | null; isCut: boolean } {
  const { own } = record
  const count = record.steps.length
  if (own === undefined || count === 0 || count > MAX_SHARED_STEP_STEPS) return { step: null, isCut: false }
  const steps = toStoredSteps(record.steps)
  const step: PlannedSharedStep = {
    id: uuidv7(),
    title: toStoredName(record.title, 'Untitled'),
    steps,
    version: own.version,
    created_by: people.find(own.created_by),
    updated_by: people.find(own.updated_by),
    created_at: readTime(own.created_at)?.toISOString() ?? null,
    updated_at: readTime(own.updated_at)?.toISOString() ?? null,
    raw_digest: toShortDigest(JSON.stringify(record)),
  }
  return { step, isCut: !isSameSteps(steps, numberSteps(record.steps)) }
}

/** Versions come with the shared steps that are created. */
async function planVersions(db: Database, work: ImportWork, context: Context, targets: SharedTargets): Promise<void> {
  const { claim } = work
  const counts = new Map<string, number>()
  for (let after = 0; ;) {
    const rows = await selectRecords<SharedStepVersionRecord>(db, claim, {
      kind: 'shared_step_version',
      after,
      limit: PAGE,
    })
    const last = rows.at(-1)
    if (last === undefined) return
    after = last.seq
    const planned = rows.map(({ seq, record }): PlannedRecord => {
      const target = targets.get(record.shared)
      const count = (counts.get(record.shared) ?? 0) + 1
      const isPossible =
        target !== undefined &&
        record.steps.length > 0 &&
        record.steps.length <= MAX_SHARED_STEP_STEPS &&
        count <= MAX_SHARED_STEP_VERSIONS
      if (isPossible) counts.set(record.shared, count)
      const action = !isPossible ? 'not_imported' : target.isCreated ? 'create' : 'unchanged'
      const version: PlannedSharedStepVersion = {
        shared_step_id: target?.id ?? '',
        version: record.version,
        title: toStoredName(record.title, 'Untitled'),
        steps: toStoredSteps(record.steps),
        changed_by: context.people.find(record.person),
        changed_at: (readTime(record.at) ?? context.importedAt).toISOString(),
      }
      return {
        seq,
        action,
        losses: action === 'not_imported' ? ['not_imported:shared_step_version'] : [],
        changed: [],
        planned: action === 'create' ? version : null,
        place: 0,
        target: target?.id ?? null,
        is_done: action !== 'create',
      }
    })
    await updatePlannedRecords(db, claim, planned)
    await work.keep(db, { stage: 'planning', done: 0, total: 0 })
  }
}
