import type { ImportSettings } from '@caseward/contract/import-settings'
import { MAX_TAGS } from '@caseward/contract/test-case-fields'
import { toStoredJson, toStoredLines } from '@caseward/importers/stored-json'
import { sql } from 'kysely'

import type { Database } from '../../platform/database/connect.ts'
import { plannedAnew } from '../../platform/database/plans.ts'
import { readFields } from '../fields/project-fields.ts'
import { type CurrentCase, selectCurrentCases, toTexts } from './compare-case.ts'
import { insertRecords, type PlannedRecord, updatePlannedRecords } from './import-records.queries.ts'
import type { ImportWork } from './import-work.ts'
import type { ClaimedImport } from './imports.queries.ts'
import type { WaitingCase } from './plan-case.ts'
import { type Source, type SourceLink, toShortDigest } from './source-links.queries.ts'

/** What a test case gets that the source does not have any more. */
const ABSENT_TAG = 'absent-in-source'
/** Records of what the file does not have are behind all that it has. */
const FIRST_SEQ = 2_000_000_000
const PAGE = 500

type Absent = Exclude<NonNullable<ImportSettings['absent']>, 'keep'>

/** Removes what an earlier plan of the import has said of test cases that the file does not have. */
export async function deleteAbsent(db: Database, { projectId, id }: ClaimedImport): Promise<void> {
  await sql`${plannedAnew}
    delete from import_records
    where project_id = ${projectId} and import_id = ${id} and seq >= ${FIRST_SEQ}`.execute(db)
}

/** Plans what becomes of test cases of earlier imports that the file does not have, once those that it has are planned. */
export async function planAbsent(
  db: Database,
  work: ImportWork,
  { source, absent }: { source: Source; absent: Absent },
): Promise<void> {
  const { claim } = work
  const fields = await readFields(db, claim.projectId)
  let [after, seq] = ['', FIRST_SEQ]
  for (;;) {
    const links = await selectAbsent(db, claim, source, after)
    const last = links.at(-1)
    if (last === undefined) return
    after = last.key_digest
    const current = await selectCurrentCases(
      db,
      claim.projectId,
      fields,
      links.map(({ target }) => Number(target)),
    )
    const before = seq - 1
    const records = links.flatMap((link) => {
      const here = current.get(Number(link.target))
      return here === undefined ? [] : [{ seq: seq++, link, here }]
    })
    const rows = records.map(({ link: { key }, here: { title } }) => ({ kind: 'case', key, title, read_losses: [] }))
    const batch = {
      count: rows.length,
      rows: toStoredJson(rows),
      records: toStoredLines(rows.map(() => ({}))),
      prepared: toStoredLines(rows.map(() => null)),
    }
    await insertRecords(db, claim, batch, before)
    await updatePlannedRecords(
      db,
      claim,
      records.map(({ seq: place, link, here }) => ({ seq: place, ...decide(link, here, absent) })),
    )
    await work.keep(db, { stage: 'planning', done: seq - FIRST_SEQ, total: 0 })
  }
}

/** Selects links to test cases that no record of the file has led to. */
async function selectAbsent(
  db: Database,
  { projectId, id }: ClaimedImport,
  { system, source }: Source,
  after: string,
): Promise<Pick<SourceLink, 'key_digest' | 'key' | 'target' | 'field_digests'>[]> {
  const { rows } = await sql<Pick<SourceLink, 'key_digest' | 'key' | 'target' | 'field_digests'>>`${plannedAnew}
    select key_digest, key, target, field_digests from source_links l
    where project_id = ${projectId} and system = ${system} and source = ${source} and kind = 'case'
      and key_digest > ${after}
      and not exists (
        select from import_records r
        where r.project_id = l.project_id and r.import_id = ${id} and r.kind = 'case' and r.target = l.target
      )
    order by key_digest limit ${PAGE}`.execute(db)
  return rows
}

/** What was changed here stays, as does what is archived or has the tag already. */
function decide(
  link: Pick<SourceLink, 'key' | 'target' | 'field_digests'>,
  here: CurrentCase,
  absent: Absent,
): Omit<PlannedRecord, 'seq'> {
  const isChangedHere = isChanged(link.field_digests, here)
  const { changed, planned } = toChange(link, here, absent)
  const isDone = isChangedHere || changed.length === 0
  return {
    action: 'absent_in_source',
    losses: isChangedHere && changed.length > 0 ? ['absent_kept'] : [],
    changed: isDone ? [] : changed,
    planned: isDone ? null : { ...planned, compared_version: here.version },
    place: 0,
    target: link.target,
    is_done: isDone,
  }
}

/** Whether a value is not what the last import of the source has written. */
function isChanged(digests: SourceLink['field_digests'], here: CurrentCase): boolean {
  const texts = toTexts(here)
  return Object.entries(digests).some(
    ([name, digest]) => name !== 'archived' && toShortDigest(texts.get(name) ?? '') !== digest,
  )
}

function toChange(
  { key }: Pick<SourceLink, 'key'>,
  here: CurrentCase,
  absent: Absent,
): { changed: string[]; planned: WaitingCase } {
  const { number: _, version: __, ...values } = here
  const unused = { template: 'steps', own: null, links: [], details: {}, source_id: null, raw_digest: '' } as const
  const planned = { ...values, ...unused, links: [], source_key: key }
  if (absent === 'archive') {
    return { changed: here.archived ? [] : ['archived'], planned: { ...planned, archived: true } }
  }
  const isPossible = !here.tags.includes(ABSENT_TAG) && here.tags.length < MAX_TAGS
  return { changed: isPossible ? ['tags'] : [], planned: { ...planned, tags: [...here.tags, ABSENT_TAG] } }
}
