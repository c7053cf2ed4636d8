import { hash } from 'node:crypto'

import { ABSENT_CHOICES } from '@caseward/contract/import-settings'
import { DATE_ORDERS } from '@caseward/importers/steps/date-orders'

import type { ImportPlanning, ImportReading } from './import-summary.ts'
import { checkRole } from '../../access/permissions.ts'
import type { Database } from '../../platform/database/connect.ts'
import { readFields } from '../fields/project-fields.ts'
import { selectMember } from '../members/members.queries.ts'
import { createDateReader, DEFAULT_TIME_ZONE } from './date-reader.ts'
import { countActions, leaveOutRecords } from './import-records.queries.ts'
import { listLosses } from './list-losses.ts'
import { planPlaced } from './plan-placed.ts'
import type { ImportWork } from './import-work.ts'
import { type ImportRow, updateImport } from './imports.queries.ts'
import { deleteAbsent, planAbsent } from './plan-absent.ts'
import { createAttachmentMap } from './plan-attachments.ts'
import { planCases, type SelfProject } from './plan-cases.ts'
import { type HistoryLimits, planHistory } from './plan-history.ts'
import { planMerges } from './merged-cases.queries.ts'
import { planPeople, resolvePeople } from './resolve-people.ts'
import { planOwnConfigurations } from './plan-own-configurations.ts'
import { planSharedSteps, type SharedTargets } from './plan-shared-steps.ts'
import { withWholeJoins } from './whole-joins.ts'
import { planFolders } from './plan-folders.ts'
import { type Mapping, resolveMapping } from './plan-mapping.ts'
import { planOwnFields } from './plan-own-fields.ts'
import { countLinks, type Source } from './source-links.queries.ts'

/** What this service has no way to import yet. It is counted and shown, never dropped silently. People are matched with history. */
export const LEFT_OUT_KINDS = ['plan', 'relation'] as const

/** Plans what applying an import does. Nothing in the project changes. */
export async function planImport(
  db: Database,
  work: ImportWork,
  row: ImportRow,
  { runRetentionDays, fileLimitBytes }: HistoryLimits & { fileLimitBytes: number },
): Promise<void> {
  const { projectId, id } = work.claim
  const { reading, system, format } = row
  if (reading === null || system === null || format === null) throw new Error('The import was not read')
  const source: Source = { system, source: row.settings.source ?? row.source ?? system }
  const canCreate = await canChangeSettings(db, projectId, row.applied_by)
  const fields = await readFields(db, projectId)
  const named = system === 'caseward' ? await selectPeople(db, projectId) : []
  const mapping = resolveMapping(reading, row.settings, { system, fields, canCreate, people: named })
  const restoresDeleted = row.settings.restores_deleted === true
  const ownFields = await planOwnFields(db, work, { canCreate })
  const self = await selectSelf(db, projectId, reading)
  const folders = await planFolders(db, work, source, { isSelf: self.isSource, format, restoresDeleted })
  const people = await resolvePeople(db, work.claim, { source, words: reading.people ?? [] })
  await withWholeJoins(db, (tx) => planPeople(tx, work.claim, people))
  const context = { source, people, isSelf: self.isSource, importedAt: row.created_at }
  // Other tools have the steps in each test case, too.
  const isBundle = format === 'caseward-bundle'
  const sharedSteps: SharedTargets = isBundle ? await planSharedSteps(db, work, context) : new Map()
  const mapAttachment = await createAttachmentMap(db, work, context)
  const plan = {
    source,
    format,
    mapping,
    reading,
    folders,
    ownFields,
    sharedSteps,
    self,
    restoresDeleted,
    mapAttachment,
  }
  await deleteAbsent(db, work.claim)
  const { linkedCount, similar } = await planCases(db, work, plan)
  const { absent = 'keep' } = row.settings
  if (absent !== 'keep') await planAbsent(db, work, { source, absent })
  if (isBundle) await planMerges(db, work.claim)
  const { targets: configurations, needsSettings } = isBundle
    ? await planOwnConfigurations(db, work, { ...context, canCreate })
    : { targets: new Map<string, string>(), needsSettings: false }
  const dates = createDateReader(reading, row.settings)
  const history = { ...context, dates, format, configurations, ownFields, mapping, reading, runRetentionDays }
  const runs = await planHistory(db, work, history)
  await leaveOutRecords(
    db,
    work.claim,
    isBundle ? LEFT_OUT_KINDS : [...LEFT_OUT_KINDS, 'shared_steps', 'configuration'],
  )
  if (isBundle || reading.counts.some(({ kind }) => kind === 'attachment'))
    await planPlaced(db, work, {
      ...context,
      fileLimitBytes,
      runs,
      folders,
      ownFields,
      sharedSteps,
      duplicateKeys: reading.duplicateKeys,
    })
  const absentCount = Math.max(0, (await countLinks(db, projectId, source)) - linkedCount)
  const planning: ImportPlanning = {
    actions: await countActions(db, work.claim),
    losses: await listLosses(db, work.claim, reading),
    fields: mapping.shownFields,
    values: mapping.shownValues,
    questions: listQuestions(reading, row, mapping, absentCount),
    needs_settings: mapping.needsSettings || ownFields.needsSettings || needsSettings,
    absent: absentCount,
    similar,
  }
  await updateImport(db, projectId, id, {
    state: 'planned',
    source: source.source,
    planning,
    progress: null,
    planned_at: new Date(),
    plan: hash('sha256', JSON.stringify([id, Date.now(), mapping.signature, planning.actions]), 'hex').slice(0, 32),
  })
}

