import type { StepGroup } from '@caseward/contract/steps'
import { MAX_POSITION_LENGTH } from '@caseward/contract/test-case-batches'
import type { OwnSource, OwnValues } from '@caseward/importers/records'
import { generateKeyBetween } from 'fractional-indexing'

import { parseTimestamp } from '../../platform/http/timestamps.ts'
import { toKeyDigest } from './source-links.queries.ts'
import { planSources } from './own-sources.ts'

/** What an export of Caseward says of a test case, as it is stored when it is created. */
export interface PlannedOwn {
  /** The number that it keeps; null for the next one. */
  number: number | null
  order: string | null
  archived_at: string | null
  /** The digest of the key of the test case that it was merged into. */
  merged_into: string | null
  created_by: string | null
  created_at: string | null
  updated_by: string | null
  updated_at: string | null
  aliases: OwnValues['aliases'][number][]
  sources: readonly OwnSource[]
  /** Which of the steps come from shared steps. */
  step_groups: StepGroup[]
  /** The values that a sheet has columns for; null for a file that has all. */
  columns: string[] | null
  /** Whether it has all values of a test case: none gets a default. */
  is_exact: boolean
  /** Whether it is an export of this project itself, and changes the test case that it came from. */
  is_self: boolean
}

interface OwnContext {
  /** User ids by user ids and email addresses. */
  members: ReadonlyMap<string, string>
  isSelf: boolean
  keepsNumber: boolean
  stepGroups: StepGroup[]
  /** Names of compared values by those in the file. */
  toColumn: (name: string) => string
}

/** A test case can have so many. */
const MAX_ALIASES = 20

/** Takes what can be stored of the values of an export; what cannot is as of a new test case. */
export function planOwnValues(
  own: OwnValues,
  { created_at: createdAt, updated_at: updatedAt }: { created_at: string; updated_at: string },
  { members, isSelf, keepsNumber, stepGroups, toColumn }: OwnContext,
): PlannedOwn {
  return {
    number: keepsNumber ? own.number : null,
    order: own.order !== null && isPosition(own.order) ? own.order : null,
    archived_at: toTime(own.archived_at ?? ''),
    merged_into: own.merged_into === null ? null : toKeyDigest(own.merged_into),
    created_by: members.get(own.created_by_id) ?? null,
    created_at: toTime(createdAt),
    updated_by: members.get(own.updated_by_id) ?? null,
    updated_at: toTime(updatedAt),
    aliases: own.aliases.slice(0, MAX_ALIASES),
    sources: planSources(own.sources),
    step_groups: stepGroups,
    columns: own.columns === null ? null : own.columns.map(toColumn),
    is_exact: own.columns === null,
    is_self: isSelf,
  }
}

/** Whether a time of a bundle is none: its test case gets that of the import. */
export const hasWrongTime = (own: OwnValues, times: readonly string[]): boolean =>
  own.columns === null && [own.archived_at ?? '', ...times].some((text) => text !== '' && toTime(text) === null)

const toTime = (text: string): string | null => parseTimestamp(text)?.toISOString() ?? null

/** Moving a test case computes with positions: one that is none would fail then. */
function isPosition(text: string): boolean {
  if (text.length > MAX_POSITION_LENGTH) return false
  try {
    generateKeyBetween(text, null)
    return true
  } catch {
    return false
  }
}
