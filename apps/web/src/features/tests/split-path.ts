import type { RunTest } from '@caseward/client/endpoints'

/** The name of a test in parts, so that a row can shorten it where that costs least. */
export interface TestPath {
  /** The folders of the file, such as `src/checkout/`; empty for none. */
  readonly folder: string
  /** The file or class, and the titles of the blocks. */
  readonly parents: readonly string[]
  /** The title of the test itself. */
  readonly title: string
}

/** Splits what identifies a test into its folder, file, blocks and title. */
export function splitPath({ suite, name, file }: Pick<RunTest, 'suite' | 'name' | 'file'>): TestPath {
  const container = suite === '' ? file : suite
  const isFile = container === file || container.includes('/')
  // Classes have no blocks, and names of their tests may contain the separator.
  const titles = isFile && container !== '' ? name.split(' > ') : [name]
  const slash = container.lastIndexOf('/') + 1
  const base = container.slice(slash)
  return {
    folder: container.slice(0, slash),
    parents: [...(base === '' ? [] : [base]), ...titles.slice(0, -1)],
    title: titles.at(-1) ?? name,
  }
}

/** The whole name of a test with its variant: "src/checkout.spec.ts › Checkout › pays by card (chromium)". */
export const formatTest = (test: Pick<RunTest, 'suite' | 'name' | 'file' | 'variant'>): string =>
  test.variant === '' ? formatPath(test) : `${formatPath(test)} (${test.variant})`

/** The whole name of a test in one line: "src/checkout.spec.ts › Checkout › pays by card". */
export function formatPath(test: Pick<RunTest, 'suite' | 'name' | 'file'>): string {
  const { folder, parents, title } = splitPath(test)
  return folder + [...parents, title].join(' › ')
}
