import type { PersonRecord } from '@caseward/importers/records'
import { sql } from 'kysely'

import type { Database } from '../../platform/database/connect.ts'
import { plannedAnew } from '../../platform/database/plans.ts'
import { type NewImportedPerson, selectPeopleOfSource } from '../imported-people/imported-people.queries.ts'
import { deriveId } from './derive-id.ts'
import { isAmong } from './import-records.queries.ts'
import type { ClaimedImport } from './imports.queries.ts'
import { type Source, toKeyDigest } from './source-links.queries.ts'
import { toStoredName } from './stored-name.ts'

/** Finds people by what a source calls them. */
export interface PeopleOfSource {
  /** Returns the id of a user, or null. */
  findUser(person: string): string | null
  /** Returns the id of a user or of an imported person; null without a name. */
  find(person: string): string | null
  /** Whether it is a person without an account here. */
  isImported(person: string): boolean
  /** Those who have no account here, and are named in the file. */
  imported: readonly (NewImportedPerson & { record: number | null })[]
  /** Users by the `seq` of the records that say who they are. */
  matched: ReadonlyMap<number, string>
}

const MAX_LENGTH = 255
const normalize = (word: string) => word.trim().slice(0, MAX_LENGTH).toLowerCase()

/** What is an id, and says nothing to people. */
const OPAQUE = /^(?:\d+:)?[0-9a-f]{8}-[0-9a-f-]{27}$|^[^\p{L}]*$/iu

interface Resolving {
  source: Source
  /** What results, runs and shared steps of the file call people. */
  words: readonly string[]
}

/**
 * Matches people of a source to members by their email address or, in exports of this instance, their id; never by name alone. Others
 * become imported people: their ids follow from what the source calls them, so that the plan needs to store nothing.
 */
export async function resolvePeople(
  db: Database,
  { projectId, id: importId }: Pick<ClaimedImport, 'projectId' | 'id'>,
  { source, words }: Resolving,
): Promise<PeopleOfSource> {
  const { rows: members } = await sql<{ id: string; email: string }>`
    select u.id, lower(u.email collate "C") as email from memberships m join users u on u.id = m.user_id
    where m.project_id = ${projectId} and u.disabled_at is null`.execute(db)
  const { rows: records } = await sql<{ seq: number; record: PersonRecord }>`${plannedAnew}
    select seq, record from import_records
    where project_id = ${projectId} and import_id = ${importId} and kind = 'person' order by seq`.execute(db)
  const known = await selectPeopleOfSource(db, projectId, source, words)
  const users = new Map(members.flatMap(({ id, email }) => [[email, id] as const, [id, id] as const]))
  const matched = new Map<number, string>()
  const byWord = new Map<string, { seq: number; record: PersonRecord }>()
  for (const item of records) {
    const { key, email = '' } = item.record
    const userId = users.get(normalize(email)) ?? users.get(normalize(key))
    if (userId !== undefined) {
      matched.set(item.seq, userId)
      users.set(normalize(key), userId)
    }
    for (const word of [key, email].map(normalize)) if (word !== '' && !byWord.has(word)) byWord.set(word, item)
  }
  const people = new Map<string, string>()
  const imported = new Map<string, PeopleOfSource['imported'][number]>()
  for (const text of words) {
    const word = normalize(text)
    if (word === '' || users.has(word)) continue
    const found = byWord.get(word)
    const digest = toKeyDigest(found === undefined ? `word:${word}` : found.record.key)
    // An export of this project names people of its own.
    const existing = known.get(digest) ?? known.get(found?.record.key ?? word)
    if (existing?.user_id) {
      users.set(word, existing.user_id)
      if (found !== undefined) matched.set(found.seq, existing.user_id)
      continue
    }
    const id = existing?.id ?? deriveId([projectId, source.system, source.source, digest])
    people.set(word, id)
    const name = toStoredName(found?.record.name ?? text, '')
    const isOpaque = name === '' || (found === undefined && OPAQUE.test(name))
    imported.set(id, {
      id,
      record: found?.seq ?? null,
      key_digest: digest,
      name: isOpaque ? `Person ${imported.size + 1}` : name,
      label: toStoredName(found?.record.imported_from ?? source.source, source.system),
      email: found?.record.email?.trim().slice(0, 255) || null,
    })
  }
  return {
    findUser: (person) => users.get(normalize(person)) ?? null,
    find: (person) => users.get(normalize(person)) ?? people.get(normalize(person)) ?? null,
    isImported: (person) => people.has(normalize(person)),
    imported: [...imported.values()],
    matched,
  }
}

/** Says what becomes of the records of people. */
export async function planPeople(
  tx: Database,
  { projectId, id }: Pick<ClaimedImport, 'projectId' | 'id'>,
  { matched, imported }: PeopleOfSource,
): Promise<void> {
  const items = [
    ...[...matched].map(([seq, target]) => ({ seq, target, action: 'unchanged' })),
    ...imported.flatMap(({ record, id: target }) =>
      record === null ? [] : [{ seq: record, target, action: 'create' }],
    ),
  ]
  await sql`${plannedAnew}
    update import_records r set target = null, losses = array['not_imported:person'], action = 'not_imported', is_done = true
    where r.project_id = ${projectId} and r.import_id = ${id} and r.kind = 'person'`.execute(tx)
  await sql`${plannedAnew}
    update import_records r set target = item.target, action = item.action, losses = '{}'
    from json_to_recordset(${JSON.stringify(items)}) as item (seq int, target text, action text)
    where ${isAmong({ projectId, id }, items)} and r.seq = item.seq`.execute(tx)
}
