import { sql } from 'kysely'
import { v7 as uuidv7 } from 'uuid'

import type { Database } from '../../platform/database/connect.ts'
import { type JsonItems, readPage } from '../../platform/database/reads.ts'
import type { PageRange } from '../../platform/http/pagination.ts'
import type { Principal } from '../../access/principal.ts'
import { projectListItem } from './project-columns.ts'

const fields = [
  'id',
  'name',
  'prefix',
  'description',
  'test_case_count',
  'run_count',
  'member_count',
  'created_at',
  'updated_at',
] as const

export type ProjectRow = NonNullable<Awaited<ReturnType<typeof selectProject>>>

// The page is chosen by the copy of `updated_at` in memberships. The planner expects a tenth of all memberships on a page;
// `limit 1` keeps it from reading all projects for a hash join.
const SELECT_USER_TOTAL = 'select project_count from users where id = $1'
const USER_PROJECTS = {
  selectPage: `
    select ${projectListItem.selectList}, (${SELECT_USER_TOTAL})
    from (
      select project_id, project_updated_at from memberships where user_id = $1
      order by project_updated_at desc, project_id desc limit $2 offset $3
    ) m
    cross join lateral (select * from projects where id = m.project_id limit 1) p
    order by m.project_updated_at desc, m.project_id desc`,
  selectTotal: SELECT_USER_TOTAL,
}
const CI_TOKEN_PROJECT = {
  selectPage: `select ${projectListItem.selectList}, 1 from projects p where p.id = $1 limit $2 offset $3`,
  selectTotal: 'select count(*) from projects where id = $1',
}

/** A page of the projects that the principal has access to, the last updated first. */
export async function selectReachableProjects(
  db: Database,
  principal: Principal,
  { limit, offset }: PageRange,
): Promise<JsonItems | null> {
  const isCiToken = principal.kind === 'ci'
  const { selectPage, selectTotal } = isCiToken ? CI_TOKEN_PROJECT : USER_PROJECTS
  const id = isCiToken ? principal.projectId : principal.userId
  const queries = {
    rows: { text: selectPage, values: [id, limit, offset] },
    total: () => ({ text: selectTotal, values: [id] }),
  }
  return await readPage(db, queries, projectListItem.toJson)
}

export async function selectProject(db: Database, id: string) {
  return await db.selectFrom('projects').select(fields).where('id', '=', id).executeTakeFirst()
}

/** Creates a project with its first admin. */
export async function insertProject(
  db: Database,
  project: { name: string; prefix: string; description: string; adminId: string },
): Promise<ProjectRow> {
  const { name, prefix, description, adminId } = project
  return await db
    .with('project', (cte) =>
      cte.insertInto('projects').values({ id: uuidv7(), name, prefix, description, member_count: 1 }).returning(fields),
    )
    .with('membership', (cte) =>
      cte
        .insertInto('memberships')
        .columns(['project_id', 'user_id', 'role'])
        .expression((from) =>
          from
            .selectFrom('project')
            .select(['id', sql`${adminId}::uuid`.as('user_id'), sql`'admin'::member_role`.as('role')]),
        ),
    )
    .selectFrom('project')
    .select(fields)
    .executeTakeFirstOrThrow()
}

/** Changes the fields that are given, at least one; undefined when there is no such project. */
export async function updateProject(
  db: Database,
  id: string,
  { name, description }: { name: string | undefined; description: string | undefined },
) {
  return await db
    .updateTable('projects')
    .set({
      ...(name === undefined ? {} : { name }),
      ...(description === undefined ? {} : { description }),
      updated_at: sql<Date>`now()`,
    })
    .where('id', '=', id)
    .returning(fields)
    .executeTakeFirst()
}

export interface LockedProject {
  name: string
  /** The last number that was assigned to a test case. */
  last_test_case_number: number
  /** Without archived ones. */
  test_case_count: number
  /** Of its custom fields; 0 if it never had one. */
  fields_version: number
}

/** Locks a project's row until the transaction ends; undefined when the project is gone. */
export async function lockProjectRow(tx: Database, id: string): Promise<LockedProject | undefined> {
  return await tx
    .selectFrom('projects')
    .select(['name', 'last_test_case_number', 'test_case_count', 'fields_version'])
    .where('id', '=', id)
    .forNoKeyUpdate()
    .executeTakeFirst()
}
