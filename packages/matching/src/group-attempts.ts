/** An execution of a test in a JUnit report. */
export interface NamedAttempt {
  readonly classname: string
  readonly name: string
  /** Number of the innermost suite. */
  readonly suite: number
  /** Its own file, or '' if the report does not name it. */
  readonly file: string
  /** Ids in its properties. */
  readonly caseIds: readonly string[]
}

/**
 * A test of a report. Every `<testcase>` with the same classname and name in the same suite is an attempt at it, unless
 * their properties name different test cases. Those are different tests (one function over a table of data, say). So are
 * tests in different suites (another browser, file or describe block), and in different files of one suite, which is how
 * Mocha's xunit writes them. A pass of one must not hide a failure of another.
 */
export interface AttemptGroup<A extends NamedAttempt> {
  classname: string
  name: string
  /** The test case ids in the properties of all attempts that have any. */
  caseIds: readonly string[]
  attempts: A[]
}

/** Lets other work run during a long loop. */
export interface LoopYielder {
  shouldYield(): boolean
  yield(): Promise<void>
}

/** The tests of one classname and name. */
interface SameNameTests<A extends NamedAttempt> {
  /** By suite, and by suite and file. */
  lastByPlace: Map<string, AttemptGroup<A>>
  /** Tests with ids in their properties, by suite, file and ids. */
  byCaseIds: Map<string, AttemptGroup<A>>
}

/** Groups attempts by test, in the order of the report. */
export async function groupAttempts<A extends NamedAttempt>(
  attempts: readonly A[],
  yielder: LoopYielder,
): Promise<AttemptGroup<A>[]> {
  const tests: AttemptGroup<A>[] = []
  // Nearly every test has one attempt, so same-name tests are told apart only from the second attempt on.
  const byClass = new Map<string, Map<string, AttemptGroup<A> | SameNameTests<A>>>()
  for (const attempt of attempts) {
    if (yielder.shouldYield()) await yielder.yield()
    const { classname, name, caseIds } = attempt
    const byName = byClass.get(classname) ?? new Map<string, AttemptGroup<A> | SameNameTests<A>>()
    if (byName.size === 0) byClass.set(classname, byName)
    const earlier = byName.get(name)
    const sameName = earlier !== undefined && 'attempts' in earlier ? toSameNameTests(earlier) : earlier
    const sameTest = sameName && findTest(sameName, attempt)
    const test = sameTest ?? { classname, name, caseIds, attempts: [] }
    const hasNewIds = test.caseIds.length === 0 && caseIds.length > 0
    test.attempts.push(attempt)
    if (hasNewIds) test.caseIds = caseIds
    if (sameTest === undefined) tests.push(test)
    if (sameName !== undefined && (sameTest === undefined || hasNewIds)) addTest(sameName, test, attempt)
    if (earlier === undefined || sameName !== earlier) byName.set(name, sameName ?? test)
  }
  return tests
}

function toSameNameTests<A extends NamedAttempt>(test: AttemptGroup<A>): SameNameTests<A> {
  const sameName: SameNameTests<A> = { lastByPlace: new Map(), byCaseIds: new Map() }
  for (const attempt of test.attempts) addTest(sameName, test, attempt)
  return sameName
}

function addTest<A extends NamedAttempt>(
  { lastByPlace, byCaseIds }: SameNameTests<A>,
  test: AttemptGroup<A>,
  { suite, file }: A,
): void {
  lastByPlace.set(`${suite}`, test)
  lastByPlace.set(getPlace(suite, file), test)
  if (test.caseIds.length > 0) byCaseIds.set(getKey(suite, file, test.caseIds), test)
}

/**
 * Finds the test of an attempt in the same suite and file. Some tools write retries without ids: such an attempt belongs
 * to the test before it, whichever of the two has the ids.
 */
function findTest<A extends NamedAttempt>(
  { lastByPlace, byCaseIds }: SameNameTests<A>,
  { suite, file, caseIds }: A,
): AttemptGroup<A> | undefined {
  // An unknown file is the same as any.
  const last = file === '' ? lastByPlace.get(`${suite}`) : findLast(lastByPlace, suite, file)
  return caseIds.length === 0 || last?.caseIds.length === 0 ? last : byCaseIds.get(getKey(suite, file, caseIds))
}

const findLast = <T>(lastByPlace: ReadonlyMap<string, T>, suite: number, file: string): T | undefined =>
  lastByPlace.get(getPlace(suite, file)) ?? lastByPlace.get(getPlace(suite, ''))

const getPlace = (suite: number, file: string): string => `${suite}\0${file}`

const getKey = (suite: number, file: string, caseIds: readonly string[]): string =>
  `${getPlace(suite, file)}\0${[...caseIds].sort().join('\0')}`
