import type { RunTest } from '@caseward/client/endpoints'

/** Frameworks whose arguments can name single tests. */
export const FRAMEWORKS = ['playwright', 'jest', 'vitest', 'mocha'] as const
export type Framework = (typeof FRAMEWORKS)[number]

export type FailedTest = Pick<RunTest, 'file' | 'suite' | 'name'>

/** Command lines on Windows have at most 8,191 characters, of which the framework's own name needs some. */
const MAX_LENGTH = 7000

/**
 * The arguments with which a framework runs these tests and, because it searches names by a pattern, sometimes a few more
 * whose names contain them: never fewer. In Playwright they run in every project that the caller does not leave out. Each
 * line is one invocation, quoted for a shell or for `xargs -r -L 1`. There are several lines if a command would be too long.
 */
export function formatArguments(tests: readonly FailedTest[], framework: Framework): string[] {
  return divide(tests, (part) => formatLine(part, framework))
}

/** Halves the tests until each line is short enough. A single long test stays as it is. */
function divide(tests: readonly FailedTest[], format: (tests: readonly FailedTest[]) => string): string[] {
  const line = format(tests)
  if (line.length <= MAX_LENGTH || tests.length < 2) return [line]
  const middle = Math.ceil(tests.length / 2)
  return [...divide(tests.slice(0, middle), format), ...divide(tests.slice(middle), format)]
}

function formatLine(tests: readonly FailedTest[], framework: Framework): string {
  const known = tests.map((test) => getFile(test))
  // A test without a file may be in any.
  const files = known.includes('') ? [] : [...new Set(known)]
  const patterns = [...new Set(tests.map((test) => buildPattern(test.name)))].join('|')
  const words: Readonly<Record<Framework, readonly string[]>> = {
    playwright: [
      ...files.map(escapePattern),
      // Tags follow the title.
      `--grep=(?:${patterns})(?: @|$)`,
    ],
    // Options with several values come last in Jest, and the pattern before them.
    jest: [`--testNamePattern=^(?:${patterns})$`, ...(files.length === 0 ? [] : ['--runTestsByPath', ...files])],
    vitest: [...files, `--testNamePattern=^(?:${patterns})$`],
    mocha: [...files, `--grep=^(?:${patterns})$`],
  }
  return words[framework].map(quote).join(' ')
}

/** Reporters name the file as the suite if the framework has no other one. */
const getFile = ({ file, suite }: FailedTest): string => (file === '' && /\.[cm]?[jt]sx?$/.test(suite) ? suite : file)

/** Frameworks join the titles of blocks with a space, and a title may itself contain ` > `. */
const buildPattern = (name: string): string => escapePattern(name).replaceAll(' > ', ' (?:> )?')

const escapePattern = (text: string): string => text.replaceAll(/[\\^$.*+?()[\]{}|/]/g, String.raw`\$&`)

/** For POSIX shells and for `xargs`, which both keep everything between single quotes. Lines end an invocation. */
const quote = (word: string): string =>
  /^[\w./:=@%+-]+$/.test(word) ? word : `'${word.replaceAll(/\r?\n/g, ' ').replaceAll("'", String.raw`'\''`)}'`
