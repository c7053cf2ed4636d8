import { sql } from 'kysely'
import { v7 as uuidv7 } from 'uuid'

import type { Database } from '../../database/connect.ts'
import type { PageOf } from '../../http/pagination.ts'
import type { Principal } from '../../http/principals.ts'

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

/** A page of the projects that a caller can reach, as a JSON array, and how many there are. */
export async function selectReachableProjects(db: Database, principal: Principal, { limit, offset }: PageOf) {
  const reachable =
    principal.kind === 'ci'
      ? sql`select ${principal.projectId}::uuid`
      : sql`select project_id from memberships where user_id = ${principal.userId}::uuid`
  const found = await sql<{ items: string; total: number }>`
    with reachable (project_id) as materialized (${reachable})
    select (select count(*) from reachable) as total, coalesce(json_agg(item), '[]')::text as items
    from (
      select id, name, prefix, test_case_count, run_count, iso_utc(created_at) as created_at, iso_utc(updated_at) as updated_at
      from projects where id in (select project_id from reachable)
      order by projects.updated_at desc, id desc
      limit ${limit} offset ${offset}
    ) item`.execute(db)
  return found.rows[0] ?? { items: '[]', total: 0 }
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

/** Changes the fields that are given; undefined when there is no such project. */
export async function updateProject(
  db: Database,
  id: string,
  { name, description }: { name: string | undefined; description: string | undefined },
) {
  if (name === undefined && description === undefined) return await selectProject(db, id)
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

/**
 * Deletes a project with everything in it. The project's row goes first: whatever would still write into it waits
 * for that lock, and then finds nothing.
 * @returns its name, or null when it was gone already
 */
export async function deleteProject(db: Database, id: string): Promise<string | null> {
  return await db.transaction().execute(async (tx) => {
    const locked = await tx.selectFrom('projects').select('name').where('id', '=', id).forUpdate().executeTakeFirst()
    if (locked === undefined) return null
    await tx.selectFrom('runs').select('id').where('project_id', '=', id).orderBy('id').forUpdate().execute()
    await tx.deleteFrom('test_results').where('project_id', '=', id).execute()
    await tx.deleteFrom('projects').where('id', '=', id).execute()
    return locked.name
  })
}

/**
 * Holds a project's row until the transaction ends: what adds, moves or removes something in it happens in one place at
 * a time. Taken before the rows of runs.
 * @returns false when there is no such project
 */
export async function lockProject(tx: Database, id: string): Promise<boolean> {
  const locked = await tx.selectFrom('projects').select('id').where('id', '=', id).forNoKeyUpdate().executeTakeFirst()
  return locked !== undefined
}
