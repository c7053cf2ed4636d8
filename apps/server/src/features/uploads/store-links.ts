import { v7 as uuidv7 } from 'uuid'

import type { ProjectRef } from '../../access/project-cache.ts'
import type { Database } from '../../platform/database/connect.ts'
import { createYielder } from '../../platform/yielder.ts'
import { insertTests, replaceLinks, type TestLinks, updatePlaces } from '../tests/write-tests.queries.ts'
import type { MatchedTest } from './match-tests.ts'

/** A test with its id. */
export type StoredTest = MatchedTest & { id: string }

/** Whether storing a test of an upload adds or changes something in its project. */
export const changesProject = (test: MatchedTest): boolean => test.known === null || hasNewLinks(test) || isPlaced(test)

function hasNewLinks({ known, caseNumbers, source }: MatchedTest): boolean {
  if (caseNumbers.length === 0) return false
  if (known === null || known.caseNumbers.length !== caseNumbers.length) return true
  return source !== known.source || caseNumbers.some((number) => !known.caseNumbers.includes(number))
}

/** Whether the upload tells the file or the variant of a test that was stored without. */
const isPlaced = ({ known, test }: MatchedTest): boolean =>
  known !== null && ((known.file === '' && test.file !== '') || (known.variant === '' && test.variant !== ''))

/** Stores tests that are new, links that have changed, and files and variants that have become known. */
export async function storeTestsAndLinks(
  tx: Database,
  { id: projectId }: ProjectRef,
  tests: readonly MatchedTest[],
): Promise<StoredTest[]> {
  const yielder = createYielder()
  const stored: StoredTest[] = []
  for (const test of tests) {
    if (yielder.shouldYield()) await yielder.yield()
    stored.push(Object.assign(test, { id: test.known?.id ?? uuidv7() }))
  }
  await insertTests(
    tx,
    projectId,
    stored.filter(({ known }) => known === null),
  )
  const changed = stored.filter(hasNewLinks)
  const toLinks = ({ id, caseNumbers, source }: StoredTest): TestLinks => ({
    testId: id,
    caseNumbers,
    source: source ?? 'key',
  })
  await replaceLinks(tx, projectId, changed.filter(({ known }) => known === null).map(toLinks), { areNew: true })
  await replaceLinks(tx, projectId, changed.filter(({ known }) => known !== null).map(toLinks), { areNew: false })
  const placed = stored.filter(isPlaced).map(({ id, known, test }) => ({
    id,
    file: known?.file || test.file,
    variant: known?.variant || test.variant,
  }))
  await updatePlaces(tx, projectId, placed)
  return stored
}
