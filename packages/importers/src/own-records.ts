/*
 * The neutral model of what only exports of Caseward say.
 */

/** The value of a custom field: options by their keys. */
export type OwnFieldValue = string | number | boolean | readonly string[]

/** What another tool calls an object of Caseward, with digests of what was imported from there. */
export interface OwnSource {
  readonly system: string
  readonly source: string
  readonly key: string
  readonly format: string
  readonly raw_digest: string
  readonly field_digests: Readonly<Record<string, string>>
  readonly details: Readonly<Record<string, unknown>> | null
}

/** What only exports of Caseward say of a test case. With it, texts are stored as they are, and nothing is guessed. */
export interface OwnValues {
  readonly number: number | null
  /** Its place in the folder; null until it was moved. */
  readonly order: string | null
  readonly archived_at: string | null
  /** The key of the test case that it was merged into. */
  readonly merged_into: string | null
  /** Which of the steps come from shared steps. */
  readonly step_groups: readonly OwnStepGroup[]
  /** Values of custom fields by their keys. */
  readonly fields: Readonly<Record<string, OwnFieldValue>>
  readonly aliases: readonly { readonly system: string; readonly source: string; readonly key: string }[]
  readonly sources: readonly OwnSource[]
  /** User ids: people of the same instance are found by them. */
  readonly owner_id: string
  readonly created_by_id: string
  readonly updated_by_id: string
  /** Of a sheet, the values that it has columns for, an empty cell being no value; null for a file that has all. */
  readonly columns: readonly string[] | null
}

/** Where an export of Caseward comes from. */
export interface SourceRecord {
  readonly kind: 'source'
  readonly key: string
  readonly source: string
  readonly prefix: string
}

/** The definition of a custom field. */
export interface FieldRecord {
  readonly kind: 'field'
  readonly key: string
  readonly subject: string
  /** Whether it is a field of the whole instance, which the project uses. */
  readonly scope: 'project' | 'instance'
  readonly field_key: string
  readonly name: string
  readonly description: string
  readonly type: string
  readonly is_required: boolean
  readonly required_on: readonly string[]
  readonly default: OwnFieldValue | null
  readonly options: readonly { readonly key: string; readonly label: string; readonly is_retired: boolean }[] | null
  readonly min: number | null
  readonly max: number | null
  readonly decimals: number | null
  readonly position: number
  /** Null for a field in use. */
  readonly retired_at: string | null
}

/** A file with a name at a test case, or at a run or one of its results. */
export interface OwnAttachmentRecord {
  readonly kind: 'attachment'
  readonly key: string
  readonly name: string
  /** Keys of what it is at: a test case, or a run and, for a result, also that. */
  readonly case: string | null
  readonly run: string | null
  readonly result: string | null
  /** Position of a step; null for the whole. */
  readonly step: number | null
  /** The place of a combination of the result; null for the result as a whole. */
  readonly place: number | null
  /** The key of the test at whose attempt it is. */
  readonly test: string | null
  readonly attempt: number | null
  /** The number of the source in the run that declared it; null if it was attached. */
  readonly source: number | null
  /** The key of the comment that it was attached for. */
  readonly comment: string | null
  readonly created_by: string
  readonly created_at: string
  /** Of the content, in hexadecimal; null for one that was removed. */
  readonly sha256: string | null
  readonly byte_count: number | null
  readonly is_trace: boolean
  /** When its content was removed or given up; empty otherwise. */
  readonly removed_at: string
  /** Whether its content has not arrived yet. */
  readonly is_waiting: boolean
  /** Whether the bundle has its content. */
  readonly is_in_file: boolean
}

/** What a test case was in a version that has ended. */
export interface CaseVersionRecord {
  readonly kind: 'case_version'
  readonly key: string
  /** The key of the test case. */
  readonly case: string
  readonly version: number
  /** The version that took its place. */
  readonly next_version: number
  /** Earlier values by the names of what has changed; those of custom fields as `fields.<key>`. */
  readonly before: Readonly<Record<string, unknown>>
  readonly changed: readonly string[]
  readonly changed_at: string
  /** When the first of several saves was made; empty for one. */
  readonly started_at: string
  readonly changed_by: string
  readonly via: string
  readonly summary: string
}

/** What people have said of a test case, or of a run or one of its results. */
export interface CommentRecord {
  readonly kind: 'comment'
  readonly key: string
  /** Keys of what it is about: of a test case, or of a run and, for a result, also that. */
  readonly case: string | null
  readonly run: string | null
  readonly result: string | null
  readonly person: string
  /** Null after it was deleted. */
  readonly text: string | null
  readonly at: string
  /** Times; empty if it was not edited, or not deleted. */
  readonly edited_at: string
  readonly deleted_at: string
  readonly deleted_by: string
  /** Earlier texts, the oldest first. */
  readonly versions: readonly { readonly text: string; readonly replaced_at: string }[]
}

/** Steps of a test case that come from a shared step: the first one from 1, and how many. */
export interface OwnStepGroup {
  /** The key of the shared step. */
  readonly shared: string
  /** Its title in that version. */
  readonly title: string
  readonly version: number
  readonly follows: boolean
  readonly first: number
  readonly count: number
}

/** What an export says of a shared step. People are ids of users or email addresses. */
export interface OwnSharedStep {
  readonly version: number
  readonly created_by: string
  readonly created_at: string
  readonly updated_by: string
  readonly updated_at: string
}

/** What a shared step was in a version that has ended. */
export interface SharedStepVersionRecord {
  readonly kind: 'shared_step_version'
  readonly key: string
  readonly title: string
  /** The key of the shared step. */
  readonly shared: string
  readonly version: number
  readonly steps: readonly { readonly action: string; readonly expected: string }[]
  readonly person: string
  readonly at: string
}
