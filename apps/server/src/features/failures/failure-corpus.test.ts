import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { fileURLToPath } from 'node:url'
import { stripVTControlCharacters } from 'node:util'

import { readFailure } from '@caseward/failures/read-failure'
import { createJUnitParser, type JUnitReport } from '@caseward/junit'
import { describe, expect, it } from 'vitest'

// Reports written by some fifty tools, as in the tests of the JUnit parser. They are not in the repository.
const repository = fileURLToPath(new URL('../../../../..', import.meta.url))
const corpus = resolve(repository, process.env['JUNIT_CORPUS'] ?? '../shared/junit')

interface KnownFailure {
  path: string
  test: { suite: string; name: string; file: string }
  message: string
  details: string
}

function readReport(path: string): JUnitReport | null {
  const parser = createJUnitParser()
  try {
    parser.write(readFileSync(join(corpus, path)))
    return parser.end()
  } catch {
    // Some reports are broken on purpose.
    return null
  }
}

const readFailures = (path: string): KnownFailure[] =>
  (readReport(path)?.attempts ?? []).flatMap(({ name, classname, file, details }) =>
    details
      .filter(({ kind }) => kind === 'failure' || kind === 'error')
      .map(({ message, text }) => ({
        path,
        test: { suite: classname, name, file },
        message: message ?? '',
        details: text ?? '',
      })),
  )

let state = 1
/** The same numbers in every run: what fails can be looked at again. */
const pick = (from: number, to: number): number => {
  state = (state * 1_103_515_245 + 12_345) % 2_147_483_648
  return from + (state % (to - from + 1))
}
const pickDigits = (pattern: string): string =>
  pattern.replaceAll('x', () => pick(0, 15).toString(16)).replaceAll('9', () => String(pick(1, 9)))

const CODE_BEFORE = /(?:status(?:[ _]?code)?|code|HTTP(?:\/\d(?:\.\d)?)?)["']?(?: was| is| of)?[\s:=]{0,3}$/i

/** What differs from run to run, each in a text. */
const changes: Readonly<Record<string, (text: string) => string>> = {
  'line ends': (text) => text.replaceAll('\r\n', '\n').replaceAll('\n', '\r\n'),
  colors: (text) => stripVTControlCharacters(text).replace(/\w+/g, '\u001B[31m$&\u001B[39m'),
  'whole numbers': (text) =>
    text.replace(/(?<![\w.$<>#@/\\:-])\d+(?![\w.:/\\$-])/g, (number, place: number) =>
      CODE_BEFORE.test(text.slice(0, place)) ? number : pickDigits('9999'),
    ),
  lines: (text) =>
    text
      .replace(/(?<=\.\w{1,8}:)\d+(?=\D|$)/g, () => pickDigits('999'))
      .replace(/(?<=, line |:line )\d+/g, () => pickDigits('999')),
  UUIDs: (text) =>
    text.replace(/\b[0-9a-f]{8}-(?:[0-9a-f]{4}-){3}[0-9a-f]{12}\b/gi, () =>
      pickDigits('xxxxxxxx-xxxx-xxxx-xxxx-xxxxxxxxxxxx'),
    ),
  times: (text) =>
    text
      .replace(/\b\d{4}-\d\d-\d\d([T ])\d\d:\d\d:\d\d/g, (_, between: string) =>
        pickDigits(`2099-09-19${between}19:49:59`),
      )
      .replace(/(?<![\d-T:])\b\d\d:\d\d:\d\d\b/g, () => pickDigits('19:49:59')),
  'ports and addresses': (text) =>
    text
      .replace(/\b\d{1,3}(?:\.\d{1,3}){3}\b/g, () => pickDigits('19.99.99.99'))
      .replace(/(?<=\blocalhost:)\d+/g, () => pickDigits('9999')),
  directories: (text) =>
    text.replace(
      /(?<=[\s("'`=]|file:\/\/|^)\/(?:home|Users|tmp|private|var|builds|opt|srv|usr|app|root|work|workspace)(?=\/)/gm,
      () => pickDigits('/tmp/build-xxxxxx'),
    ),
}

const escapePattern = (text: string) => text.replace(/[.*+?^${}()|[\]\\]/g, '\\$&')

/** Changes message and details. Details that repeat the message, with other white space or not, still do. */
function change({ message, details }: KnownFailure, how: (text: string) => string) {
  const before = state
  const changed = how(message)
  const words = message.split(/\s+/).filter((word) => word !== '')
  const repeated = words.length === 0 ? null : new RegExp(words.map(escapePattern).join('\\s+')).exec(details)
  if (repeated === null) return { message: changed, details: how(details) }
  // The same numbers again.
  state = before
  const end = repeated.index + repeated[0].length
  const [first, same, last] = [details.slice(0, repeated.index), how(repeated[0]), details.slice(end)]
  return { message: changed, details: how(first) + same + how(last) }
}

const failures = existsSync(corpus)
  ? readdirSync(corpus, { recursive: true, encoding: 'utf8' })
      .filter((path) => path.endsWith('.xml'))
      .toSorted()
      .flatMap(readFailures)
  : []

describe.runIf(failures.length > 0)('the signature of every failure in the corpus of real JUnit reports', () => {
  it.each(Object.entries(changes))('stays when these change: %s', (_what, how) => {
    const changed = failures
      .map((failure) => ({ failure, texts: change(failure, how) }))
      .filter(({ failure, texts }) => texts.message !== failure.message || texts.details !== failure.details)
    expect(changed.length).toBeGreaterThan(0)
    const different = changed.filter(
      ({ failure, texts }) =>
        readFailure(failure, failure.test).signature !== readFailure(texts, failure.test).signature,
    )
    expect(different.map(({ failure, texts }) => [failure.path, failure.message, texts.message])).toEqual([])
  })
})
