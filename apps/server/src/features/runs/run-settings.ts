import { type RunSettings, SHARE_SETTINGS } from '@caseward/contract/run-settings'
import type { EqualNames } from '@caseward/junit/to-tests'

import type { Deps } from '../../deps.ts'
import type { Database } from '../../platform/database/connect.ts'
import { invalidFieldProblem, notFoundProblem } from '../../platform/http/problems.ts'
import { type AuditActor, recordAudit } from '../audit/record-audit.ts'
import { lockProjectRow } from '../projects/projects.queries.ts'

const fields = ['complete_after_minutes', 'equal_names', 'steps_decide', 'keep_run_files_days', 'shares'] as const

/** How the runs of a project take results and keep files; undefined when the project is gone. */
export async function selectRunSettings(db: Database, projectId: string): Promise<RunSettings | undefined> {
  const row = await db.selectFrom('projects').select(fields).where('id', '=', projectId).executeTakeFirst()
  if (row === undefined) return undefined
  return {
    ...row,
    equal_names: row.equal_names === 'attempts' ? 'attempts' : 'tests',
    steps_decide: row.steps_decide === 'derive' ? 'derive' : 'suggest',
    shares: SHARE_SETTINGS.find((setting) => setting === row.shares) ?? 'off',
  }
}

/** What equal names in one suite of a report are in a project. */
export async function requireEqualNames(db: Database, projectId: string): Promise<EqualNames> {
  const settings = await selectRunSettings(db, projectId)
  if (settings === undefined) throw notFoundProblem('project')
  return settings.equal_names
}

/**
 * Changes the settings that are given; returns undefined when the project is gone.
 * @throws {Problem} 400 when files of runs would be kept longer than the server keeps them
 */
export async function changeRunSettings(
  { db, runFileRetentionDays: maxDays }: Pick<Deps, 'db' | 'runFileRetentionDays'>,
  actor: AuditActor,
  projectId: string,
  change: Partial<RunSettings>,
): Promise<RunSettings | undefined> {
  if (maxDays !== null && (change.keep_run_files_days ?? 0) > maxDays) {
    const days = maxDays.toLocaleString('en')
    throw invalidFieldProblem('/keep_run_files_days', `must be at most ${days}: this server keeps files no longer`)
  }
  return await db.transaction().execute(async (tx) => {
    const project = await lockProjectRow(tx, projectId)
    const before = await selectRunSettings(tx, projectId)
    const changed = fields.filter((field) => change[field] !== undefined && change[field] !== before?.[field])
    if (project === undefined || before === undefined || changed.length === 0) return before
    // A body may have other fields, which are ignored.
    const values = Object.fromEntries(changed.map((field) => [field, change[field]]))
    await tx.updateTable('projects').set(values).where('id', '=', projectId).execute()
    const after = { ...before, ...values }
    await recordAudit(tx, actor, {
      action: 'project.update',
      subject: { kind: 'project', id: projectId, name: project.name },
      projectId,
      detail: Object.fromEntries(changed.map((field) => [field, { from: before[field], to: after[field] }])),
    })
    return after
  })
}
