import { type AliasSystem, isAliasSystem, toAliasLookup } from '@caseward/matching/aliases'
import { sql } from 'kysely'

import type { Database } from '../../platform/database/connect.ts'
import { addAliasSource, insertAliases } from '../case-aliases/case-aliases.queries.ts'
import type { WaitingRecord } from './import-records.queries.ts'
import type { ClaimedImport } from './imports.queries.ts'
import type { WaitingCase } from './plan-case.ts'
import { saveOwnSources } from './own-sources.ts'

/** What test cases of an export get back when they are created. */
interface Written {
  number: number
  record: WaitingRecord<WaitingCase>
  planned: WaitingCase
}

/** The numbers of test cases that keep theirs; none if one of them is taken by now. */
export function keepNumbers(
  records: readonly WaitingRecord<WaitingCase>[],
  lastNumber: number,
): { numbers?: readonly number[] } {
  const numbers = records.flatMap(({ planned }) => planned.own?.number ?? [])
  const areNew = numbers.every((number, index) => number > (numbers[index - 1] ?? lastNumber))
  return numbers.length === records.length && areNew ? { numbers } : {}
}

/** Stores what a request cannot set: who created a test case and when, its place, its ids in other tools and their sources. */
export async function saveOwnValues(
  tx: Database,
  projectId: string,
  claim: ClaimedImport,
  written: readonly Written[],
): Promise<void> {
  const own = written.flatMap(({ number, record, planned }) =>
    planned.own === null || !planned.own.is_exact ? [] : [{ number, record, own: planned.own }],
  )
  if (own.length === 0) return
  const items = own.map(({ number, own: { order, archived_at, created_by, created_at, updated_by, updated_at } }) => ({
    number,
    order,
    archived_at,
    created_by,
    created_at,
    updated_by,
    updated_at,
  }))
  await sql`
    update test_cases c set own_position = item.order, archived_at = case when c.archived_at is not null then coalesce(item.archived_at, c.archived_at) end,
      created_by = item.created_by, created_at = coalesce(item.created_at, c.created_at),
      updated_by = item.updated_by, updated_at = coalesce(item.updated_at, c.updated_at)
    from json_to_recordset(${JSON.stringify(items)}) as item (
      number int, "order" text, archived_at timestamptz, created_by uuid, created_at timestamptz, updated_by uuid, updated_at timestamptz
    )
    where c.project_id = ${projectId} and c.number = item.number`.execute(tx)
  await saveAliases(tx, projectId, own)
  await saveOwnSources(
    tx,
    claim,
    'case',
    own.map(({ number, own: { sources } }) => ({ target: String(number), sources })),
  )
}

type OwnWritten = { number: number; record: WaitingRecord<WaitingCase>; own: NonNullable<WaitingCase['own']> }

async function saveAliases(tx: Database, projectId: string, own: readonly OwnWritten[]): Promise<void> {
  const aliases = own.flatMap(({ number, record, own: { aliases: list } }) =>
    list.flatMap(({ system, source, key }) => {
      const lookup = isAliasSystem(system) && source !== '' ? toAliasLookup(system, key) : null
      return lookup === null ? [] : [{ number, record, system: system as AliasSystem, source, key, lookup }]
    }),
  )
  const rows = aliases.map(({ number, system, source, key, lookup }) => ({ number, system, source, key, lookup }))
  const added = new Set((await insertAliases(tx, projectId, rows)).map(({ number, lookup }) => `${number} ${lookup}`))
  for (const { number, lookup, record } of aliases)
    if (!added.has(`${number} ${lookup}`)) record.losses.push('alias_taken')
  const sources = new Map(aliases.map(({ system, source }) => [`${system} ${source}`, { system, source }]))
  for (const source of sources.values()) await addAliasSource(tx, projectId, source)
}
