import { getImportedNoun } from '@caseward/ci-run/imported-nouns'
import type { Import, ImportedRecord } from '@caseward/client/endpoints'

import { formatNumberOf } from '../../ui/format-count.ts'

export const STATE_WORDS: Readonly<Record<Import['state'], string>> = {
  reading: 'Reading the file',
  planning: 'Making the plan',
  planned: 'Not imported yet',
  applying: 'Importing',
  done: 'Imported',
  differs: 'Imported, and the count differs',
  cancelled: 'Canceled',
  failed: 'Failed',
  undoing: 'Undoing',
  undone: 'Undone',
}

type Action = NonNullable<ImportedRecord['action']>

export const ACTION_WORDS: Readonly<Record<Action, string>> = {
  create: 'New',
  update: 'Changed',
  unchanged: 'Unchanged',
  conflict: 'Changed on both sides: stays as here',
  deleted_here: 'Deleted here: not created again',
  not_imported: 'Not imported',
  absent_in_source: 'Not in this file: archived or tagged, as chosen',
}

type ActionCount = NonNullable<Import['planning']>['actions'][number]

/** `26 test cases: new`, test cases first. */
export function describeActions(actions: readonly ActionCount[]): string[] {
  const first = (kind: string) => (kind === 'case' ? 0 : 1)
  return actions
    .filter(({ count }) => count > 0)
    .toSorted((a, b) => first(a.kind) - first(b.kind))
    .map(({ kind, action, count }) => {
      const words = ACTION_WORDS[action]
      return `${formatNumberOf(count, getImportedNoun(kind))}: ${words.charAt(0).toLowerCase()}${words.slice(1)}`
    })
}

export const countActions = (actions: readonly ActionCount[], kind: string, action: Action): number =>
  actions.filter((item) => item.kind === kind && item.action === action).reduce((sum, { count }) => sum + count, 0)
