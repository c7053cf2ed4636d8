import type { ImportFile } from '../../input/import-file.ts'
import { createCase, type FieldRecord, type ImportRecord, type OwnValues, type OwnStepGroup } from '../../records.ts'
import type { Losses } from '../../losses.ts'
import type { ReadContext } from '../format.ts'
import { toConfiguration } from './read-configurations.ts'
import { toAttachment } from './read-attachments.ts'
import { toCaseVersion } from './read-case-versions.ts'
import { toComment } from './read-comments.ts'
import { toMilestone, toResult, toRun } from './read-history.ts'
import { toSharedSteps, toSharedStepVersion, toSteps } from './read-shared-steps.ts'
import { toLeftOut, toQuarantine, toSuiteError, toTest, toTestOutcome } from './read-tests.ts'
import { readJsonLines } from './read-lines.ts'
import { readSources } from './read-sources.ts'
import {
  type FindPerson,
  isScalar,
  type Raw,
  readFieldValues,
  readNullableString,
  readNumber,
  readObject,
  readObjects,
  readString,
  readStrings,
  toLinkKind,
} from './read-values.ts'

/** What records refer to, and comes before them. */
interface Known {
  /** Email addresses, or names, by the key of the person. */
  readonly people: Map<string, string>
  readonly emails: Map<string, string>
  /** Whether the bundle has a file of this path. */
  readonly hasFile: (path: string) => boolean
}

/** Reads the records of a bundle. A kind that nobody knows is counted. */
export async function* readBundle(
  file: ImportFile,
  files: ReadonlyMap<string, ImportFile>,
  { losses }: ReadContext,
): AsyncGenerator<ImportRecord> {
  const known: Known = { people: new Map(), emails: new Map(), hasFile: (path) => files.has(path) }
  for await (const raw of readJsonLines(file)) {
    const record = toRecord(raw, known, losses)
    if (record === null) losses.add(`not_imported:${readString(raw, 'kind').slice(0, 40) || 'record'}`, describe(raw))
    else yield record
  }
}

const describe = (raw: Raw) => ({
  key: readString(raw, 'key').slice(0, 255),
  title: (readString(raw, 'title') || readString(raw, 'name')).slice(0, 255),
})

function toRecord(raw: Raw, known: Known, losses: Losses): ImportRecord | null {
  const findPerson: FindPerson = (person) => known.emails.get(person) ?? person
  const kind = readString(raw, 'kind')
  const key = readString(raw, 'key')
  switch (kind) {
    case 'source':
      return { kind, key, source: readString(raw, 'source'), prefix: readString(raw, 'prefix') }
    case 'person': {
      const [name, email] = [readString(raw, 'name'), readString(raw, 'email')]
      known.people.set(key, email || name)
      if (email !== '') known.emails.set(key, email)
      const from = readString(raw, 'imported_from')
      return { kind, key, name, ...(email === '' ? {} : { email }), ...(from === '' ? {} : { imported_from: from }) }
    }
    case 'field':
      return toField(raw)
    case 'folder':
      return {
        kind,
        key,
        name: readString(raw, 'name'),
        parent: readNullableString(raw, 'parent'),
        position: readNumber(raw, 'position') ?? 0,
        sources: readSources(raw),
      }
    case 'shared_steps':
      return toSharedSteps(raw, findPerson)
    case 'shared_step_version':
      return toSharedStepVersion(raw, findPerson)
    case 'case':
      return toCase(raw, known)
    case 'configuration':
      return toConfiguration(raw)
    case 'milestone':
      return toMilestone(raw)
    case 'run':
      return toRun(raw, findPerson, losses)
    case 'result':
      return toResult(raw, findPerson, losses)
    case 'attachment':
      return toAttachment(raw, findPerson, known.hasFile)
    case 'case_version':
      return toCaseVersion(raw, findPerson)
    case 'comment':
      return toComment(raw, findPerson)
    case 'test':
      return toTest(raw)
    case 'test_outcome':
      return toTestOutcome(raw)
    case 'suite_error':
      return toSuiteError(raw)
    case 'left_out':
      return toLeftOut(raw, findPerson)
    case 'quarantine':
      return toQuarantine(raw, findPerson)
    default:
      return null
  }
}

function toField(raw: Raw): FieldRecord {
  const initial = raw['default']
  return {
    kind: 'field',
    key: readString(raw, 'key'),
    subject: readString(raw, 'subject'),
    scope: readString(raw, 'scope') === 'instance' ? 'instance' : 'project',
    field_key: readString(raw, 'field_key'),
    name: readString(raw, 'name'),
    description: readString(raw, 'description'),
    type: readString(raw, 'type'),
    is_required: raw['is_required'] === true,
    required_on: readStrings(raw, 'required_on'),
    default: isScalar(initial) ? initial : Array.isArray(initial) ? readStrings(raw, 'default') : null,
    options: Array.isArray(raw['options'])
      ? readObjects(raw, 'options').map((option) => ({
          key: readString(option, 'key'),
          label: readString(option, 'label'),
          is_retired: option['is_retired'] === true,
        }))
      : null,
    min: readNumber(raw, 'min'),
    max: readNumber(raw, 'max'),
    decimals: readNumber(raw, 'decimals'),
    position: readNumber(raw, 'position') ?? 0,
    retired_at: readNullableString(raw, 'retired_at'),
  }
}

function toCase(raw: Raw, { people }: Known): ImportRecord {
  const { steps, groups } = toSteps(readObjects(raw, 'steps'))
  const name = (field: string) => people.get(readString(raw, field)) ?? ''
  return createCase({
    key: readString(raw, 'key') || null,
    title: readString(raw, 'title'),
    folder: readNullableString(raw, 'folder'),
    template: readString(raw, 'template') === 'text' ? 'text' : 'steps',
    precondition: readString(raw, 'precondition'),
    steps,
    expected_result: readString(raw, 'expected_result'),
    priority: readString(raw, 'priority'),
    type: readString(raw, 'type'),
    tags: readStrings(raw, 'tags'),
    estimate: readNumber(raw, 'estimate'),
    owner: name('owner'),
    automation_keys: readStrings(raw, 'automation_keys'),
    links: readObjects(raw, 'links').map((link) => ({
      target: readString(link, 'url'),
      kind: toLinkKind(readString(link, 'kind')),
      label: readString(link, 'label'),
    })),
    created_by: name('created_by'),
    created_at: readString(raw, 'created_at'),
    updated_by: name('updated_by'),
    updated_at: readString(raw, 'updated_at'),
    own: toOwnValues(raw, groups),
  })
}

function toOwnValues(raw: Raw, stepGroups: readonly OwnStepGroup[]): OwnValues {
  const number = readNumber(raw, 'number')
  return {
    number: number !== null && Number.isInteger(number) && number > 0 ? number : null,
    order: readNullableString(raw, 'position'),
    archived_at: readNullableString(raw, 'archived_at'),
    merged_into: readNullableString(raw, 'merged_into'),
    step_groups: stepGroups,
    fields: readFieldValues(readObject(raw, 'fields')),
    aliases: readObjects(raw, 'aliases').map((alias) => ({
      system: readString(alias, 'system'),
      source: readString(alias, 'source').slice(0, 255),
      key: readString(alias, 'key').slice(0, 255),
    })),
    sources: readSources(raw),
    owner_id: readString(raw, 'owner'),
    created_by_id: readString(raw, 'created_by'),
    updated_by_id: readString(raw, 'updated_by'),
    columns: null,
  }
}
