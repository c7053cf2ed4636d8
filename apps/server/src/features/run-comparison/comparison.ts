import type { ComparedItem, RunChange } from '@caseward/contract/run-comparison'

import type { ProjectRef } from '../../access/project-cache.ts'
import type { defineColumns } from '../../platform/database/columns.ts'

/** What the rows of a page need besides their columns. */
export interface ComparisonContext extends ProjectRef {
  /** Tests that have the same failure in both runs. */
  sameFailures: Set<string>
}

/** The statements take the project, the older and the newer run as `$1`, `$2` and `$3`. */
export interface Comparison {
  /** Rows of both runs, joined: `change`, and where they are. */
  readonly joined: string
  /** Those of a page with one change, or with any: behind the cursor `$4`, in the order of `place`, up to `$5`. */
  readonly buildPage: (change: RunChange | undefined) => string
  /** From `page`, rows of `joined`, each looked up by its key (`offset 0`): a join could read both runs once more. */
  readonly details: string
  /** Of what fails in both runs, the statuses in the older and the newer run, if their failures are to be compared. */
  readonly statuses: string
  readonly columns: ReturnType<typeof defineColumns<ComparedItem, ComparisonContext>>
}

interface Sides {
  readonly isFailing: (side: string) => string
  readonly isTested: (side: string) => string
  readonly isSlower?: string
}

/** Every row has exactly one change. `b` and `h` are its sides. */
export const buildChange = ({ isFailing, isTested, isSlower }: Sides): string => `case
  when b.key is null then 'new'
  when h.key is null then 'missing'
  when ${isFailing('b')} and ${isFailing('h')} then 'still_failing'
  when not ${isTested('b')} and ${isTested('h')} then 'newly_tested'
  when ${isTested('b')} and not ${isTested('h')} then 'no_longer_tested'
  when ${isFailing('h')} then 'newly_failing'
  when ${isFailing('b')} then 'fixed'
  ${isSlower === undefined ? '' : `when ${isSlower} then 'slower'`}
  else 'same'
end`

export const buildSide = (name: string, fields: Readonly<Record<string, string>>): string =>
  `case when page.${name}_key is not null then json_build_object(${Object.entries(fields)
    .map(([field, value]) => `'${field}', ${value}`)
    .join(', ')}) end`
