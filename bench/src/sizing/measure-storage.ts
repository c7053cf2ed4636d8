import type pg from 'pg'

/** Tables that grow with use, by what one row of them is. */
const ROWS = {
  'test case': ['test_cases', 'automation_keys'],
  result: ['test_results', 'result_changes', 'step_results'],
  'known test': ['tests', 'test_links'],
  'test outcome in a run': ['test_outcomes'],
  run: ['runs'],
  'audit entry': ['audit_log'],
} as const

const MIN_ROWS = 100

export interface TableSize {
  what: string
  rows: number
  /** With indexes, TOAST and free space. */
  bytesPerRow: number
}

interface SizeRow {
  bytes: string
}

/** Returns the disk space of one row of each table, with all its indexes and with tables that only refine it. */
export async function measureTables(client: pg.Client): Promise<TableSize[]> {
  const sizes: TableSize[] = []
  for (const [what, [table, ...others]] of Object.entries(ROWS)) {
    const { rows } = await client.query<SizeRow & { rows: string }>(
      `select count(*) as rows, sum(size) over () as bytes from ${table},
         (select sum(pg_total_relation_size(name::regclass)) as size from unnest($1::text[]) name) sizes
       group by size`,
      [[table, ...others]],
    )
    const count = Number(rows[0]?.rows ?? 0)
    // Of few rows, most of the space is that of empty pages.
    if (count >= MIN_ROWS) sizes.push({ what, rows: count, bytesPerRow: Number(rows[0]?.bytes) / count })
  }
  return sizes
}

export interface DiskUse {
  databaseMb: number
  walMb: number
  /** A migration that rewrites a table needs its size once more. */
  largestTableMb: number
}

const MB = 1024 * 1024

export async function measureDiskUse(client: pg.Client): Promise<DiskUse> {
  const select = async (expression: string) => {
    const { rows } = await client.query<SizeRow>(`select ${expression} as bytes`)
    return Number(rows[0]?.bytes) / MB
  }
  return {
    databaseMb: await select('pg_database_size(current_database())'),
    walMb: await select(`pg_size_bytes(current_setting('max_wal_size'))`),
    largestTableMb: await select(
      `(select max(pg_total_relation_size(oid)) from pg_class where relkind = 'r' and relnamespace = 'public'::regnamespace)`,
    ),
  }
}
