import type { UploadItem } from '@caseward/contract/upload-body'
import type { LinksReceipt } from '@caseward/contract/uploads'

import type { RunRef } from '../../access/project-cache.ts'
import type { Database } from '../../platform/database/connect.ts'
import { addReportedLinks, type LinkedResult } from '../links/add-reported-links.ts'
import type { MatchedItems } from '../results/match-items.ts'
import type { WrittenResults } from '../results/write-results.ts'
import { toLink } from './read-uploaded-tests.ts'
import type { UploadTest } from './upload-test.ts'

type LinkOptions = Parameters<typeof addReportedLinks>[3]

/** Adds the addresses that tests name to the results of their test cases. Without any, it runs no statement. */
export async function linkTests(
  tx: Database,
  run: RunRef,
  {
    tests,
    isStored,
    ...options
  }: LinkOptions & { tests: readonly UploadTest[]; isStored: (test: UploadTest) => boolean },
): Promise<LinksReceipt | undefined> {
  const results: LinkedResult[] = []
  for (const uploadTest of tests) {
    const { test, repeats, caseNumbers } = uploadTest
    if (test.links === undefined && repeats.length === 0) continue
    const links = [test, ...repeats].flatMap((report) => report.links ?? [])
    if (links.length > 0) results.push({ caseNumbers: isStored(uploadTest) ? caseNumbers : [], links })
  }
  return results.length === 0 ? undefined : await addReportedLinks(tx, run, results, options)
}

/** The same for items of format `json`. */
export async function linkItems(
  tx: Database,
  run: RunRef,
  {
    items,
    matched,
    stored,
    ...options
  }: LinkOptions & { items: readonly UploadItem[]; matched: MatchedItems; stored: WrittenResults },
): Promise<LinksReceipt | undefined> {
  const results: LinkedResult[] = []
  for (const [index, { links }] of items.entries()) {
    if (links === undefined || links.length === 0) continue
    const number = matched.caseNumbers[index]
    const isStored = typeof number === 'number' && !stored.missing.has(number) && !stored.newer.has(number)
    results.push({ caseNumbers: isStored ? [number] : [], links: links.map(toLink) })
  }
  return results.length === 0 ? undefined : await addReportedLinks(tx, run, results, options)
}
