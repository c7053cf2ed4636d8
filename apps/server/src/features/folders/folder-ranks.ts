import { type RawBuilder, sql } from 'kysely'

/**
 * The folders of a project (`id`, `rank`, `test_case_count`) with their ranks in the order of the folder list: each before its
 * subfolders, siblings by position, then by age. A subquery and not a function, because Citus cannot execute SQL functions
 * that read distributed tables.
 * @param projectId SQL of the project's id
 */
export const buildFolderRanks = (projectId: string): string => `(
  with recursive tree as (
    select f.id, lpad(f.position::text, 10, '0') || f.id::text as path, f.test_case_count
    from folders f where f.project_id = ${projectId} and f.parent_id is null
    union all
    select f.id, tree.path || lpad(f.position::text, 10, '0') || f.id::text, f.test_case_count
    from tree join folders f on f.project_id = ${projectId} and f.parent_id = tree.id
  )
  select tree.id, row_number() over (order by tree.path collate "C") as rank, tree.test_case_count from tree
)`

const PLACEHOLDER = '$project'
const [BEFORE = '', BETWEEN = '', AFTER = ''] = buildFolderRanks(PLACEHOLDER).split(PLACEHOLDER)

/** {@link buildFolderRanks} for statements with parameters. */
export const bindFolderRanks = (projectId: string): RawBuilder<unknown> =>
  sql`${sql.raw(BEFORE)}${projectId}${sql.raw(BETWEEN)}${projectId}${sql.raw(AFTER)}`
