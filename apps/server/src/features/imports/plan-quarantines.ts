import {
  MAX_BRANCH_PATTERNS,
  MAX_QUARANTINE_DAYS,
  MAX_QUARANTINE_DAYS_AHEAD,
  MAX_REASON_LENGTH,
} from '@caseward/contract/quarantines'
import type { QuarantineRecord } from '@caseward/importers/records'
import { readTime } from '@caseward/importers/steps/read-time'
import { cutText } from '@caseward/matching/note'
import { sql } from 'kysely'

import type { Database } from '../../platform/database/connect.ts'
import { deriveKeyedId } from './derive-id.ts'
import type { HistoryContext } from './history-context.ts'
import type { PlannedRecord } from './import-records.queries.ts'
import type { ImportWork } from './import-work.ts'
import { planPages, toPlannedRecord } from './plan-pages.ts'
import { readPastTime } from './past-time.ts'
import { isPossibleAddress } from './plan-links.ts'
import type { TestActions } from './plan-tests.ts'
import { isAddress } from '@caseward/importers/read-statistics'

/** A quarantine as it is stored. */
export interface PlannedQuarantine {
  id: string
  /** The key of its test. */
  test: string
  reason: string
  owner_id: string | null
  link: string | null
  branches: string[]
  is_automatic: boolean
  created_by: string | null
  created_at: string
  expires_at: string
  /** Null while it is in effect. */
  ended_at: string | null
  ended_by: string | null
  end_reason: string | null
}

type Context = Pick<HistoryContext, 'source' | 'people' | 'isSelf' | 'importedAt'> & { tests: TestActions }

const PAGE = 500
const DAY_MS = 86_400_000
const MAX_BRANCH = 255
const LOSS = 'not_imported:quarantine'

/** Plans quarantines. Their ids follow from those in the source, so that they are found again. */
export async function planQuarantines(db: Database, work: ImportWork, context: Context): Promise<void> {
  const { claim } = work
  const seen = new Set<string>()
  await planPages<QuarantineRecord>(db, work, { kind: 'quarantine', limit: PAGE }, async (rows) => {
    const items = rows.map(({ seq, record }) => ({ seq, record, ...toPlanned(record, claim.projectId, context) }))
    const existing = await selectExisting(
      db,
      claim.projectId,
      items.map(({ quarantine }) => quarantine.id),
    )
    return items.map(({ seq, record, quarantine, losses, isPossible }): PlannedRecord => {
      const action = decide(context.tests.get(record.test)?.action, {
        isHere: existing.has(quarantine.id),
        isPossible: isPossible && !seen.has(quarantine.id),
        isSelf: context.isSelf,
      })
      seen.add(quarantine.id)
      return toPlannedRecord(seq, action, {
        losses: action === 'create' ? losses : action === 'not_imported' ? [LOSS] : [],
        planned: quarantine,
        id: quarantine.id,
      })
    })
  })
}

function decide(
  test: PlannedRecord['action'] | undefined,
  { isHere, isPossible, isSelf }: { isHere: boolean; isPossible: boolean; isSelf: boolean },
): 'create' | 'unchanged' | 'deleted_here' | 'not_imported' {
  if (isHere) return 'unchanged'
  if (test === 'deleted_here') return 'deleted_here'
  if (test === undefined || test === 'not_imported' || !isPossible) return 'not_imported'
  return isSelf ? 'deleted_here' : 'create'
}

function toPlanned(
  record: QuarantineRecord,
  projectId: string,
  { source, people, isSelf, importedAt }: Context,
): { quarantine: PlannedQuarantine; losses: string[]; isPossible: boolean } {
  const losses: string[] = []
  const toText = (text: string) => {
    const clean = text.toWellFormed().replaceAll('\u0000', '')
    const cut = cutText(clean, MAX_REASON_LENGTH)
    if (cut !== clean) losses.push('text_cut')
    return cut
  }
  const findUser = (person: string) => {
    const user = people.findUser(person)
    if (person !== '' && user === null) losses.push('quarantine_person_unknown')
    return user
  }
  const reason = toText(record.reason)
  const sentAt = readPastTime(record.created_at, importedAt, losses)
  if (sentAt === null) losses.push('time_missing')
  const createdAt = sentAt ?? importedAt.toISOString()
  const end = limitEnd(readTime(record.expires_at), new Date(createdAt), importedAt)
  if (end.isCut) losses.push('quarantine_shortened')
  const isOver = end.at <= importedAt
  const endedAt = readPastTime(record.ended_at, importedAt, losses) ?? (isOver ? end.at.toISOString() : null)
  const branches = record.branches.filter((branch) => branch.trim() !== '' && branch.length <= MAX_BRANCH)
  const isLink = record.link !== null && isAddress(record.link) && isPossibleAddress(record.link)
  if (record.link !== null && !isLink) losses.push('not_imported:links_of_quarantines')
  return {
    quarantine: {
      id: isSelf ? record.key : deriveKeyedId([projectId, source.system, source.source, 'quarantine'], record.key),
      test: record.test,
      reason,
      owner_id: findUser(record.owner),
      link: isLink ? record.link : null,
      branches,
      is_automatic: record.is_automatic,
      created_by: findUser(record.created_by),
      created_at: createdAt,
      expires_at: end.at.toISOString(),
      ended_at: endedAt,
      ended_by: endedAt === null ? null : findUser(record.ended_by),
      end_reason: endedAt === null || record.end_reason === null ? null : toText(record.end_reason),
    },
    losses: [...new Set(losses)],
    // Without one of its branches, it would hold in others, or in all.
    isPossible:
      reason.trim() !== '' && branches.length === record.branches.length && branches.length <= MAX_BRANCH_PATTERNS,
  }
}

/** A file cannot excuse failures for longer than a member can. */
function limitEnd(sent: Date | null, createdAt: Date, importedAt: Date): { at: Date; isCut: boolean } {
  const latest = new Date(
    Math.min(
      createdAt.getTime() + MAX_QUARANTINE_DAYS * DAY_MS,
      importedAt.getTime() + MAX_QUARANTINE_DAYS_AHEAD * DAY_MS,
    ),
  )
  // The clocks of two servers differ a little, and days are counted from the time of a client.
  const isCut = sent === null || sent.getTime() > latest.getTime() + TOLERANCE_MS
  return { at: isCut ? (sent === null ? createdAt : latest) : sent, isCut }
}

const TOLERANCE_MS = 60 * 60 * 1000

async function selectExisting(db: Database, projectId: string, ids: readonly string[]): Promise<ReadonlySet<string>> {
  const { rows } = await sql<{ id: string }>`
    select id from quarantines where project_id = ${projectId} and id::text = any(${[...ids]}::text[])`.execute(db)
  return new Set(rows.map(({ id }) => id))
}
