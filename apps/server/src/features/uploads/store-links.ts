import { v7 as uuidv7 } from 'uuid'

import type { ProjectRef } from '../../access/project-cache.ts'
import type { Database } from '../../platform/database/connect.ts'
import { createYielder } from '../../platform/yielder.ts'
import {
  insertTests,
  type PlacedTest,
  replaceLinks,
  type TestLinks,
  updatePlaces,
} from '../tests/write-tests.queries.ts'
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
  const added: UploadTest[] = []
  const addedLinks: TestLinks[] = []
  const changedLinks: TestLinks[] = []
  const placed: PlacedTest[] = []
  for (const test of tests) {
    if (yielder.shouldYield()) await yielder.yield()
    test.id = test.known?.id ?? uuidv7()
    if (test.known === null) added.push(test)
    if (hasNewLinks(test)) (test.known === null ? addedLinks : changedLinks).push(toLinks(test))
    if (isPlaced(test)) placed.push(toPlaced(test))
  }
  await insertTests(tx, projectId, added)
  await replaceLinks(tx, projectId, addedLinks, { areNew: true })
  await replaceLinks(tx, projectId, changedLinks, { areNew: false })
  await updatePlaces(tx, projectId, placed)
}

const toLinks = ({ id, caseNumbers, source }: UploadTest): TestLinks => ({
  testId: id,
  caseNumbers,
  source: source ?? 'key',
})

const toPlaced = ({ id, known, test }: UploadTest): PlacedTest => ({
  id,
  file: known?.file || test.file,
  variant: known?.variant || test.variant,
})
