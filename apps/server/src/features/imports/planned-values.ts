import { toDigest } from '../../platform/database/text-digest.ts'
import { sql } from 'kysely'
import { getLinkLabel } from '@caseward/matching/link-label'
import { v7 as uuidv7 } from 'uuid'

import type { Database } from '../../platform/database/connect.ts'
import { selectAssignable } from '../assignments/assignments.queries.ts'
import type { SentValues } from '../fields/check-values.ts'
import type { ProjectFields } from '../fields/field-definitions.ts'
import { selectCaseNumbersByKey } from '../test-cases/automation-keys.queries.ts'
import { toSentValue } from './field-texts.ts'
import type { WaitingRecord } from './import-records.queries.ts'
import type { WaitingCase } from './plan-case.ts'

/*
 * What a plan says was true when it was made: members, folders, options and automation keys may have changed since.
 */

/**
 * Takes out of planned test cases what is no longer possible, and notes it in their details. The caller holds the lock on the
 * project.
 */
export async function adaptPlanned(
  tx: Database,
  projectId: string,
  fields: ProjectFields,
  records: readonly WaitingRecord<WaitingCase>[],
): Promise<void> {
  const planned = records.map((record) => record.planned)
  const folders = await selectExistingFolders(tx, projectId, planned)
  const owners = [...new Set(planned.flatMap(({ owner_id: id }) => id ?? []))]
  const members = owners.length === 0 ? new Set<string>() : await selectAssignable(tx, projectId, owners)
  const keys = planned.flatMap(({ automation_keys: all }) => all)
  const holders = keys.length === 0 ? new Map<string, number>() : await selectCaseNumbersByKey(tx, projectId, keys)
  for (const { planned: item, losses, target } of records) {
    if (item.folder_id !== null && !folders.has(item.folder_id)) item.folder_id = null
    if (item.owner_id !== null && !members.has(item.owner_id)) item.owner_id = null
    const free = item.automation_keys.filter((key) => {
      const holder = holders.get(key)
      return holder === undefined || String(holder) === target
    })
    if (free.length < item.automation_keys.length) {
      item.details['automation_keys'] ??= item.automation_keys
      item.automation_keys = free
      losses.push('key_taken')
    }
    adaptFields(item, losses, fields)
  }
}

function adaptFields(item: WaitingCase, losses: string[], { byKey }: ProjectFields): void {
  const acceptsRetired = item.own !== null
  for (const [key, text] of Object.entries(item.fields)) {
    const field = byKey.get(key)
    const isInUse = field !== undefined && (acceptsRetired || field.retired_at === null)
    if (isInUse && toSentValue(field, text, { acceptsRetired }) !== undefined) continue
    item.details[key] = text
    losses.push('field_in_details')
    item.fields = Object.fromEntries(Object.entries(item.fields).filter(([other]) => other !== key))
  }
}

/** Values as a request sends them: options by their keys. */
export function toSentValues({ byKey }: ProjectFields, { fields, own }: WaitingCase): SentValues {
  return Object.fromEntries(
    Object.entries(fields).flatMap(([key, text]) => {
      const field = byKey.get(key)
      const value = field === undefined ? undefined : toSentValue(field, text, { acceptsRetired: own !== null })
      return value === undefined ? [] : [[key, value] as const]
    }),
  )
}

async function selectExistingFolders(
  tx: Database,
  projectId: string,
  planned: readonly WaitingCase[],
): Promise<Set<string>> {
  const ids = [...new Set(planned.flatMap(({ folder_id: id }) => id ?? []))]
  if (ids.length === 0) return new Set()
  const { rows } = await sql<{ id: string }>`
    select id from folders where project_id = ${projectId} and id = any(${ids}::uuid[])`.execute(tx)
  return new Set(rows.map(({ id }) => id))
}

/** Adds the links of test cases that they do not have. */
export async function addPlannedLinks(
  tx: Database,
  projectId: string,
  userId: string | null,
  items: readonly { number: number; planned: WaitingCase }[],
): Promise<void> {
  const links = items.flatMap(({ number, planned }) =>
    planned.links.map(({ url, kind, label }) => {
      const address = URL.parse(url)?.href ?? url
      return { number, id: uuidv7(), kind, url, digest: toDigest(address), label: label ?? getLinkLabel(address) }
    }),
  )
  if (links.length === 0) return
  await sql`
    insert into links (project_id, id, case_number, kind, url, url_digest, label, created_by)
    select ${projectId}, id, number, kind::link_kind, url, digest, label, ${userId}::uuid
    from json_to_recordset(${JSON.stringify(links)}) as item (
      id uuid, number int, kind text, url text, digest uuid, label text
    )
    on conflict do nothing`.execute(tx)
}
