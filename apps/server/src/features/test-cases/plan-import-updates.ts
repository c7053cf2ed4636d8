import type { ImportRow } from '@caseward/contract/test-case-imports'
import { sql } from 'kysely'

import type { ProjectRef } from '../../access/project-cache.ts'
import type { Database } from '../../platform/database/connect.ts'
import { STORED_COLUMNS, type StoredTestCase } from './change-test-cases.ts'
import type { ImportKeys } from './import-keys.ts'
import type { ImportOwners } from './import-owners.ts'
import type { ImportValues } from './import-values.ts'
import {
  CHANGED_BY_SENT,
  CHANGED_FIELD_NUMBERS,
  SENT_DEFINITIONS,
  type SentFields,
  toSentItem,
  toStoredFields,
} from './test-case-fields.ts'
import { listChangedUses } from '../shared-steps/resolve-steps.ts'
import type { StoredSteps } from '../shared-steps/step-groups.ts'
import { resolveImportSteps } from './import-steps.ts'
import { parseTestCaseNumber } from './test-case-ids.ts'

/** What an import does with a test case that exists. */
export interface ImportUpdate {
  testCase: StoredTestCase
  /** The title afterwards. */
  title: string
  /** The new values; fields that the row does not contain are missing. */
  fields: Omit<SentFields, 'folder_id'>
  /** The folder afterwards. */
  folderId: string | null
  /** The fields that are different, as the request names them; empty if the test case stays the same. */
  changed: string[]
  /** Which shared steps it uses afterwards, if these are different. */
  changedUses: { number: number; ids: string[] }[]
}

interface PlannedRow {
  number: number
  row: ImportRow
  index: number
  fields: Omit<SentFields, 'folder_id'>
  /** Undefined to stay in the folder. */
  folderId: string | null | undefined
  /** The name of the field that sets the keys, if they are different afterwards. */
  changedKeys: string[]
}

/**
 * Locks the test cases that rows name, and finds out which of their fields are different. The caller holds the lock on the
 * project, and has checked the ids.
 * @param planned.steps what is stored for the steps of each row, of test cases without shared steps
 * @param planned.folderIds the folder of each row, which may not exist yet
 */
export async function planImportUpdates(
  tx: Database,
  project: ProjectRef,
  rows: readonly ImportRow[],
  {
    keys,
    owners,
    values,
    folderIds,
    steps,
  }: {
    keys: ImportKeys
    owners: ImportOwners
    values: ImportValues
    folderIds: readonly (string | null)[]
    steps: readonly (StoredSteps | undefined)[]
  },
): Promise<ImportUpdate[]> {
  const planned = rows.flatMap((row, index): PlannedRow[] => {
    const number = row.id === undefined ? null : parseTestCaseNumber(row.id, project.prefix)
    if (number === null) return []
    const { id: _, folder_path: path, automation_key: __, automation_keys: sentKeys, owner: ___, ...rest } = row
    const owner_id = owners.byRow.get(index)
    const rowKeys = keys.byRow.get(index)
    const rowValues = values.ofExisting.get(index)
    const hasNewKeys = rowKeys !== undefined && !isSame(rowKeys, keys.stored.get(number) ?? [])
    return [
      {
        number,
        row,
        index,
        fields: {
          ...toStoredFields(owner_id === undefined ? rest : { ...rest, owner_id }, steps[index]),
          ...(rowKeys === undefined ? {} : { automation_keys: rowKeys }),
          ...(rowValues === undefined ? {} : { fields: rowValues }),
        },
        folderId: path === undefined ? undefined : (folderIds[index] ?? null),
        changedKeys: hasNewKeys ? [sentKeys === undefined ? 'automation_key' : 'automation_keys'] : [],
      },
    ]
  })
  if (planned.length === 0) return []
  const first = await compareTestCases(tx, project.id, planned)
  const { rows: complete, uses, isChanged } = await planSharedSteps(tx, project.id, planned, first)
  const stored = !isChanged ? first : await compareTestCases(tx, project.id, complete)
  return complete.flatMap(({ number, fields, folderId, changedKeys }) => {
    const row = stored.get(number)
    if (row === undefined) return []
    const { changed, changed_fields: changedFields, title, current: _, ...testCase } = row
    const newFolderId = folderId === undefined ? testCase.folder_id : folderId
    const moved = newFolderId === testCase.folder_id ? [] : ['folder_path']
    const names = changed.flatMap((name) => {
      if (name === 'fields') return presentChangedFields(values, changedFields ?? [])
      return requestNames[name] ?? name
    })
    const changedUses = uses.filter((use) => use.number === number)
    return [
      { testCase, title, fields, folderId: newFolderId, changed: [...names, ...moved, ...changedKeys], changedUses },
    ]
  })
}

