import type { ProjectRef } from '../../access/project-cache.ts'
import type { Database } from '../../platform/database/connect.ts'
import { type AuditActor, recordAudits } from '../audit/record-audit.ts'
import { formatTestCaseId } from './test-case-ids.ts'

/**
 * Records which test cases were archived and restored, as deleting them is recorded: they leave the lists of everybody.
 * @param changes the new state of those that have changed, by number
 */
export async function recordArchiving(
  tx: Database,
  actor: AuditActor,
  { id: projectId, prefix }: ProjectRef,
  changes: ReadonlyMap<number, boolean>,
): Promise<void> {
  if (changes.size === 0) return
  const rows = await tx
    .selectFrom('test_cases')
    .select(['number', 'title'])
    .where('project_id', '=', projectId)
    .where((row) => row('number', '=', row.fn.any(row.val([...changes.keys()]))))
    .orderBy('number')
    .execute()
  const entries = rows.map(({ number, title }) => ({
    action: changes.get(number) === true ? ('test_case.archive' as const) : ('test_case.restore' as const),
    subject: { kind: 'test_case' as const, id: formatTestCaseId(prefix, number), name: title },
    projectId,
  }))
  await recordAudits(tx, actor, entries)
}
