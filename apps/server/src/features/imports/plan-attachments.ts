import { MAX_STEPS } from '@caseward/contract/steps'
import type { RecordAction } from '@caseward/contract/import-kinds'
import type { OwnAttachmentRecord } from '@caseward/importers/records'
import { readTime } from '@caseward/importers/steps/read-time'
import { cutText } from '@caseward/matching/note'
import { sql } from 'kysely'

import type { Database } from '../../platform/database/connect.ts'
import { plannedAnew } from '../../platform/database/plans.ts'
import { selectFileQuota } from '../files/file-quota.ts'
import { deriveKeyedId } from './derive-id.ts'
import type { HistoryContext } from './history-context.ts'
import type { PlannedRecord } from './import-records.queries.ts'
import type { ImportWork } from './import-work.ts'
import { planPages, toPlannedRecord } from './plan-pages.ts'
import { readPastTime } from './past-time.ts'
import type { LocatedAttachment, PlaceDecision, PlaceFinder, PlannedPlace } from './plan-places.ts'
import type { TestActions } from './plan-tests.ts'
import { ImportFailure } from './read-in-worker.ts'
import { toStoredName } from './stored-name.ts'

/** An attachment of an export as it is stored. */
export interface PlannedAttachment extends PlannedPlace {
  id: string
  name: string
  step: number | null
  /** The place of a combination of the result; null for the result as a whole. */
  place: number | null
  /** The key of the test at whose attempt it is. */
  test: string | null
  attempt: number | null
  /** The number of the source that declared it; null if it was attached. Missing in plans of earlier versions. */
  source?: number | null
  comment_id: string | null
  created_by: string | null
  created_at: string
  /** Of its content; null for one that was removed. */
  sha256: string | null
  byte_count: number | null
  is_trace: boolean
  /** Whether the bundle has its content; otherwise it is only a name. */
  has_content: boolean
  removed_at: string | null
}

/** As it was staged. Imports that an earlier version has read have only the key. */
type StagedAttachment = Pick<OwnAttachmentRecord, 'key'> & Partial<OwnAttachmentRecord>

type Context = Pick<HistoryContext, 'source' | 'people' | 'isSelf' | 'importedAt'> & {
  fileLimitBytes: number
  tests: TestActions
}

const PAGE = 500
const MAX_NAME = 255
const MAX_ATTEMPT = 32_767
const MAX_PLACE = 32_767

const hasTest = (action: RecordAction | undefined) => action === 'create' || action === 'unchanged'

/** Returns what gives attachments of an export their ids here. Those that are not in the file keep theirs. */
export async function createAttachmentMap(
  db: Database,
  { claim }: ImportWork,
  { source, isSelf }: Pick<Context, 'source' | 'isSelf'>,
): Promise<(id: string) => string> {
  if (isSelf) return (id) => id
  const { rows } = await sql<{ key: string }>`${plannedAnew}
    select key from import_records
    where project_id = ${claim.projectId} and import_id = ${claim.id} and kind = 'attachment' and key is not null`.execute(
    db,
  )
  const keys = new Set(rows.map(({ key }) => key))
  return (id) => (keys.has(id) ? toAttachmentId(claim.projectId, source, id) : id)
}

const toAttachmentId = (projectId: string, { system, source }: Context['source'], key: string) =>
  deriveKeyedId([projectId, system, source, 'attachment'], key)

/**
 * Plans the attachments of an export. Their ids follow from those in the source, so that they are found again.
 * @throws {ImportFailure} if the files of the project would take more than they may
 */
export async function planAttachments(
  db: Database,
  work: ImportWork,
  context: Context,
  findPlace: PlaceFinder,
): Promise<void> {
  const { claim } = work
  const seen = new Set<string>()
  const contents = new Map<string, number>()
  await planPages<StagedAttachment, LocatedAttachment>(db, work, { kind: 'attachment', limit: PAGE }, async (rows) => {
    const items = rows.map((row) => ({ row, ...toPlanned(row.record, row.planned, claim.projectId, context) }))
    const existing = await selectExisting(
      db,
      claim.projectId,
      items.map(({ attachment }) => attachment.id),
    )
    return items.map(({ row: { seq, record, planned: located }, attachment, losses, refusal }): PlannedRecord => {
      const { case: key = null, run = null, result = null } = record
      const isRepeated = seen.has(attachment.id)
      seen.add(attachment.id)
      const decided = findPlace({ case: key, run, result }, located)
      const isHere = existing.has(attachment.id)
      const refused = refusal ?? (isRepeated || decided.action === 'not_imported' ? 'not_imported:attachment' : null)
      const action = chooseAction(decided.action, {
        isHere: isHere && !isRepeated,
        isRefused: refused !== null,
        isSelf: context.isSelf,
      })
      if (action === 'create' && attachment.has_content && attachment.sha256 !== null) {
        contents.set(attachment.sha256, attachment.byte_count ?? 0)
      }
      return toPlannedRecord(seq, action, {
        losses: action === 'create' ? losses : action === 'not_imported' && refused !== null ? [refused] : [],
        planned: { ...attachment, ...decided.place },
        id: attachment.id,
      })
    })
  })
  await requireRoom(db, claim.projectId, contents)
}

