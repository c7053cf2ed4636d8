import type { Database } from '../../platform/database/connect.ts'
import type { ProjectFields } from '../fields/field-definitions.ts'
import type { ApplyContext } from './apply-context.ts'
import { selectCurrentCases } from './compare-case.ts'
import type { DoneRecord, WaitingRecord } from './import-records.queries.ts'
import type { WaitingCase } from './plan-case.ts'
import { type ChangedCase, writeChanges } from './update-planned-cases.ts'

/**
 * Archives or tags test cases that the source does not have any more. One that was changed since the plan stays. The caller holds the
 * lock on the project.
 */
export async function applyAbsent(
  tx: Database,
  context: ApplyContext,
  fields: ProjectFields,
  records: readonly WaitingRecord<WaitingCase>[],
): Promise<DoneRecord[]> {
  if (records.length === 0) return []
  const numbers = records.map(({ target }) => Number(target))
  const current = await selectCurrentCases(tx, context.project.id, fields, numbers, { lock: true })
  const changes: ChangedCase[] = []
  const done = records.map((record): DoneRecord => {
    const { seq, target, planned, changed } = record
    const here = current.get(Number(target))
    if (here === undefined) return { seq, action: 'deleted_here', target, losses: [], changed: [] }
    if (here.version !== planned.compared_version) {
      return { seq, action: 'absent_in_source', target, losses: ['absent_kept'], changed: [] }
    }
    changes.push({ record, current: here, changed })
    return { seq, action: 'absent_in_source', target, losses: [] }
  })
  await writeChanges(tx, context, fields, changes)
  return done
}
