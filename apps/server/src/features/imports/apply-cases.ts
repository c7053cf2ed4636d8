import type { Database } from '../../platform/database/connect.ts'
import { readFields } from '../fields/project-fields.ts'
import { applyAbsent } from './apply-absent.ts'
import type { ApplyContext } from './apply-context.ts'
import { distinctLinks } from './apply-folders.ts'
import { createPlannedCases } from './create-planned-cases.ts'
import { markDone, selectWaiting } from './import-records.queries.ts'
import type { WaitingCase } from './plan-case.ts'
import { saveLinks } from './source-links.queries.ts'
import { updatePlannedCases } from './update-planned-cases.ts'

/** So many test cases take less than a second: others who write into the project wait for it. */
const BATCH = 200

/**
 * Writes test cases of a plan. The caller holds the lock on the project. A link is written with its test case, so that nothing
 * is created twice.
 * @returns how many were done; 0 at the end
 */
export async function applyCases(tx: Database, context: ApplyContext): Promise<number> {
  const { claim, project, source } = context
  const waiting = await selectWaiting<WaitingCase>(tx, claim, 'case', BATCH)
  if (waiting.length === 0) return 0
  const fields = await readFields(tx, project.id, context.fieldsVersion)
  const created = await createPlannedCases(
    tx,
    context,
    fields,
    waiting.filter(({ action }) => action === 'create'),
  )
  const updated = await updatePlannedCases(
    tx,
    context,
    fields,
    waiting.filter(({ action }) => action !== 'create' && action !== 'absent_in_source'),
  )
  const absent = await applyAbsent(
    tx,
    context,
    fields,
    waiting.filter(({ action }) => action === 'absent_in_source'),
  )
  await saveLinks(tx, project.id, source, 'case', claim.id, distinctLinks([...created.links, ...updated.links]))
  await markDone(tx, claim, [...created.done, ...updated.done, ...absent])
  return waiting.length
}
