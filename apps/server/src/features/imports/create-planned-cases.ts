import { isAliasSystem, toAliasLookup } from '@caseward/matching/aliases'

import type { Database } from '../../platform/database/connect.ts'
import { addAliasSource, insertAliases } from '../case-aliases/case-aliases.queries.ts'
import type { ProjectFields } from '../fields/field-definitions.ts'
import { checkNewValues } from '../fields/require-values.ts'
import { saveUsesOfNew } from '../shared-steps/resolve-steps.ts'
import { lockTestCases } from '../test-cases/change-test-cases.ts'
import { insertTestCases } from '../test-cases/create-test-cases.ts'
import { setArchived } from '../test-cases/set-archived.ts'
import { toNewTestCase } from '../test-cases/test-case-fields.ts'
import type { Applied, ApplyContext } from './apply-context.ts'
import { toTexts } from './compare-case.ts'
import { digestTexts } from './compare-texts.ts'
import type { WaitingRecord } from './import-records.queries.ts'
import type { WaitingCase } from './plan-case.ts'
import { keepNumbers, saveOwnValues } from './save-own-values.ts'
import { adaptStepGroups, toStoredSteps } from './planned-step-groups.ts'
import { adaptPlanned, addPlannedLinks, toSentValues } from './planned-values.ts'
import { type Source, toKeyDigest } from './source-links.queries.ts'

/** Creates the test cases of a plan, in their order. The caller holds the lock on the project. */
export async function createPlannedCases(
  tx: Database,
  { project, source, author, format, claim, lastNumber }: ApplyContext,
  fields: ProjectFields,
  records: readonly WaitingRecord<WaitingCase>[],
): Promise<Applied> {
  if (records.length === 0) return { done: [], links: [] }
  await adaptPlanned(tx, project.id, fields, records)
  await adaptStepGroups(tx, project.id, records)
  const stored = records.map(({ planned }) => toStoredSteps(planned))
  const values = await readValues(tx, project.id, fields, records)
  const items = records.map(({ planned }, index) => {
    const { title, folder_id, priority, type, template, precondition, expected_result, tags, owner_id } = planned
    const { estimate, automation_keys } = planned
    const body = { title, folder_id, priority, type, template, precondition, expected_result, tags, owner_id, estimate }
    return toNewTestCase({ ...body, automation_keys }, `/${index}`, {
      values: values[index] ?? null,
      steps: stored[index],
    })
  })
  const { rows } = await insertTestCases(tx, project.id, author.userId, items, {
    fieldsVersion: fields.version,
    ...keepNumbers(records, lastNumber),
  })
  const written = records.map((record, index) => {
    const number = rows[index]?.number
    if (number === undefined) throw new Error('A planned test case was not created')
    return { number, record, planned: record.planned }
  })
  await saveUsesOfNew(
    tx,
    project.id,
    written.map(({ number }) => number),
    stored,
  )
  await archiveNew(tx, { project, author }, written)
  await addPlannedLinks(tx, project.id, author.userId, written)
  await addAliases(tx, project.id, source, written)
  await saveOwnValues(tx, project.id, claim, written)
  return {
    done: written.map(({ number, record: { seq, losses } }) => ({
      seq,
      action: 'create',
      target: String(number),
      losses: [...new Set(losses)],
    })),
    links: written.map(({ number, planned }) => ({
      key_digest: toKeyDigest(planned.source_key),
      key: planned.source_key,
      target: String(number),
      format,
      raw_digest: planned.raw_digest,
      field_digests: digestTexts(toTexts(planned)),
      details: planned.details,
    })),
  }
}

/** Values of fields, without those that the fields do not allow. */
async function readValues(
  tx: Database,
  projectId: string,
  fields: ProjectFields,
  records: readonly WaitingRecord<WaitingCase>[],
) {
  const check = () =>
    checkNewValues(
      tx,
      projectId,
      fields,
      records.map(({ planned }) => ({ fields: toSentValues(fields, planned) })),
      (index) => `/${index}`,
      { isAutomatic: true, isExact: records[0]?.planned.own?.is_exact === true },
    )
  const first = await check()
  if (first.errors.length === 0) return first.values
  for (const { path } of first.errors) {
    const [, index = '', , key = ''] = path.split('/')
    const record = records[Number(index)]
    if (record === undefined) continue
    const wrong = key === '' ? Object.keys(record.planned.fields) : [key]
    for (const name of wrong) {
      const { [name]: value, ...rest } = record.planned.fields
      if (value !== undefined) record.planned.details[name] = value
      record.planned.fields = rest
    }
    record.losses.push('field_in_details')
  }
  return (await check()).values
}

/** Results go on finding the test cases by the ids that they had, unless another one has the id here. */
async function addAliases(
  tx: Database,
  projectId: string,
  { system, source }: Source,
  written: readonly { number: number; record: WaitingRecord<WaitingCase>; planned: WaitingCase }[],
): Promise<void> {
  if (!isAliasSystem(system)) return
  const aliases = written.flatMap(({ number, planned: { source_id: key } }) => {
    const lookup = key === null ? null : toAliasLookup(system, key)
    return key === null || lookup === null ? [] : [{ number, system, source, key, lookup }]
  })
  if (aliases.length === 0) return
  const added = new Set((await insertAliases(tx, projectId, aliases)).map(({ number }) => number))
  const refused = new Set(aliases.flatMap(({ number }) => (added.has(number) ? [] : [number])))
  for (const { number, record } of written) if (refused.has(number)) record.losses.push('alias_taken')
  await addAliasSource(tx, projectId, { system, source })
}

async function archiveNew(
  tx: Database,
  { project, author }: Pick<ApplyContext, 'project' | 'author'>,
  written: readonly { number: number; planned: WaitingCase }[],
): Promise<void> {
  const numbers = written.filter(({ planned }) => planned.archived).map(({ number }) => number)
  if (numbers.length === 0) return
  const stored = await lockTestCases(tx, project.id, numbers)
  await setArchived(tx, project, author, stored, new Map(numbers.map((number) => [number, true])), {
    keepsVersion: true,
  })
}
