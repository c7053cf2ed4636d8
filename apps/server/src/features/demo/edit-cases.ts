import type { UpdateTestCaseBody } from '@caseward/contract/test-case-schemas'
import { sql } from 'kysely'

import { updateTestCase } from '../test-cases/update-test-case.ts'
import type { Demo } from './execute-runs.ts'

/** How a test case became what it is. The results of earlier runs keep the text that was tested. */
const edits: readonly { day: number; summary: string | null; change: UpdateTestCaseBody }[] = [
  {
    day: -20,
    summary: 'The number in the basket counts pieces since the redesign',
    change: {
      steps: [
        { action: 'Open a product page and choose a size', expected: 'The size is marked' },
        { action: 'Press "Add to basket"', expected: 'The basket shows 1, and the product with its size' },
        { action: 'Open the basket', expected: 'There is one line with the number 1' },
      ],
    },
  },
  {
    day: -6,
    summary: null,
    change: {
      priority: 'critical',
      steps: [
        { action: 'Open a product page and choose a size and a color', expected: 'The size and the color are marked' },
        { action: 'Press "Add to basket"', expected: 'The basket shows 1, and the product with its size and color' },
        { action: 'Open the basket', expected: 'There is one line with the number 1' },
      ],
    },
  },
]

const EDITED_TITLE = 'Adding a product'

/** Edits a test case, by the admin and the first tester in turn. */
export async function editCases({ deps: { db }, project, cases, adminId, testerIds, toTime }: Demo): Promise<void> {
  const testCase = cases.find(({ title }) => title.includes(EDITED_TITLE)) ?? cases[0]
  if (testCase === undefined) return
  const { number } = testCase
  const authors = [adminId, testerIds[0] ?? adminId]
  for (const [index, { day, summary, change }] of edits.entries()) {
    const author = { userId: authors[index % authors.length] ?? adminId, tokenId: null, via: 'web' as const, summary }
    const { version } = await updateTestCase(db, project, number, change, { author, version: null })
    await sql`
      update case_versions set changed_at = ${toTime(day)}
      where project_id = ${project.id} and case_number = ${number} and next_version = ${version}`.execute(db)
  }
}