async function selectSelf(db: Database, projectId: string, { own }: ImportReading): Promise<SelfProject> {
  const { prefix, last_test_case_number: lastNumber } = await db
    .selectFrom('projects')
    .select(['prefix', 'last_test_case_number'])
    .where('id', '=', projectId)
    .executeTakeFirstOrThrow()
  return { prefix, lastNumber, isSource: own?.projectId === projectId }
}

/** Admins and members, whom sheets of Caseward name. */
async function selectPeople(db: Database, projectId: string): Promise<{ id: string; name: string }[]> {
  return await db
    .selectFrom('memberships as m')
    .innerJoin('users as u', 'u.id', 'm.user_id')
    .select(['u.id', 'u.name'])
    .where('m.project_id', '=', projectId)
    .where('m.role', '<>', 'viewer')
    .execute()
}

async function canChangeSettings(db: Database, projectId: string, userId: string | null): Promise<boolean> {
  const member = userId === null ? undefined : await selectMember(db, projectId, userId)
  return checkRole(member?.role, 'project:settings') === null
}

function listQuestions(
  reading: ImportReading,
  { settings }: ImportRow,
  mapping: Mapping,
  absentCount: number,
): ImportPlanning['questions'] {
  const questions: ImportPlanning['questions'] = reading.questions.map((question) => ({
    ...question,
    answer:
      (question.id === 'encoding' ? settings.encoding : question.id === 'project' ? settings.project : null) ?? null,
  }))
  for (const { field, from, to, is_known: isKnown } of mapping.shownValues) {
    if (isKnown) continue
    questions.push({
      id: `${field}:${from}`,
      sentence: `What does the ${field} "${from}" become?`,
      options: [],
      default: to,
      answer: null,
    })
  }
  const { assumed = null, sample = '' } = reading.dates ?? {}
  if (assumed !== null) {
    questions.push({
      id: 'date_order',
      sentence: `Which number of dates such as "${sample}" is the day?`,
      options: [...DATE_ORDERS],
      default: assumed,
      answer: settings.date_order ?? null,
    })
  }
  if ((reading.local_time ?? null) !== null) {
    questions.push({
      id: 'time_zone',
      sentence: `In which time zone are times such as "${reading.local_time}"?`,
      options: [],
      default: DEFAULT_TIME_ZONE,
      answer: settings.time_zone ?? null,
    })
  }
  if (absentCount > 0) {
    questions.push({
      id: 'absent',
      sentence: 'What happens to test cases of earlier imports that are not in this file?',
      options: [...ABSENT_CHOICES],
      default: 'keep',
      answer: settings.absent ?? null,
    })
  }
  if (reading.issueIdCount > 0 || (reading.defectIdCount ?? 0) > 0) {
    questions.push({
      id: 'id_pattern',
      sentence: 'At which address are the issues that test cases and results refer to? Write {id} for the id.',
      options: [],
      default: '',
      answer: settings.id_pattern ?? null,
    })
  }
  return questions
}
