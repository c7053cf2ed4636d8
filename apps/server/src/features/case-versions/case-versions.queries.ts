import type { VersionSource } from '@caseward/contract/case-versions'
import { sql } from 'kysely'

import type { Database } from '../../platform/database/connect.ts'
import { STORED_FIELD_NAMES, type TestCaseFields } from '../test-cases/test-case-fields.ts'

/** A change, as it is stored with the version that it ended. */
export interface StoredChange {
  version: number
  next_version: number
  changed_at: Date
  changed_by: string | null
  via: VersionSource
  changed: string[]
  summary: string | null
}

export interface VersionPage {
  current: { version: number; created_by: string | null; created_at: Date; updated_by: string | null; updated_at: Date }
  /** The newest first. */
  changes: StoredChange[]
}

/**
 * Selects the changes of a test case, the newest first; null when there is no such test case.
 * @param upTo only those whose next version is not later; null for all
 */
export async function selectChanges(
  db: Database,
  projectId: string,
  number: number,
  { upTo, limit }: { upTo: number | null; limit: number },
): Promise<VersionPage | null> {
  const current = await db
    .selectFrom('test_cases')
    .select(['version', 'created_by', 'created_at', 'updated_by', 'updated_at'])
    .where('project_id', '=', projectId)
    .where('number', '=', number)
    .executeTakeFirst()
  if (current === undefined) return null
  const { rows } = await sql<StoredChange>`
    select version, next_version, changed_at, changed_by, via, changed, summary from case_versions
    where project_id = ${projectId} and case_number = ${number} and next_version <= ${upTo ?? current.version}
    order by version desc limit ${limit}`.execute(db)
  return { current, changes: rows }
}

/** A test case as it is stored, and what it was since a version. */
export interface CaseSinceVersion {
  testCase: TestCaseFields & { version: number; created_by: string | null; created_at: Date }
  /** What the version had in place of today's values, by name; null for nothing. */
  earlier: Readonly<Record<string, unknown>>
  /** How many versions the changes since then lead on: they never overlap, so that it is less than to today if one is missing. */
  length: number
  /** The newest change that began before the version, and made it or a later one; null if none is kept. */
  preceding: StoredChange | null
}

/** Reads in one statement, so that a change in between cannot be missing. Null when there is no such test case. */
export async function selectCaseSince(
  db: Database,
  projectId: string,
  number: number,
  version: number,
): Promise<CaseSinceVersion | null> {
  const ofCase = sql`v.project_id = ${projectId} and v.case_number = ${number}`
  const { rows } = await sql<
    CaseSinceVersion['testCase'] & {
      since: CaseSinceVersion['earlier'] | null
      length: number
      preceding: (Omit<StoredChange, 'changed_at'> & { changed_at: string }) | null
    }
  >`
    with kept as materialized (
      select changed, min(version) as version, sum(next_version - version) as length from case_versions v
      where ${ofCase} and version >= ${version}
      group by changed
    )
    select ${sql.raw(STORED_FIELD_NAMES.map((name) => `c.${name}`).join(', '))}, c.version, c.created_by, c.created_at,
      (
        -- The names say in which rows the values are, so that only those are parsed. A thousand changes are mostly of the same fields.
        select json_object_agg(oldest.name, v.before -> oldest.name) from (
          select name, min(version) as version from kept cross join lateral unnest(changed) name group by name
        ) oldest
        join case_versions v on ${ofCase} and v.version = oldest.version
      ) as since,
      (select coalesce(sum(length), 0)::int from kept) as length,
      (
        select to_json(made) from (
          select v.version, v.next_version, v.changed_at, v.changed_by, v.via, v.changed, v.summary
          from case_versions v where ${ofCase} and v.version < ${version} order by v.version desc limit 1
        ) made
      ) as preceding
    from test_cases c where c.project_id = ${projectId} and c.number = ${number}`.execute(db)
  const [row] = rows
  if (row === undefined) return null
  const { since, length, preceding, ...testCase } = row
  return {
    testCase,
    earlier: since ?? {},
    length,
    preceding: preceding === null ? null : { ...preceding, changed_at: new Date(preceding.changed_at) },
  }
}

/** Selects the steps that test cases had in versions, by number. */
export async function selectStepsAt(
  db: Database,
  projectId: string,
  items: readonly { number: number; version: number }[],
): Promise<Map<number, TestCaseFields['steps']>> {
  if (items.length === 0) return new Map()
  const { rows } = await sql<{ number: number; steps: TestCaseFields['steps'] }>`
    select item.number, coalesce((
      select v.before -> 'steps' from case_versions v
      where v.project_id = ${projectId} and v.case_number = item.number and v.version >= item.version
        and 'steps' = any(v.changed)
      order by v.version limit 1
    ), c.steps) as steps
    from unnest(
      ${items.map(({ number }) => number)}::int[], ${items.map(({ version }) => version)}::int[]
    ) as item (number, version)
    join test_cases c on c.project_id = ${projectId} and c.number = item.number`.execute(db)
  return new Map(rows.map(({ number, steps }) => [number, steps]))
}

/** Selects the version that a test case had at a time, as far as versions are kept; null for the current one. */
export async function selectVersionAt(
  db: Database,
  projectId: string,
  number: number,
  time: string,
): Promise<number | null> {
  const { rows } = await sql<{ version: number }>`
    select version from case_versions
    where project_id = ${projectId} and case_number = ${number} and coalesce(started_at, changed_at) > ${time}::timestamptz
    order by version limit 1`.execute(db)
  return rows[0]?.version ?? null
}
