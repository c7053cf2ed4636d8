import { DEFAULT_QUARANTINE_DAYS } from '@caseward/contract/quarantines'
import { sql } from 'kysely'
import { v7 as uuidv7 } from 'uuid'

import type { Database } from '../../platform/database/connect.ts'
import { enqueueMail } from '../../platform/jobs/mail-jobs.ts'
import { recordAudits, SYSTEM_ACTOR } from '../audit/record-audit.ts'
import { limitMail } from './limit-mail.ts'
import { insertQuarantines, selectQuarantinedTests } from './quarantines.queries.ts'

const DAY_MS = 86_400_000
/** Automatic quarantines that every project can have. */
const MIN_LIMIT = 5
/** Larger projects can have this share of the tests that were executed in the last days. */
const LIMIT_SHARE = 0.01
const SEEN_DAYS = 7
/** A test that became flaky that long ago is not quarantined again. */
const RECENT_DAYS = 90

/** A test that has become flaky. */
export interface FlakyTest {
  id: string
  /** When it became flaky. */
  since: Date
  flakeCommits: number
  commits: number
}

/**
 * Quarantines tests that have become flaky, if the project wants that, the flakiest first. More than the limit stay as they are,
 * and the admins get one email: so many flaky tests have a cause that somebody should look for.
 * @returns the tests that were quarantined
 */
export async function quarantineAutomatically(
  tx: Database,
  projectId: string,
  tests: readonly FlakyTest[],
): Promise<string[]> {
  const settings = tests.length === 0 ? undefined : await selectSettings(tx, projectId)
  if (settings === undefined) return []
  const entries = tests
    .filter(({ id, since }) => !settings.quarantined.some((entry) => entry.test_id === id && isLater(entry, since)))
    .map(({ id, flakeCommits, commits }) => ({
      id: uuidv7(),
      testId: id,
      reason: `Became flaky: it passed and failed on ${flakeCommits} of ${commits} commits.`,
    }))
  const room = Math.max(0, (await computeLimit(tx, projectId)) - settings.automatic_count)
  const added = entries.slice(0, room)
  if (entries.length > room) await announceLimit(tx, projectId)
  if (added.length === 0) return []
  const expiresAt = new Date(Date.now() + DEFAULT_QUARANTINE_DAYS * DAY_MS)
  const skipped = await insertQuarantines(tx, projectId, added, {
    ownerId: settings.owner_id,
    createdBy: null,
    link: null,
    branches: [],
    expiresAt,
    isAutomatic: true,
  })
  const stored = added.filter(({ testId }) => !skipped.has(testId))
  const named = await selectQuarantinedTests(
    tx,
    { id: projectId, prefix: '' },
    stored.map(({ testId }) => testId),
  )
  await recordAudits(
    tx,
    SYSTEM_ACTOR,
    stored.map(({ id, testId, reason }) => ({
      action: 'quarantine.add',
      subject: { kind: 'quarantine', id, name: named.get(testId)?.name ?? '' },
      projectId,
      detail: { test_id: testId, reason, owner_id: settings.owner_id, expires_at: expiresAt },
    })),
  )
  return stored.map(({ testId }) => testId)
}

interface Settings {
  owner_id: string | null
  automatic_count: number
  /** Entries that have not ended, and recent ones that have: what a user has ended does not come back at once. */
  quarantined: { test_id: string; created_at: string; is_open: boolean }[]
}

const isLater = ({ created_at: at, is_open: isOpen }: Settings['quarantined'][number], since: Date): boolean =>
  isOpen || Date.parse(at) >= since.getTime()

/** Returns undefined when the project does not quarantine tests by itself. */
async function selectSettings(tx: Database, projectId: string): Promise<Settings | undefined> {
  const { rows } = await sql<Settings>`
    select p.auto_quarantine_owner_id as owner_id,
      (
        select count(*)::int from quarantines q
        where q.project_id = p.id and q.ended_at is null and q.expires_at > now() and q.is_automatic
      ) as automatic_count,
      (
        select coalesce(json_agg(json_build_object(
          'test_id', q.test_id, 'created_at', q.created_at, 'is_open', q.ended_at is null
        )), '[]')
        from quarantines q
        where q.project_id = p.id and (q.ended_at is null or q.created_at > now() - make_interval(days => ${sql.lit(RECENT_DAYS)}))
      ) as quarantined
    from projects p where p.id = ${projectId} and p.auto_quarantine`.execute(tx)
  return rows[0]
}

/** Computes how many automatic quarantines the project can have at a time. */
async function computeLimit(tx: Database, projectId: string): Promise<number> {
  const { rows } = await sql<{ count: number }>`
    select count(*)::int as count from tests
    where project_id = ${projectId} and last_seen_on >= (now() at time zone 'utc')::date - ${sql.lit(SEEN_DAYS)}::int`.execute(
    tx,
  )
  return Math.max(MIN_LIMIT, Math.floor(LIMIT_SHARE * (rows[0]?.count ?? 0)))
}

/** Tells the admins, unless they were told since the project was last below the limit. */
async function announceLimit(tx: Database, projectId: string): Promise<void> {
  const { rows } = await sql`
    update projects set auto_quarantine_limited_at = now()
    where id = ${projectId} and auto_quarantine_limited_at is null returning id`.execute(tx)
  if (rows.length === 0) return
  const admins = await sql<{ user_id: string }>`
    select user_id from memberships where project_id = ${projectId} and role = 'admin' order by user_id`.execute(tx)
  for (const { user_id: userId } of admins.rows) await enqueueMail(tx, limitMail, `${projectId} ${userId}`)
}

/** Forgets that the admins were told, when the project is below the limit again. */
export async function forgetLimit(tx: Database, projectId: string): Promise<void> {
  const settings = await selectSettings(tx, projectId)
  if (settings !== undefined && settings.automatic_count >= (await computeLimit(tx, projectId))) return
  await sql`
    update projects set auto_quarantine_limited_at = null
    where id = ${projectId} and auto_quarantine_limited_at is not null`.execute(tx)
}
