import type { OpenableFile } from '../shown-file.ts'

/** Pictures that belong together: what was expected, what was there, and the difference that the framework has drawn. */
export interface Comparison {
  readonly expected: OpenableFile
  readonly actual: OpenableFile
  readonly diff: OpenableFile | null
}

const ENDING = /^(.*)-(expected|actual|diff)(\.\w+)?$/

/** Finds the pictures that a picture is compared with, by the names that Playwright gives them. @returns null for none */
export function findComparison(file: OpenableFile, files: readonly OpenableFile[]): Comparison | null {
  const [, base] = ENDING.exec(file.name) ?? []
  if (base === undefined || file.kind !== 'image') return null
  const find = (role: string) =>
    files.find((other) => {
      const [, otherBase, otherRole] = ENDING.exec(other.name) ?? []
      const isSame = other.attempt === file.attempt && other.step === file.step
      return other.kind === 'image' && isSame && otherBase === base && otherRole === role
    }) ?? null
  const expected = find('expected')
  const actual = find('actual')
  return expected === null || actual === null ? null : { expected, actual, diff: find('diff') }
}
