import type { RecordKind } from '@caseward/contract/import-kinds'
import type { Import, ImportedRecord } from '@caseward/contract/import-schemas'
import { sql } from 'kysely'

import type { ProjectRef } from '../../access/project-cache.ts'
import type { Database } from '../../platform/database/connect.ts'
import { presentNullableTime, presentTime } from '../../platform/http/timestamps.ts'
import { readFields } from '../fields/project-fields.ts'
import { formatTestCaseId } from '../test-cases/test-case-ids.ts'
import { selectCurrentCases } from './compare-case.ts'
import { type ImportRow, selectImportFiles } from './imports.queries.ts'
import type { WaitingCase } from './plan-case.ts'

/** Presents imports as responses have them. */
export async function presentImports(db: Database, projectId: string, rows: readonly ImportRow[]): Promise<Import[]> {
  const files = await selectImportFiles(
    db,
    projectId,
    rows.map(({ id }) => id),
  )
  return rows.map((row): Import => {
    const { id, name, state, system, source, format, plan, progress, reading, planning, proof, error } = row
    return {
      id,
      name,
      state,
      system,
      source,
      format,
      files: (files.get(id) ?? []).map((file) => ({ name: file.name, byte_count: file.byte_count })),
      plan: state === 'planned' ? plan : null,
      progress,
      reading: reading === null ? null : { counts: reading.counts, steps: reading.steps, encoding: reading.encoding },
      planning: ['reading', 'planning'].includes(state) ? null : planning,
      proof,
      error,
      created_by: row.created_by,
      created_at: presentTime(row.created_at),
      planned_at: presentNullableTime(row.planned_at),
      applied_at: presentNullableTime(row.applied_at),
      undone_at: presentNullableTime(row.undone_at),
    }
  })
}

interface RecordFilter {
  kind?: string | undefined
  action?: string | undefined
  loss?: string | undefined
  search?: string | undefined
  similar?: 'true' | undefined
  after: number
  limit: number
}

type RecordRow = Omit<ImportedRecord, 'before' | 'after' | 'details' | 'similar'> & {
  kind: RecordKind
  planned: Record<string, unknown> | null
}

/** Reads records of an import, with what is here of those that change. */
export async function listRecords(
  db: Database,
  project: ProjectRef,
  importId: string,
  { kind, action, loss, search, similar, after, limit }: RecordFilter,
): Promise<ImportedRecord[]> {
  const text = search?.trim().toLowerCase() ?? ''
  const { rows } = await sql<RecordRow>`
    select seq, kind, key, title, action, target, losses, changed, planned from import_records
    where project_id = ${project.id} and import_id = ${importId} and seq > ${after}
      ${kind === undefined ? sql`` : sql`and kind = ${kind}`}
      ${action === undefined ? sql`` : sql`and action = ${action}`}
      ${loss === undefined ? sql`` : sql`and ${loss} = any(losses)`}
      ${similar === undefined ? sql`` : sql`and planned -> 'similar_cases' is not null`}
      ${text === '' ? sql`` : sql`and (strpos(lower(title), ${text}) > 0 or strpos(lower(key), ${text}) > 0)`}
    order by seq limit ${limit}`.execute(db)
  const changing = rows.filter((row) => row.kind === 'case' && row.target !== null && row.changed.length > 0)
  const fields = changing.length === 0 ? null : await readFields(db, project.id)
  const current =
    fields === null
      ? new Map()
      : await selectCurrentCases(
          db,
          project.id,
          fields,
          changing.map(({ target }) => Number(target)),
        )
  return rows.map(({ planned, ...row }): ImportedRecord => {
    const {
      details = {},
      source_key: _,
      raw_digest: __,
      own: ___,
      compared_version: ____,
      similar_cases: found = [],
      ...values
    } = (planned ?? {}) as Partial<WaitingCase>
    const now = row.kind === 'case' && row.changed.length > 0 ? current.get(Number(row.target)) : undefined
    return {
      ...row,
      target:
        row.kind === 'case' && row.target !== null ? formatTestCaseId(project.prefix, Number(row.target)) : row.target,
      before: now === undefined ? null : pick(now, row.changed),
      after: planned === null ? null : values,
      details,
      similar: found,
    }
  })
}

/** The fields that change; of custom fields, all. */
function pick(current: object, changed: readonly string[]): Record<string, unknown> {
  const names = new Set(changed.map((name) => (name.startsWith('fields.') ? 'fields' : name)))
  return Object.fromEntries(Object.entries(current).filter(([name]) => names.has(name)))
}
