import { normalizeKey } from '@caseward/matching/normalize-key'

import type { LineError } from '@caseward/case-files/line-error'
import type { NewTestCase } from '@caseward/case-files/parse-test-case'
import type { ListedCase } from '@caseward/case-files/file-columns'

/** A line whose test case exists already. */
export interface ExistingTestCase {
  readonly testCase: NewTestCase
  /** The id of the existing test case. */
  readonly existingId: string
  readonly foundBy: 'id' | 'key'
}

/** Test cases of a file, by whether the project has them already. */
export interface SplitTestCases {
  readonly newTestCases: readonly NewTestCase[]
  readonly existing: readonly ExistingTestCase[]
}

type KnownTestCase = Pick<ListedCase, 'id' | 'automation_key' | 'automation_keys'>

/** Finds the test cases of the project with the same id, or else with the same automation key. */
export function splitExisting(testCases: readonly NewTestCase[], known: readonly KnownTestCase[]): SplitTestCases {
  const ids = new Set(known.map(({ id }) => id))
  const idsByKey = getIdsByKey(known)
  const newTestCases: NewTestCase[] = []
  const existing: ExistingTestCase[] = []
  for (const testCase of testCases) {
    const sameKeyId = getSameKeyId(testCase, idsByKey)
    if (ids.has(testCase.id)) existing.push({ testCase, existingId: testCase.id, foundBy: 'id' })
    else if (sameKeyId !== undefined) existing.push({ testCase, existingId: sameKeyId, foundBy: 'key' })
    else newTestCases.push(testCase)
  }
  return { newTestCases, existing }
}

/** Finds lines that cannot update their test case: another line does, or another test case has the automation key. */
export function findUpdateErrors(existing: readonly ExistingTestCase[], known: readonly KnownTestCase[]): LineError[] {
  const idsByKey = getIdsByKey(known)
  const firstLines = new Map<string, number>()
  return existing.flatMap(({ testCase, existingId }) => {
    const firstLine = firstLines.get(existingId)
    if (firstLine === undefined) firstLines.set(existingId, testCase.line)
    const otherId = getSameKeyId(testCase, idsByKey)
    const messages = [
      ...(firstLine === undefined ? [] : [`line ${firstLine} updates ${existingId} as well`]),
      ...(otherId === undefined || otherId === existingId ? [] : [`${otherId} has the same automation key`]),
    ]
    return messages.map((message) => ({ line: testCase.line, message }))
  })
}

const getIdsByKey = (known: readonly KnownTestCase[]) =>
  new Map(
    known.flatMap(({ id, automation_key: first, automation_keys: keys }) =>
      (keys ?? (first === null ? [] : [first])).map((key) => [normalizeKey(key), id]),
    ),
  )

const getSameKeyId = ({ body: { automation_key: key } }: NewTestCase, idsByKey: ReadonlyMap<string, string>) =>
  typeof key === 'string' ? idsByKey.get(normalizeKey(key)) : undefined
