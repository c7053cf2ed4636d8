import { toStoredJson } from '@caseward/importers/stored-json'
import type { ProjectRef } from '../../access/project-cache.ts'
import { type Database, hasCitus } from '../../platform/database/connect.ts'
import { transactionWithRowMutex } from '../../platform/database/row-mutex.ts'
import type { AuditActor } from '../audit/record-audit.ts'
import type { CaseAuthor } from '../case-versions/case-author.ts'
import { invalidateOpenEvaluations } from '../evaluation/evaluated-run.queries.ts'
import { readFields } from '../fields/project-fields.ts'
import { insertImportedPeople } from '../imported-people/imported-people.queries.ts'
import { requireRole } from '../members/require-role.ts'
import { requireLockedProject } from '../projects/require-locked-project.ts'
import { applyCases } from './apply-cases.ts'
import { applyAttachments } from './apply-attachments.ts'
import { applyCaseVersions } from './apply-case-versions.ts'
import { applyComments } from './apply-comments.ts'
import { applyFields } from './apply-fields.ts'
import { applyOwnConfigurations } from './apply-own-configurations.ts'
import { applyOwnFields } from './apply-own-fields.ts'
import { applyFolders } from './apply-folders.ts'
import { applyLeftOut } from './apply-left-out.ts'
import { applyMerges } from './merged-cases.queries.ts'
import { applyMilestones } from './apply-milestones.ts'
import { applyPlainResults, type WrittenResults } from './apply-plain-results.ts'
import { applyResults } from './apply-results.ts'
import { applySharedSteps, applySharedStepVersions } from './apply-shared-steps.ts'
import { applyQuarantines } from './apply-quarantines.ts'
import { applySuiteErrors } from './apply-suite-errors.ts'
import { applyTestOutcomes } from './apply-test-outcomes.ts'
import { applyTests } from './apply-tests.ts'
import { applyRuns, finishRuns, linkReruns } from './apply-runs.ts'
import { countActions, countWaiting } from './import-records.queries.ts'
import type { ImportWork } from './import-work.ts'
import { listLosses } from './list-losses.ts'
import { type ImportRow, updateImport } from './imports.queries.ts'
import type { StoreDeps } from './store-contents.ts'
import { resolvePeople } from './resolve-people.ts'
import { resolveMapping } from './plan-mapping.ts'
import { proveImport } from './prove-import.ts'

/** Who applies an import, for versions and the audit log. */
export function getImportAuthor({ applied_by: userId }: ImportRow): { author: CaseAuthor; actor: AuditActor } {
  return {
    author: { userId, tokenId: null, via: 'import', summary: null },
    actor: { kind: 'user', userId, tokenId: null, address: null },
  }
}

/**
 * Applies the plan of an import, in batches that are a transaction each. Begun again, it goes on with the first record that is
 * not done.
 */