function chooseAction(
  decided: PlaceDecision['action'],
  { isHere, isRefused, isSelf }: { isHere: boolean; isRefused: boolean; isSelf: boolean },
): 'create' | 'unchanged' | 'deleted_here' | 'not_imported' {
  if (decided === 'deleted_here') return 'deleted_here'
  if (isHere) return 'unchanged'
  if (isRefused) return 'not_imported'
  return isSelf ? 'deleted_here' : 'create'
}

/** Why the bundle cannot give an attachment; null if it can. */
function findRefusal(
  record: StagedAttachment,
  { hasContent, isRemoved, isTooLarge }: { hasContent: boolean; isRemoved: boolean; isTooLarge: boolean },
): string | null {
  if (hasContent) return isTooLarge ? 'attachment_too_large' : null
  const isName = record.case === null && record.run !== null && (isRemoved || record.is_waiting === true)
  return isName ? null : 'attachment_without_content'
}

function toPlanned(
  record: StagedAttachment,
  located: LocatedAttachment,
  projectId: string,
  { source, people, isSelf, importedAt, fileLimitBytes, tests }: Context,
): { attachment: PlannedAttachment; losses: string[]; refusal: string | null } {
  const { key, created_by: createdBy = '', step = null, sha256 = null, byte_count: bytes = null } = record
  const losses = people.isImported(createdBy) ? ['attachment_author_unknown'] : []
  const createdAt = readPastTime(record.created_at, importedAt, losses)
  // Tools do not tell the times of pictures.
  if (createdAt === null && record.created_at !== '') losses.push('time_missing')
  const removedAt = readTime(record.removed_at ?? '')
  const isSize = bytes !== null && Number.isSafeInteger(bytes) && bytes >= 0
  const isStep = step !== null && Number.isInteger(step) && step >= 1 && step <= MAX_STEPS
  const { test = null, attempt = null, place = null, result = null } = record
  const isPlace = place !== null && result !== null && Number.isInteger(place) && place >= 1 && place <= MAX_PLACE
  const isAttempt = attempt !== null && Number.isInteger(attempt) && attempt >= 1 && attempt <= MAX_ATTEMPT
  const hasContent = record.is_in_file === true && removedAt === null
  const isTooLarge = isSize && bytes > fileLimitBytes
  const refusal = findRefusal(record, { hasContent, isRemoved: removedAt !== null, isTooLarge })
  return {
    attachment: {
      id: isSelf ? key : toAttachmentId(projectId, source, key),
      case_digest: null,
      run_id: null,
      name: cutText(toStoredName(record.name ?? '', 'file'), MAX_NAME),
      step: isStep ? step : null,
      place: isPlace ? place : null,
      test,
      attempt: isAttempt ? attempt : null,
      source: record.source ?? null,
      comment_id: located?.comment_id ?? null,
      created_by: people.find(createdBy),
      created_at: createdAt ?? importedAt.toISOString(),
      sha256,
      byte_count: isSize ? bytes : null,
      is_trace: record.is_trace === true,
      has_content: hasContent,
      removed_at: removedAt?.toISOString() ?? null,
    },
    losses,
    refusal: test !== null && !hasTest(tests.get(test)?.action) ? 'not_imported:attachment' : refusal,
  }
}

/** Which of these attachments are here. */
async function selectExisting(db: Database, projectId: string, ids: readonly string[]): Promise<ReadonlySet<string>> {
  const list = sql`${[...ids]}::text[]`
  const { rows } = await sql<{ id: string }>`
    select id from case_attachments where project_id = ${projectId} and id::text = any(${list})
    union all select id from run_attachments where project_id = ${projectId} and id::text = any(${list})`.execute(db)
  return new Set(rows.map(({ id }) => id))
}

/** Better now than in the middle of the import. */
async function requireRoom(db: Database, projectId: string, contents: ReadonlyMap<string, number>): Promise<void> {
  if (contents.size === 0) return
  const found = await selectFileQuota(db, projectId)
  if (found === null) return
  const { rows } = await sql<{ digest: string }>`
    select encode(digest, 'hex') as digest from files
    where project_id = ${projectId} and digest = any(
      array(select decode(hex, 'hex') from unnest(${[...contents.keys()]}::text[]) hex)
    )`.execute(db)
  const here = new Set(rows.map(({ digest }) => digest))
  const added = [...contents].reduce((sum, [digest, bytes]) => sum + (here.has(digest) ? 0 : bytes), 0)
  if (found.used + added <= found.quota) return
  const toMegabytes = (bytes: number) => Math.ceil(bytes / 2 ** 20).toLocaleString('en')
  throw new ImportFailure(
    'quota_reached',
    `The files of the project can take ${toMegabytes(found.quota)} MB, and take ${toMegabytes(found.used)} MB. The bundle has ${toMegabytes(added)} MB more. Ask an admin of the service for a higher limit, and resume the import.`,
  )
}
