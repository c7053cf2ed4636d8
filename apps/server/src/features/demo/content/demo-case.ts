import type { CreateTestCaseBody } from '@caseward/contract/test-case-schemas'

/** A test case of the demo project. */
export interface DemoCase extends Omit<CreateTestCaseBody, 'folder_id' | 'steps' | 'title'> {
  title: string
  /** The names of its folders, from the outermost. */
  path: readonly string[]
  /** Whether the first steps are those of the shared step "Sign in". */
  signsIn?: boolean
  /** What is done, and what is expected then. */
  steps: readonly (readonly [action: string, expected: string])[]
}

/** Makes a test case for each value. */
export const forEach = <T>(values: readonly T[], make: (value: T, index: number) => Omit<DemoCase, 'path'>) =>
  values.map((value, index) => make(value, index))

/** Puts test cases into a folder. */
export const inFolder = (path: readonly string[], ...groups: readonly Omit<DemoCase, 'path'>[][]): DemoCase[] =>
  groups.flat().map((testCase) => ({ ...testCase, path }))
