import { MAX_OPTIONS } from '@caseward/contract/field-values'

import type { Database } from '../../platform/database/connect.ts'
import { Problem } from '../../platform/http/problems.ts'
import type { AuditActor } from '../audit/record-audit.ts'
import { createField, updateField } from '../fields/change-fields.ts'
import type { FieldDefinition, ProjectFields } from '../fields/field-definitions.ts'
import { suggestKey } from '../fields/named-options.ts'
import { readFields } from '../fields/project-fields.ts'
import type { FieldTarget, Mapping } from './plan-mapping.ts'

type NewTarget = Extract<FieldTarget, { to: 'field' }>

/** Creates the custom fields and options of a plan that are not there yet: done again, it does nothing. */
export async function applyFields(
  db: Database,
  actor: AuditActor,
  projectId: string,
  { fields: targets }: Mapping,
): Promise<void> {
  for (const target of targets.values()) {
    if (target.to !== 'field' || (!target.isNew && target.added.length === 0)) continue
    const { byKey }: ProjectFields = await readFields(db, projectId)
    const known = byKey.get(target.key)
    if (known === undefined) await createTarget(db, actor, projectId, target)
    else if (known.type === 'select') await addOptions(db, actor, projectId, known, target.added)
  }
}

async function createTarget(
  db: Database,
  actor: AuditActor,
  projectId: string,
  { key, name, type, added }: NewTarget,
): Promise<void> {
  const options = type === 'select' ? { options: toOptions(added, []) } : {}
  try {
    await createField(db, actor, projectId, { key, name, type, ...options })
  } catch (error) {
    // Someone has created other fields since the plan: the values stay in the details.
    if (!(error instanceof Problem && ['too_many_fields', 'key_taken'].includes(error.code))) throw error
  }
}

async function addOptions(
  db: Database,
  actor: AuditActor,
  projectId: string,
  { id, options }: FieldDefinition,
  added: readonly string[],
): Promise<void> {
  const existing = (options ?? []).map(({ key, label, is_retired }) => ({ key, label, is_retired }))
  const labels = new Set(existing.map(({ label }) => label.toLowerCase()))
  const missing = added.filter((label) => !labels.has(label.toLowerCase())).slice(0, MAX_OPTIONS - existing.length)
  if (missing.length === 0) return
  await updateField(db, actor, projectId, id, { options: [...existing, ...toOptions(missing, existing)] })
}

function toOptions(labels: readonly string[], existing: readonly { key: string }[]) {
  const taken = new Set(existing.map(({ key }) => key))
  return labels.map((label) => {
    const key = suggestKey(label, taken)
    taken.add(key)
    return { key, label }
  })
}
