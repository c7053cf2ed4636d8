import type { FieldValue } from '@caseward/contract/field-values'
import { MAX_OPTIONS } from '@caseward/contract/field-values'
import { MAX_LABEL_LENGTH } from '@caseward/contract/fields'

import type { Database } from '../../platform/database/connect.ts'
import { invalidFieldProblem } from '../../platform/http/problems.ts'
import { isName } from '../../platform/http/text-formats.ts'
import { type AuditActor, recordAudits } from '../audit/record-audit.ts'
import type { SentValues } from './check-values.ts'
import { type FieldDefinition, type ProjectFields, type StoredOption, toProjectFields } from './field-definitions.ts'
import { countFieldChange, saveField } from './fields.queries.ts'

/*
 * Options that a request names by their labels, with `create_options`: those that a field does not have are added to it.
 */

/** An option that a request adds. */
export interface CreatedOption {
  field: string
  key: string
  label: string
}

export class NamedOptions {
  readonly #options = new Map<string, StoredOption[]>()
  readonly #created: CreatedOption[] = []
  readonly #fields: ProjectFields

  /** @param fields those of the project, as they are stored */
  constructor(fields: ProjectFields) {
    this.#fields = fields
  }

  get created(): readonly CreatedOption[] {
    return this.#created
  }

  /** Values with the keys of the options that they name. What cannot be a label stays as it is, and is found by the checks. */
  toKeys<Values extends SentValues>(sent: Values): Values {
    const entries = Object.entries(sent).map(([key, value]) => {
      const field = this.#fields.byKey.get(key)
      return [key, field === undefined ? value : this.#toKey(field, value)] as const
    })
    return Object.fromEntries(entries) as Values
  }

  #toKey(field: FieldDefinition, value: FieldValue): FieldValue {
    const isSelect = field.type === 'select' || field.type === 'multi_select'
    if (!isSelect || field.retired_at !== null) return value
    if (typeof value === 'string' && field.type === 'select') return this.#findKey(field, value)
    return Array.isArray(value) && field.type === 'multi_select'
      ? value.map((text) => this.#findKey(field, text))
      : value
  }

  #findKey(field: FieldDefinition, text: string): string {
    const options = this.#options.get(field.id) ?? [...(field.options ?? [])]
    const label = text.trim()
    const wanted = label.toLowerCase()
    const known =
      options.find(({ key }) => key === text) ?? options.find((option) => option.label.toLowerCase() === wanted)
    if (known !== undefined) return known.key
    // The options of a field of the instance are the same in all projects.
    if (field.scope === 'instance') return text
    if (label === '' || label.length > MAX_LABEL_LENGTH || !isName(label)) return text
    if (options.length >= MAX_OPTIONS) {
      throw invalidFieldProblem(
        '/create_options',
        `would give the field ${field.key} more than ${MAX_OPTIONS} options: ${label} is one too many`,
      )
    }
    const key = suggestKey(label, new Set(options.map((option) => option.key)))
    const number = Math.max(0, ...options.map((option) => option.number)) + 1
    this.#options.set(field.id, [...options, { number, key, label, is_retired: false }])
    this.#created.push({ field: field.key, key, label })
    return key
  }

  /** The fields with the new options. Their version is that after {@link save}. */
  get fields(): ProjectFields {
    if (this.#created.length === 0) return this.#fields
    const { version, list } = this.#fields
    const changed = list.map((field) => ({ ...field, options: this.#options.get(field.id) ?? field.options }))
    return toProjectFields(version + 1, changed)
  }

  /** Stores the new options. The caller holds the lock on the project. */
  async save(tx: Database, actor: AuditActor, projectId: string): Promise<void> {
    if (this.#created.length === 0) return
    const changed = this.fields.list.filter(({ id }) => this.#options.has(id))
    await countFieldChange(tx, projectId, 0)
    for (const field of changed) await saveField(tx, projectId, field)
    const entries = changed.map(({ id, name }) => ({
      action: 'field.update' as const,
      subject: { kind: 'field' as const, id, name },
      projectId,
      detail: { changed: ['options'] },
    }))
    await recordAudits(tx, actor, entries)
  }
}

const MAX_KEY_LENGTH = 40

/** A key of lower-case letters, digits and underscores that begins with a letter and is not taken. */
export function suggestKey(label: string, taken: ReadonlySet<string>): string {
  const letters = label.normalize('NFKD').replaceAll(/\p{M}/gu, '').toLowerCase()
  const words = letters
    .replaceAll(/[^a-z0-9]+/g, '_')
    .replaceAll(/^[^a-z]+|_+$/g, '')
    .slice(0, MAX_KEY_LENGTH)
  const base = words === '' ? 'option' : words
  for (let count = 1; ; count += 1) {
    const suffix = count === 1 ? '' : `_${count}`
    const key = base.slice(0, MAX_KEY_LENGTH - suffix.length) + suffix
    if (!taken.has(key)) return key
  }
}
