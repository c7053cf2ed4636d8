import { sql } from 'kysely'

import type { Database } from '../../platform/database/connect.ts'
import { addMissingMetadata, type BuildData, readBuildData } from './read-build-data.ts'

/** Stores what CI says the default branch is. Setting the same again writes nothing. */
export async function saveDefaultBranch(
  tx: Database,
  projectId: string,
  { default_branch: branch }: Pick<BuildData, 'default_branch'>,
): Promise<void> {
  if (branch === null) return
  await sql`
    update projects set reported_default_branch = ${branch}
    where id = ${projectId} and reported_default_branch is distinct from ${branch}`.execute(tx)
}

/**
 * Adds the keys that the metadata of a run lacks, as when a second CI job finds the run of its build. The caller holds the lock on
 * the project, so that no other request adds them at the same time.
 */
export async function addBuildData(
  tx: Database,
  run: { id: string; projectId: string },
  sent: Readonly<Record<string, string>>,
): Promise<void> {
  if (Object.keys(sent).length === 0) return
  const { rows } = await sql<{ metadata: Record<string, string> }>`
    select metadata from runs where id = ${run.id} for no key update`.execute(tx)
  const metadata = addMissingMetadata(rows[0]?.metadata ?? {}, sent)
  if (metadata === null) return
  const data = readBuildData(metadata)
  await tx
    .updateTable('runs')
    .set({ metadata: JSON.stringify(metadata), ...data, evaluated_upload_count: null, updated_at: sql`now()` })
    .where('id', '=', run.id)
    .execute()
  await saveDefaultBranch(tx, run.projectId, data)
}

/** What decides the default branch of a project. */
export interface DefaultBranch {
  /** What a user set; null for what CI says. */
  setting: string | null
  /** What follows; null if it is unknown. */
  branch: string | null
}

/** Branches that are the default one if nobody says which is, the likelier first. */
const USUAL_NAMES = ['main', 'master']

/** Finds the default branch of a project: the setting, else what CI reported last, else `main` or `master` if a run has it. */
export async function findDefaultBranch(db: Database, projectId: string): Promise<DefaultBranch> {
  const { rows } = await sql<{ default_branch: string | null; reported_default_branch: string | null }>`
    select default_branch, reported_default_branch from projects where id = ${projectId}`.execute(db)
  const { default_branch: setting = null, reported_default_branch: reported = null } = rows[0] ?? {}
  if (setting !== null || reported !== null) return { setting, branch: setting ?? reported }
  const { rows: usual } = await sql<{ branch: string }>`
    select usual.name as branch from unnest(${USUAL_NAMES}::text[]) with ordinality as usual(name, place)
    where exists (
      select from runs
      where project_id = ${projectId} and runs.branch = usual.name and pull_request is null and not is_imported
    )
    order by place limit 1`.execute(db)
  return { setting, branch: usual[0]?.branch ?? null }
}
