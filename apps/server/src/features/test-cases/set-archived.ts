import type { ProjectRef } from '../../access/project-cache.ts'
import type { Database } from '../../platform/database/connect.ts'
import type { CaseAuthor } from '../case-versions/case-author.ts'
import { type StoredTestCase, writeTestCaseChanges } from './change-test-cases.ts'

/**
 * Archives or restores locked test cases, and moves the counters.
 * @param archived whether each of them is archived afterwards, by number
 * @param options.keepsVersion the caller changes the versions
 */
export async function setArchived(
  tx: Database,
  project: ProjectRef,
  author: CaseAuthor,
  stored: ReadonlyMap<number, StoredTestCase>,
  archived: ReadonlyMap<number, boolean>,
  options: { keepsVersion?: boolean } = {},
): Promise<void> {
  const changes = [...archived].flatMap(([number, isArchived]) => {
    const before = stored.get(number)
    return before === undefined || before.archived === isArchived
      ? []
      : [{ before, after: { ...before, archived: isArchived } }]
  })
  await writeTestCaseChanges(tx, project, author, changes, options)
}
