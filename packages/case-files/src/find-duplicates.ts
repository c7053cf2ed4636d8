import { normalizeKey } from '@caseward/matching/normalize-key'

import type { LineError } from './line-error.ts'
import type { NewTestCase } from './parse-test-case.ts'

/**
 * Finds lines whose automation key another line has.
 * @param unit what a file is divided into, for messages
 */
export function findDuplicateKeys(testCases: readonly NewTestCase[], unit: 'line' | 'row' = 'line'): LineError[] {
  const firstLines = new Map<string, number>()
  return testCases.flatMap(({ line, body: { automation_key: automationKey } }) => {
    if (typeof automationKey !== 'string') return []
    const key = normalizeKey(automationKey)
    const firstLine = firstLines.get(key)
    if (firstLine === undefined) firstLines.set(key, line)
    return firstLine === undefined ? [] : [{ line, message: `${unit} ${firstLine} has the same automation key` }]
  })
}
