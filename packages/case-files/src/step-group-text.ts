import type { ImportRow, TestCase } from '@caseward/client/endpoints'

import { escapeListItem, splitEscapedList } from './escaped-list.ts'

/*
 * Which steps of a test case come from shared steps, in one cell: `2-4 Sign in, 7 Pay`. A comma in a title is `\\,`.
 */

type StepGroups = NonNullable<TestCase['step_groups']>
type NamedGroups = NonNullable<ImportRow['shared_steps']>

export const formatStepGroups = (groups: StepGroups): string =>
  groups
    .map(({ title, first, count }) => {
      const range = count === 1 ? String(first) : `${first}-${first + count - 1}`
      return `${range} ${escapeListItem(title, ',')}`
    })
    .join(', ')

/** Returns what is wrong with the text if it cannot be read. */
export function parseStepGroups(text: string): NamedGroups | string {
  const groups: NamedGroups = []
  for (const item of splitEscapedList(text, ',')) {
    const [, start = '', end = start, title = ''] = /^(\d{1,3})(?:\s*[-–]\s*(\d{1,3}))?\s+(.+)$/u.exec(item) ?? []
    const [first, last] = [Number(start), Number(end)]
    if (title === '' || first < 1 || last < first) {
      return `the shared step "${item}" must be the numbers of its steps and its title, such as 2-4 Sign in`
    }
    groups.push({ title, first, count: last - first + 1 })
  }
  return groups
}
