import { v7 as uuidv7 } from 'uuid'

import type { ProjectRef } from '../../access/project-cache.ts'
import type { Database } from '../../platform/database/connect.ts'
import { createYielder } from '../../platform/yielder.ts'
import { insertTests, replaceLinks, type TestLinks, updatePlaces } from '../tests/write-tests.queries.ts'
import type { UploadTest } from './upload-test.ts'

/** Whether storing a test of an upload adds or changes something in its project. */
export const changesProject = (test: UploadTest): boolean => test.known === null || hasNewLinks(test) || isPlaced(test)

function hasNewLinks({ known, caseNumbers, source }: UploadTest): boolean {
  if (caseNumbers.length === 0) return false
  if (known === null || known.caseNumbers.length !== caseNumbers.length) return true
  return source !== known.source || caseNumbers.some((number) => !known.caseNumbers.includes(number))
}

/** Whether the upload tells the file or the variant of a test that was stored without. */
const isPlaced = ({ known, test }: UploadTest): boolean =>
  known !== null && ((known.file === '' && test.file !== '') || (known.variant === '' && test.variant !== ''))

/** Stores tests that are new, links that have changed, and files and variants that have become known. */
export async function storeTestsAndLinks(
  tx: Database,
  { id: projectId }: ProjectRef,
  tests: readonly UploadTest[],
): Promise<void> {
  const yielder = createYielder()
  for (const test of tests) {
    if (yielder.shouldYield()) await yielder.yield()
    test.id = test.known?.id ?? uuidv7()
  }
  await insertTests(
    tx,
    projectId,
    tests.filter(({ known }) => known === null),
  )
  const changed = tests.filter(hasNewLinks)
  const toLinks = ({ id, caseNumbers, source }: UploadTest): TestLinks => ({
    testId: id,
    caseNumbers,
    source: source ?? 'key',
  })
  await replaceLinks(tx, projectId, changed.filter(({ known }) => known === null).map(toLinks), { areNew: true })
  await replaceLinks(tx, projectId, changed.filter(({ known }) => known !== null).map(toLinks), { areNew: false })
  const placed = tests.filter(isPlaced).map(({ id, known, test }) => ({
    id,
    file: known?.file || test.file,
    variant: known?.variant || test.variant,
  }))
  await updatePlaces(tx, projectId, placed)
}
