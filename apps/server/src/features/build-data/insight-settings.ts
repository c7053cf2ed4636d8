import type { InsightSettings, UpdateInsightSettingsBody } from '@caseward/contract/insight-settings'
import { sql } from 'kysely'
import type { Static } from '@caseward/contract/static'

import type { Database } from '../../platform/database/connect.ts'
import { isUuid } from '../../platform/http/ids.ts'
import { invalidFieldProblem } from '../../platform/http/problems.ts'
import { type AuditActor, recordAudit } from '../audit/record-audit.ts'
import { invalidateOpenEvaluations } from '../evaluation/evaluated-run.queries.ts'
import { lockProjectRow } from '../projects/projects.queries.ts'
import { findDefaultBranch } from './build-data.queries.ts'
import { checkIssueTemplate } from './issue-template.ts'

/** The settings of a project; undefined when it is gone. */
export async function selectInsightSettings(db: Database, projectId: string): Promise<InsightSettings | undefined> {
  const { rows } = await sql<{
    auto_quarantine: boolean
    auto_quarantine_owner_id: string | null
    issue_template: string | null
  }>`
    select auto_quarantine, auto_quarantine_owner_id, issue_template from projects where id = ${projectId}`.execute(db)
  const [row] = rows
  if (row === undefined) return undefined
  const { setting, branch } = await findDefaultBranch(db, projectId)
  return {
    default_branch: setting,
    effective_default_branch: branch,
    auto_quarantine: { enabled: row.auto_quarantine, owner_id: row.auto_quarantine_owner_id },
    issue_template: row.issue_template,
  }
}

/**
 * Changes the settings that are given; returns undefined when the project is gone.
 * @throws {Problem} 400 for an owner who is no member, for automatic quarantine without an owner, and for a template of issues
 *   that is no address
 */
export async function changeInsightSettings(
  db: Database,
  actor: AuditActor,
  projectId: string,
  change: Static<typeof UpdateInsightSettingsBody>,
): Promise<InsightSettings | undefined> {
  return await db.transaction().execute(async (tx) => {
    const project = await lockProjectRow(tx, projectId)
    const before = await selectInsightSettings(tx, projectId)
    if (project === undefined || before === undefined) return undefined
    const branch = change.default_branch === undefined ? before.default_branch : change.default_branch
    const quarantine = { ...before.auto_quarantine, ...dropUndefined(change.auto_quarantine) }
    await requireOwner(tx, projectId, quarantine, before.auto_quarantine)
    const template = change.issue_template === undefined ? before.issue_template : change.issue_template
    if (template !== null && template !== before.issue_template) checkIssueTemplate(template)
    const changes = {
      ...(branch === before.default_branch ? {} : { default_branch: { from: before.default_branch, to: branch } }),
      ...(quarantine.enabled === before.auto_quarantine.enabled
        ? {}
        : { auto_quarantine: { from: before.auto_quarantine.enabled, to: quarantine.enabled } }),
      ...(quarantine.owner_id === before.auto_quarantine.owner_id
        ? {}
        : { auto_quarantine_owner_id: { from: before.auto_quarantine.owner_id, to: quarantine.owner_id } }),
      ...(template === before.issue_template ? {} : { issue_template: { from: before.issue_template, to: template } }),
    }
    if (Object.keys(changes).length === 0) return before
    await sql`
      update projects set default_branch = ${branch}, auto_quarantine = ${quarantine.enabled},
        auto_quarantine_owner_id = ${quarantine.owner_id}, issue_template = ${template}
      where id = ${projectId}`.execute(tx)
    if (branch !== before.default_branch) await invalidateOpenEvaluations(tx, projectId)
    const subject = { kind: 'project', id: projectId, name: project.name } as const
    await recordAudit(tx, actor, { action: 'project.update', subject, projectId, detail: changes })
    return await selectInsightSettings(tx, projectId)
  })
}

const dropUndefined = <T extends object>(values: T | undefined): Partial<T> =>
  Object.fromEntries(Object.entries(values ?? {}).filter(([, value]) => value !== undefined)) as Partial<T>

type AutoQuarantine = InsightSettings['auto_quarantine']

/** Who looks after quarantined tests must be able to. One who has left is only refused when the owner changes. */
async function requireOwner(
  tx: Database,
  projectId: string,
  { enabled, owner_id: ownerId }: AutoQuarantine,
  before: AutoQuarantine,
): Promise<void> {
  if (ownerId === null) {
    if (enabled && !(before.enabled && before.owner_id === null)) {
      throw invalidFieldProblem('/auto_quarantine/owner_id', 'is required to enable automatic quarantine')
    }
    return
  }
  if (ownerId === before.owner_id) return
  const isMember =
    isUuid(ownerId) &&
    (await tx
      .selectFrom('memberships')
      .select('user_id')
      .where('project_id', '=', projectId)
      .where('user_id', '=', ownerId)
      .executeTakeFirst()) !== undefined
  if (!isMember) throw invalidFieldProblem('/auto_quarantine/owner_id', 'must be a member of this project')
}
