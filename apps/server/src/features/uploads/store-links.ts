import { isAbsolutePath } from '@caseward/matching/checkout-root'
import { splitVariant } from '@caseward/matching/test-identity'

import type { ProjectRef } from '../../access/project-cache.ts'
import type { Database } from '../../platform/database/connect.ts'
import { createIdsInBatch } from '../../platform/ids-in-batch.ts'
import { createYielder } from '../../platform/yielder.ts'
import {
  type ChangedTest,
  insertTests,
  replaceLinks,
  type TestLinks,
  updateTests,
} from '../tests/write-tests.queries.ts'
import type { UploadTest } from './upload-test.ts'

/** Whether storing a test of an upload adds or changes something in its project. */
export const changesProject = (test: UploadTest): boolean => test.known === null || hasNewLinks(test) || isChanged(test)

function hasNewLinks({ known, caseNumbers, source }: UploadTest): boolean {
  if (caseNumbers.length === 0) return false
  // Nearly every test has the links that it had.
  if (caseNumbers === known?.caseNumbers && source === known.source) return false
  if (known === null || known.caseNumbers.length !== caseNumbers.length) return true
  return source !== known.source || caseNumbers.some((number) => !known.caseNumbers.includes(number))
}

/** Whether the upload tells more of a test than was stored, such as its file. */
const isChanged = ({ known, test, isRenamed, foreignIds }: UploadTest): boolean =>
  known !== null &&
  (isRenamed ||
    getNewFile(known.file, test.file) !== known.file ||
    (known.variant === '' && test.variant !== '' && splitVariant(test.variant).base !== '') ||
    (known.module === '' && (test.module ?? '') !== '') ||
    (foreignIds.length > 0 && foreignIds.join('\n') !== known.foreignIds?.join('\n')))

/** A file that becomes known, or whose checkout is known by now. */
const getNewFile = (known: string, file: string): string =>
  file !== '' && (known === '' || (isAbsolutePath(known) && !isAbsolutePath(file))) ? file : known

/** Stores tests that are new, links that have changed, and what has become known of others. */
export async function storeTestsAndLinks(
  tx: Database,
  { id: projectId }: ProjectRef,
  tests: readonly UploadTest[],
): Promise<void> {
  const yielder = createYielder()
  const createId = createIdsInBatch(tests.reduce((count, { known }) => count + (known === null ? 1 : 0), 0))
  const added: UploadTest[] = []
  const addedLinks: TestLinks[] = []
  const changedLinks: TestLinks[] = []
  const changed: ChangedTest[] = []
  for (const test of tests) {
    if (yielder.shouldYield()) await yielder.yield()
    test.id = test.known?.id ?? createId()
    if (test.known === null) added.push(test)
    if (hasNewLinks(test)) (test.known === null ? addedLinks : changedLinks).push(toLinks(test))
    if (isChanged(test)) changed.push(toChanged(test))
  }
  await insertTests(tx, projectId, added)
  await replaceLinks(tx, projectId, addedLinks, { areNew: true })
  await replaceLinks(tx, projectId, changedLinks, { areNew: false })
  await updateTests(tx, projectId, changed)
}

const toLinks = ({ id, caseNumbers, source }: UploadTest): TestLinks => ({
  testId: id,
  caseNumbers,
  source: source ?? 'key',
})

function toChanged({ id, known, test, titleKey, isRenamed, foreignIds }: UploadTest): ChangedTest {
  const variant = known === null || known.variant === '' ? test.variant : known.variant
  const module = known?.module || test.module
  const stored = { ...test, file: getNewFile(known?.file ?? '', test.file), variant, module }
  return { id, titleKey, test: stored, foreignIds, isRenamed }
}
