import type { ResultItemError } from '@caseward/contract/results'
import type { PartialReceipt, UploadReceipt } from '@caseward/contract/uploads'
import { getCaseIdentity } from '@caseward/matching/cases-for-tests'

import type { Database } from '../../platform/database/connect.ts'
import type { ResultChanges } from '../events/result-changes.ts'
import { readLackingFields } from '../fields/require-values.ts'
import { writeDerivedResults } from '../tests/derive-results.ts'
import { tryAttachments } from './declare-attachments.ts'
import { linkTests } from './link-results.ts'
import { groupByCase } from './group-by-case.ts'
import { storeFields } from './store-fields.ts'
import { toReceipt } from './tests-receipt.ts'
import type { Upload } from './tests-upload.ts'

/** Returns the receipt of an upload without storing anything. */
export async function tryUpload(
  tx: Database,
  upload: Upload,
  errors: readonly ResultItemError[],
  changes: ResultChanges,
): Promise<UploadReceipt | PartialReceipt> {
  const { run, finishedAt, createsTestCases, addsToRun } = upload
  const tests = upload.tests.all
  const testsByCase = await groupByCase(tests, finishedAt ?? new Date())
  const results = await writeDerivedResults(tx, run, testsByCase, {
    keepsNewer: finishedAt !== null,
    dryRun: true,
    changes,
  })
  const attachments = await tryAttachments(tx, upload)
  if (addsToRun) results.missing.clear()
  const covered = createsTestCases ? tests.filter(({ needsTestCase }) => needsTestCase) : []
  const created = new Set(covered.map(({ test }) => getCaseIdentity(test))).size
  const lackingFields = created === 0 ? [] : await readLackingFields(tx, run.project.id)
  // They would match.
  for (const [index, test] of covered.entries()) test.caseNumbers = [-1 - index]
  const addsMissing = addsToRun || createsTestCases
  const links = await linkTests(tx, run, { tests, isStored: () => true, dryRun: true, addsMissing, changes })
  const ignoredFields = await storeFields(tx, run, { tests, isStored: () => true, results, dryRun: true })
  return toReceipt(
    { ...upload, prefix: run.project.prefix },
    {
      tests,
      created,
      lackingFields,
      errors,
      caseCount: testsByCase.length + created,
      attachments,
      links,
      ignoredFields,
      ...results,
    },
  )
}
