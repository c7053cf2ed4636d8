import type { AttemptGroup, LoopYielder } from '@caseward/matching/group-attempts'
import { normalizeKey } from '@caseward/matching/normalize-key'
import { isSourceFile } from '@caseward/matching/test-identity'

import type { SuiteContext, TestAttempt } from './test-attempt.ts'

/** Names that tools give to every report. */
const ROOT_NAMES: ReadonlySet<string> = new Set([
  'pytest',
  'Mocha Tests',
  'Mocha',
  'jest tests',
  'Root Suite',
  'undefined',
  'vitest tests',
])
/** mocha-junit-reporter writes it before the titles of blocks. */
const ROOT_PREFIX = 'Root Suite '

/** The names of the suites around tests. */
interface SuiteNames {
  /** Those that say something, and that the tests do not repeat. */
  names: readonly string[]
  /** Those that earlier versions kept, where one test decided for all of its suite. */
  formerNames: readonly string[]
}

/** The normalized class and name of a test. */
interface TestKeys {
  classKey: string
  nameKey: string
}

interface SuiteName {
  name: string
  key: string
  isRepeatedByAll: boolean
  isRepeatedByOne: boolean
}

/**
 * Chooses the names of suites that are part of the names of their tests. A name is left out if all tests of the suite repeat
 * it. Node's own reporter never repeats them, so that `empties the cart` is in the block `cart` like the others; jest-junit
 * calls the suite of a file like the first block, and the tests of other blocks do not belong to that.
 */
export async function readSuiteNames(
  groups: readonly AttemptGroup<TestAttempt>[],
  yielder: LoopYielder,
): Promise<Map<SuiteContext, SuiteNames>> {
  const namesByContext = new Map<SuiteContext, SuiteName[]>()
  const getClassKey = createKeyMemo()
  for (const group of groups) {
    if (yielder.shouldYield()) await yielder.yield()
    const context = group.attempts[0]?.context
    if (context === undefined) continue
    const known = namesByContext.get(context)
    const names = known ?? context.names.flatMap(toSuiteName)
    if (known === undefined) namesByContext.set(context, names)
    // Nearly always the first test says all: then the others need not be normalized.
    if (names.every(isDecided)) continue
    const classKey = getClassKey(group.classname)
    // Its class is enough for most tests: then the name need not be normalized.
    if (names.every(({ key }) => beginsWith(classKey, key))) {
      for (const suiteName of names) suiteName.isRepeatedByOne = true
      continue
    }
    const keys = { classKey, nameKey: normalizeKey(group.name) }
    for (const suiteName of names) {
      const isRepeated = repeats(keys, suiteName.key, context.dialect === 'jest-junit')
      // Of jest-junit, the first test decides.
      const decides = context.dialect !== 'jest-junit' || known === undefined
      if (decides) suiteName.isRepeatedByAll &&= isRepeated
      suiteName.isRepeatedByOne ||= isContained(keys, suiteName.key)
    }
  }
  return new Map(
    [...namesByContext].map(([context, names]) => [
      context,
      {
        names: names.filter((name) => context.dialect === 'node-test' || !name.isRepeatedByAll).map(({ name }) => name),
        formerNames: names.filter((name) => !name.isRepeatedByOne).map(({ name }) => name),
      },
    ]),
  )
}

/** Whether no other test can change what becomes of a name. */
const isDecided = ({ isRepeatedByAll, isRepeatedByOne }: SuiteName): boolean => !isRepeatedByAll && isRepeatedByOne

/** Normalizes the classes of a report, of which many tests have the same. */
function createKeyMemo(): (text: string) => string {
  const keys = new Map<string, string>()
  return (text) => {
    let key = keys.get(text)
    if (key === undefined) keys.set(text, (key = normalizeKey(text)))
    return key
  }
}

function toSuiteName(rawName: string): SuiteName[] {
  const name = rawName.startsWith(ROOT_PREFIX) ? rawName.slice(ROOT_PREFIX.length) : rawName
  if (ROOT_NAMES.has(name) || isSourceFile(name)) return []
  const key = normalizeKey(name)
  return [{ name, key, isRepeatedByAll: true, isRepeatedByOne: false }]
}

/** Whether class and name of a test begin with the name of a suite, or name it right before the title. */
function repeats({ classKey, nameKey }: TestKeys, key: string, isJest: boolean): boolean {
  if (key === '') return true
  if (beginsWith(`${classKey} ${nameKey}`.trim(), key) || beginsWith(nameKey, key)) return true
  if (isJest) return false
  return classKey.endsWith(` ${key}`) || (classKey !== '' && nameKey.endsWith(` ${key} ${classKey}`))
}

const beginsWith = (title: string, key: string): boolean => title === key || title.startsWith(`${key} `)

const isContained = ({ classKey, nameKey }: TestKeys, key: string): boolean =>
  key === '' || `${classKey} ${nameKey}`.includes(key)
