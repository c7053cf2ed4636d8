import type { ImportRow as FileRow } from '@caseward/contract/test-case-imports'

import type { Database } from '../../platform/database/connect.ts'
import { checkValues } from '../fields/check-values.ts'
import type { ProjectFields } from '../fields/field-definitions.ts'
import type { ValueChanges } from '../fields/stored-values.ts'
import { toPlainSteps } from '../shared-steps/resolve-steps.ts'
import { lockTestCases } from '../test-cases/change-test-cases.ts'
import { planImportUpdates } from '../test-cases/plan-import-updates.ts'
import { setArchived } from '../test-cases/set-archived.ts'
import { recordArchiving } from '../test-cases/record-archiving.ts'
import { formatTestCaseId } from '../test-cases/test-case-ids.ts'
import { writeImportUpdates } from '../test-cases/write-import-updates.ts'
import type { Applied, ApplyContext } from './apply-context.ts'
import { comparePlanned } from './compare-planned.ts'
import { type CurrentCase, selectCurrentCases } from './compare-case.ts'
import type { WaitingRecord } from './import-records.queries.ts'
import type { WaitingCase } from './plan-case.ts'
import { toStepItems } from './planned-step-groups.ts'
import { adaptPlanned, addPlannedLinks, toSentValues } from './planned-values.ts'
import { selectLinks, toKeyDigest } from './source-links.queries.ts'

/** A test case, and what of it changes. */
export interface ChangedCase {
  record: WaitingRecord<WaitingCase>
  current: CurrentCase
  /** The fields that change, as a comparison names them. */
  changed: string[]
}

/**
 * Changes test cases of earlier imports: only what the source has changed and nobody here. They are compared again, as they may
 * have changed since the plan. The caller holds the lock on the project.
 */
export async function updatePlannedCases(
  tx: Database,
  context: ApplyContext,
  fields: ProjectFields,
  records: readonly WaitingRecord<WaitingCase>[],
): Promise<Applied> {
  const applied: Applied = { done: [], links: [] }
  if (records.length === 0) return applied
  const { project, source, format, author } = context
  await adaptPlanned(tx, project.id, fields, records)
  const numbers = records.map(({ target }) => Number(target))
  const current = await selectCurrentCases(tx, project.id, fields, numbers, { lock: true })
  const links = await selectLinks(
    tx,
    project.id,
    source,
    'case',
    records.map(({ planned }) => toKeyDigest(planned.source_key)),
  )
  const changes: ChangedCase[] = []
  for (const record of records) {
    const { seq, planned, target } = record
    const now = current.get(Number(target))
    const link = links.get(toKeyDigest(planned.source_key))
    const isSelf = planned.own?.is_self === true
    if (now === undefined || (link === undefined && !isSelf)) {
      applied.done.push({ seq, action: 'deleted_here', target, losses: record.losses, changed: [] })
      continue
    }
    const { changed, conflicts, digests } = comparePlanned(planned, now, link, format)
    if (changed.length > 0) changes.push({ record, current: now, changed })
    const action = conflicts.length > 0 ? 'conflict' : changed.length > 0 ? 'update' : 'unchanged'
    const losses = record.losses.filter((code) => code !== 'conflict_kept')
    applied.done.push({
      seq,
      action,
      target,
      losses: conflicts.length > 0 ? [...losses, 'conflict_kept'] : losses,
      changed: [...changed, ...conflicts],
    })
    if (link === undefined || isSelf) continue
    applied.links.push({
      ...link,
      format,
      // A conflict is compared, and shown, again.
      raw_digest: conflicts.length > 0 ? '' : planned.raw_digest,
      field_digests: digests,
      details: planned.details,
    })
  }
  await writeChanges(tx, context, fields, changes)
  const linked = records.filter(({ target }) => current.has(Number(target)))
  await addPlannedLinks(
    tx,
    project.id,
    author.userId,
    linked.map(({ planned, target }) => ({ number: Number(target), planned })),
  )
  return applied
}

/** Names of plain fields, which rows of files have under the same name. */
const PLAIN = [
  'title',
  'priority',
  'type',
  'precondition',
  'expected_result',
  'tags',
  'estimate',
  'automation_keys',
] as const

/** Writes values of a plan into test cases: only those that change. The caller holds the lock on the project. */
export async function writeChanges(
  tx: Database,
  context: ApplyContext,
  fields: ProjectFields,
  changes: readonly ChangedCase[],
): Promise<void> {
  if (changes.length === 0) return
  const { project, author, lastNumber } = context
  const items = await toStepItems(
    tx,
    project.id,
    changes.map(({ record }) => record),
  )
  const rows = changes.map(({ record: { planned }, current, changed }, index): FileRow => ({
    id: formatTestCaseId(project.prefix, current.number),
    ...Object.fromEntries(PLAIN.filter((name) => changed.includes(name)).map((name) => [name, planned[name]])),
    ...(changed.includes('steps') ? { steps: items[index] ?? planned.steps } : {}),
    // Only says that the folder changes; its id is known.
    ...(changed.includes('folder_id') ? { folder_path: [] } : {}),
  }))
  const byRow = <T>(pick: (change: ChangedCase) => T | undefined): Map<number, T> =>
    new Map(
      changes.flatMap((change, index) => {
        const value = pick(change)
        return value === undefined ? [] : [[index, value] as const]
      }),
    )
  const updates = await planImportUpdates(tx, project, rows, {
    keys: {
      byRow: byRow(({ changed, record }) =>
        changed.includes('automation_keys') ? record.planned.automation_keys : undefined,
      ),
      stored: new Map(changes.map(({ current }) => [current.number, current.automation_keys])),
      errors: [],
    },
    owners: {
      byRow: byRow(({ changed, record }) => (changed.includes('owner_id') ? record.planned.owner_id : undefined)),
      errors: [],
    },
    values: { fields, ofNew: new Map(), ofExisting: byRow((change) => toValueChanges(fields, change)), errors: [] },
    folderIds: changes.map(({ record }) => record.planned.folder_id),
    steps: changes.map(({ changed, record }) =>
      changed.includes('steps') ? toPlainSteps(record.planned.steps) : undefined,
    ),
  })
  await writeImportUpdates(tx, project, { author, lastNumber }, updates)
  await writeArchiving(tx, context, changes)
}

/** Values that the source has changed; what a field does not allow stays as it is. */
function toValueChanges(fields: ProjectFields, { changed, record }: ChangedCase): ValueChanges | undefined {
  const keys = changed.flatMap((name) => (name.startsWith('fields.') ? [name.slice('fields.'.length)] : []))
  if (keys.length === 0) return undefined
  const sent = toSentValues(fields, record.planned)
  const known = keys.filter((key) => fields.byKey.has(key))
  return checkValues(fields, Object.fromEntries(known.map((key) => [key, sent[key] ?? null])), '').changes
}

async function writeArchiving(
  tx: Database,
  { project, author, actor }: ApplyContext,
  changes: readonly ChangedCase[],
): Promise<void> {
  const states = new Map(
    changes.flatMap(({ changed, current, record }) =>
      changed.includes('archived') ? [[current.number, record.planned.archived] as const] : [],
    ),
  )
  if (states.size === 0) return
  const stored = await lockTestCases(tx, project.id, [...states.keys()])
  await setArchived(tx, project, author, stored, states)
  await recordArchiving(tx, actor, project, states)
}
