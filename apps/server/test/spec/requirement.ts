/** A test by its file, from `apps/server`, and its name: the titles of its suites and its own, as they are written. */
export interface NamedTest {
  readonly file: string
  readonly name: string
}

/** A sentence of the specification in our words, and the tests that would fail if it did not hold. */
export type Requirement = readonly [says: string, ...tests: [NamedTest, ...NamedTest[]]]

/** Names tests of one file, within these suites, by their titles. */
export const testsIn =
  (file: string, ...suites: string[]) =>
  (title: string): NamedTest => ({ file, name: [...suites, title].join(' > ') })