/** Fields whose names in rows are others. */
const requestNames: Readonly<Record<string, string>> = { owner_id: 'owner', step_groups: 'shared_steps' }

/** Plans the steps of test cases that use shared steps, or will. Few imports have any. */
async function planSharedSteps(
  tx: Database,
  projectId: string,
  planned: readonly PlannedRow[],
  stored: Awaited<ReturnType<typeof compareTestCases>>,
): Promise<{ rows: readonly PlannedRow[]; uses: { number: number; ids: string[] }[]; isChanged: boolean }> {
  const withSharedSteps = planned.flatMap(({ number, row, index, fields }) => {
    const current = stored.get(number)?.current ?? null
    const needsCurrent = (row.shared_steps ?? []).length > 0 || (row.steps !== undefined && current !== null)
    return needsCurrent || fields.step_groups !== undefined ? [{ number, row, index, current }] : []
  })
  if (withSharedSteps.length === 0) return { rows: planned, uses: [], isChanged: false }
  const resolved = await resolveImportSteps(tx, projectId, withSharedSteps)
  const byNumber = new Map(withSharedSteps.map(({ number }, place) => [number, resolved[place]]))
  const uses = listChangedUses(
    withSharedSteps.map(({ number, current }, place) => ({ number, current, steps: resolved[place] })),
  )
  const rows = planned.map((item) => ({ ...item, fields: { ...item.fields, ...byNumber.get(item.number) } }))
  return { rows, uses, isChanged: true }
}

/** The custom fields that are different, as `fields.severity`. */
const presentChangedFields = ({ fields }: ImportValues, numbers: readonly number[]): string[] =>
  fields.list.filter(({ number }) => numbers.includes(number)).map(({ key }) => `fields.${key}`)

const isSame = (a: readonly string[], b: readonly string[]) =>
  a.length === b.length && a.every((item, index) => item === b[index])

async function compareTestCases(tx: Database, projectId: string, planned: readonly PlannedRow[]) {
  const items = planned.map(({ number, fields }) => {
    // Keys are compared elsewhere.
    const { automation_keys: _, ...others } = fields
    return toSentItem(number, others)
  })
  const { rows } = await sql<
    StoredTestCase & {
      title: string
      changed: string[]
      changed_fields: number[] | null
      /** Null without shared steps. */
      current: StoredSteps | null
    }
  >`
    with item as (
      select * from json_to_recordset(${JSON.stringify(items)}) as (number int, ${sql.raw(SENT_DEFINITIONS)})
    )
    select ${STORED_COLUMNS}, coalesce(item.title, c.title) as title, ${sql.raw(CHANGED_BY_SENT)} as changed,
      ${sql.raw(CHANGED_FIELD_NUMBERS)} as changed_fields,
      case when c.step_groups is not null then json_build_object('steps', c.steps, 'step_groups', c.step_groups) end as current
    from item join test_cases c on c.project_id = ${projectId} and c.number = item.number
    for no key update of c`.execute(tx)
  return new Map(rows.map((row) => [row.number, row]))
}