export async function applyImport(
  deps: StoreDeps,
  work: ImportWork,
  project: ProjectRef,
  row: ImportRow,
): Promise<void> {
  const { db } = deps
  const { claim } = work
  const { reading, planning, system, source: sourceName, format, planned_at: plannedAt } = row
  if (
    reading === null ||
    planning === null ||
    system === null ||
    sourceName === null ||
    format === null ||
    plannedAt === null
  ) {
    throw new Error('The import has no plan')
  }
  const { author, actor } = getImportAuthor(row)
  if (planning.needs_settings) {
    await requireRole(db, { projectId: project.id, userId: author.userId ?? '' }, 'project:settings')
    const fields = await readFields(db, project.id)
    const mapping = resolveMapping(reading, row.settings, { system, fields, canCreate: true })
    await applyFields(db, actor, project.id, mapping)
    await applyOwnFields(db, actor, claim)
  }
  const source = { system, source: sourceName }
  await applyPeople(db, work, { source, words: reading.people ?? [] })
  const { all, waiting } = await countWaiting(db, claim)
  let done = all - waiting
  const inBatch = async <T>(stage: string, apply: (tx: Database, locked: LockedProject) => Promise<T>) =>
    await transactionWithRowMutex(db, project.id, async (tx) => {
      const locked = await requireLockedProject(tx, project.id)
      await work.keep(tx, { stage, done, total: all })
      return await apply(tx, locked)
    })
  const inBatches = async (stage: string, apply: (tx: Database, locked: LockedProject) => Promise<number>) => {
    for (;;) {
      const count = await inBatch(stage, apply)
      if (count === 0) return
      done += count
    }
  }
  await inBatches('folders', (tx) => applyFolders(tx, claim, { source, format }))
  await inBatches('shared steps', (tx) => applySharedSteps(tx, claim, { source, format }))
  await inBatches('shared steps', (tx) => applySharedStepVersions(tx, claim))
  await inBatches('cases', (tx, { fields_version: fieldsVersion, last_test_case_number: lastNumber }) =>
    applyCases(tx, { claim, project, source, format, author, actor, fieldsVersion, lastNumber }),
  )
  await inBatches('cases', (tx) => applyCaseVersions(tx, claim, { source }))
  await work.keep(db, { stage: 'cases', done, total: all })
  await applyMerges(db, claim, source)
  await inBatches('configurations', (tx) => applyOwnConfigurations(tx, claim, { source, format, actor }))
  await inBatches('milestones', (tx) => applyMilestones(tx, claim, { source, format }))
  await inBatches('runs', (tx) => applyRuns(tx, claim, { source, format }))
  await linkReruns(db, claim, source)
  // Citus executes no statement that writes with new ids into one table and updates another.
  const plain = { source, plannedAt, after: hasCitus(db) ? null : 0 }
  while (plain.after !== null) {
    const options = { ...plain, after: plain.after }
    const { written, last }: WrittenResults = await inBatch('results', (tx) => applyPlainResults(tx, claim, options))
    done += written
    plain.after = last
  }
  await inBatches('results', (tx) => applyResults(tx, claim, { source, userId: author.userId, plannedAt }))
  await inBatches('tests', (tx) => applyTests(tx, claim, { source }))
  await inBatches('tests', (tx) => applyTestOutcomes(tx, claim))
  await inBatches('tests', (tx) => applySuiteErrors(tx, claim))
  await inBatches('quarantines', (tx) => applyQuarantines(tx, claim, { actor }))
  // Afterwards, as when somebody quarantines a test here.
  if (reading.counts.some(({ kind }) => kind === 'quarantine')) await invalidateOpenEvaluations(db, project.id)
  await inBatches('comments', (tx) => applyComments(tx, claim, { source }))
  done = await applyAttachments(deps, work, { source, total: all, done })
  await inBatches('tests', (tx) => applyLeftOut(tx, claim))
  const proof = await proveImport(db, claim, reading)
  const actions = await countActions(db, claim)
  // What was changed or deleted here since the plan loses more.
  const losses = await listLosses(db, claim, reading)
  await db.transaction().execute(async (tx) => {
    await work.keep(tx, null)
    await finishRuns(tx, claim, source)
    await updateImport(tx, project.id, claim.id, {
      state: proof.is_equal ? 'done' : 'differs',
      proof,
      planning: { ...planning, actions, losses },
      progress: null,
      applied_at: new Date(),
    })
  })
}

/** Creates the people that results and runs name, before these. */
async function applyPeople(
  db: Database,
  work: ImportWork,
  { source, words }: Parameters<typeof resolvePeople>[2],
): Promise<void> {
  const { projectId, id: importId } = work.claim
  const { imported } = await resolvePeople(db, work.claim, { source, words })
  if (imported.length === 0) return
  await db.transaction().execute(async (tx) => {
    await work.keep(tx, null)
    await insertImportedPeople(tx, projectId, { ...source, importId }, toStoredJson(imported))
  })
}

type LockedProject = Awaited<ReturnType<typeof requireLockedProject>>
