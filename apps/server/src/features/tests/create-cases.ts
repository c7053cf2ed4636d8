import { MAX_AUTOMATION_KEY_LENGTH } from '@caseward/contract/test-case-schemas'
import { cleanName } from '@caseward/matching/clean-name'
import { normalizeKey } from '@caseward/matching/normalize-key'

import type { ProjectRef } from '../../access/project-cache.ts'
import type { Database } from '../../platform/database/connect.ts'
import { ensureFolders } from '../folders/ensure-folders.ts'
import { selectCaseNumbersByKey } from '../test-cases/automation-keys.queries.ts'
import { createTestCases } from '../test-cases/create-test-cases.ts'
import { getBodyPath } from '../test-cases/test-case-references.ts'

/** A test that needs a test case. */
export interface TestToCover {
  titleKey: string
  suite: string
  name: string
  file: string
}

export interface CreatedCases {
  /** The number of the test case of each test, in their order. */
  caseNumbers: number[]
  /** The test cases that were created. */
  created: { number: number; title: string }[]
}

const MAX_NAME_LENGTH = 255
const UNTITLED = 'Untitled test'
const TITLE_SEPARATOR = /\s+[>›»]\s+/

/**
 * Creates test cases for tests: the title is the last part of the name, the folders are the suite and the other titles, and
 * the automation keys are suite and name and, if no other test has it, the name. Tests that differ only in their variant
 * share a test case. The caller holds the lock on the project.
 * @throws {Problem} 400 when `folderId` is not a folder of the project
 */
export async function createCasesForTests(
  tx: Database,
  project: ProjectRef,
  tests: readonly TestToCover[],
  { folderId, authorId }: { folderId: string | null; authorId: string | null },
): Promise<CreatedCases> {
  if (tests.length === 0) return { caseNumbers: [], created: [] }
  const distinct = new Map<string, TestToCover>()
  for (const test of tests) if (!distinct.has(getPlace(test))) distinct.set(getPlace(test), test)
  const covered = [...distinct.values()]
  const parts = covered.map(splitIntoTitles)
  const folderIds = await ensureFolders(
    tx,
    project.id,
    folderId,
    parts.map(({ path }) => path),
  )
  const keys = await chooseKeys(tx, project, covered)
  const numbers = await createTestCases(
    tx,
    project,
    authorId,
    parts.map(({ title }, index) => ({
      title,
      folder_id: folderIds[index] ?? null,
      type: 'other' as const,
      automation_keys: keys[index] ?? [],
    })),
    getBodyPath,
  )
  const numbersByPlace = new Map([...distinct.keys()].map((place, index) => [place, numbers[index] ?? 0]))
  return {
    caseNumbers: tests.map((test) => numbersByPlace.get(getPlace(test)) ?? 0),
    created: parts.map(({ title }, index) => ({ number: numbers[index] ?? 0, title })),
  }
}

/** Tests in the same place differ only in their variant. */
const getPlace = ({ titleKey, file }: TestToCover): string => `${file}\0${titleKey}`

/** The suite is one folder or several; a file is one. */
function splitIntoTitles({ suite, name, file }: TestToCover): { title: string; path: string[] } {
  const titles = name.split(TITLE_SEPARATOR).map(toName)
  const title = titles.findLast((part) => part !== '') ?? UNTITLED
  const outer = titles.slice(0, -1)
  const suites = suite === file ? [toName(suite)] : suite.split(TITLE_SEPARATOR).map(toName)
  return { title, path: [...suites, ...outer].filter((part) => part !== '') }
}

/** What a folder or title may contain. */
const toName = (text: string): string => [...cleanName(text).trim()].slice(0, MAX_NAME_LENGTH).join('').trim()

/** Keys that no test case has, and that only one of the tests would have. */
async function chooseKeys(tx: Database, project: ProjectRef, tests: readonly TestToCover[]): Promise<string[][]> {
  const fullKeys = tests.map(({ suite, name }) => toKey(suite === '' ? name : `${suite} > ${name}`))
  const nameKeys = tests.map(({ name }) => toKey(name))
  const taken = await selectCaseNumbersByKey(tx, project.id, [...new Set([...fullKeys, ...nameKeys])])
  const used = new Set([...taken.keys()].map(normalizeKey))
  const nameCounts = new Map<string, number>()
  for (const key of nameKeys) nameCounts.set(normalizeKey(key), (nameCounts.get(normalizeKey(key)) ?? 0) + 1)
  const take = (key: string): boolean => {
    const normalized = normalizeKey(key)
    if (normalized === '' || used.has(normalized)) return false
    used.add(normalized)
    return true
  }
  // All full keys first: they match more precisely than names.
  const chosen = fullKeys.map((key) => (take(key) ? [key] : []))
  return chosen.map((keys, index) => {
    const nameKey = nameKeys[index] ?? ''
    return nameCounts.get(normalizeKey(nameKey)) === 1 && take(nameKey) ? [...keys, nameKey] : keys
  })
}

/** A key of this length at most; a longer one would match nothing. */
const toKey = (text: string): string => {
  const key = text.trim()
  return [...key].length > MAX_AUTOMATION_KEY_LENGTH ? '' : key
}
