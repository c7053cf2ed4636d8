import { createHash } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'

import { readFailure } from '@caseward/failures/read-failure'
import { isSameFailure } from '@caseward/failures/same-failure'
import { createJUnitParser } from '@caseward/junit'

import { boundFigure, type Figure } from '../figures.ts'
import { readReports } from './known-failures.ts'

/** What a reader says of a failure in a JUnit report: `failure <report> <which of its failures> <kind> <frame>`. */
interface LabeledFailure {
  report: string
  index: number
  kind: string
  frame: string
}

/** What a reader says of two texts of one test: `pair <test> <text> <text> same|other`, with texts named by {@link nameText}. */
interface LabeledPair {
  test: string
  texts: [string, string]
  isSame: boolean
}

export interface Labels {
  failures: LabeledFailure[]
  pairs: LabeledPair[]
}

/** Reads a file with a label in each line, whose fields are separated by tabs. */
export async function readLabels(path: string): Promise<Labels> {
  const labels: Labels = { failures: [], pairs: [] }
  const lines = (await readFile(path, 'utf8')).split('\n')
  lines.forEach((line, index) => {
    if (line === '' || line.startsWith('#')) return
    const [what, first = '', second = '', third = '', fourth = ''] = line.split('\t')
    if (what === 'failure' && /^\d+$/.test(second)) {
      labels.failures.push({ report: first, index: Number(second), kind: third, frame: fourth })
    } else if (what === 'pair' && (fourth === 'same' || fourth === 'other')) {
      labels.pairs.push({ test: first, texts: [second, third], isSame: fourth === 'same' })
    } else throw new Error(`${path}, line ${index + 1}: neither a failure nor a pair with a label: ${line}`)
  })
  return labels
}

/** The first digits of its SHA-256: texts are long, and not ours to copy. */
const nameText = (text: string): string => createHash('sha256').update(text).digest('hex').slice(0, 12)

/**
 * Compares what the service finds in failures, and which ones it calls the same, with what a reader says.
 * @param reports a directory with JUnit reports
 * @param checkout of nodejs/reliability
 */
export async function measureLabels(
  labels: Labels,
  { reports, checkout }: { reports: string; checkout: string },
  print: (text: string) => void,
): Promise<Figure[]> {
  return [
    ...(labels.failures.length === 0 ? [] : await measureFailures(labels.failures, reports, print)),
    ...(labels.pairs.length === 0 ? [] : await measurePairs(labels.pairs, checkout, print)),
  ]
}

const percent = (part: number, whole: number) => (100 * part) / Math.max(1, whole)

async function measureFailures(
  labels: readonly LabeledFailure[],
  reports: string,
  print: (text: string) => void,
): Promise<Figure[]> {
  let kinds = 0
  let frames = 0
  for (const { report, index, kind, frame } of labels) {
    const found = await readReportedFailure(join(reports, report), index)
    if (found.kind === kind) kinds += 1
    else print(`${report} ${index}: kind “${found.kind}”, a reader says “${kind}”`)
    if (found.frame === frame) frames += 1
    else print(`${report} ${index}: frame “${found.frame}”, a reader says “${frame}”`)
  }
  const count = labels.length
  return [
    boundFigure(`Kinds that a reader finds, too, of ${count} failures`, percent(kinds, count), 95, '%', 'least'),
    boundFigure(`Frames that a reader finds, too, of ${count} failures`, percent(frames, count), 90, '%', 'least'),
  ]
}

async function readReportedFailure(path: string, index: number): Promise<{ kind: string; frame: string }> {
  const parser = createJUnitParser()
  parser.write(await readFile(path))
  const failures = parser
    .end()
    .attempts.flatMap(({ name, classname, file, details }) =>
      details
        .filter(({ kind }) => kind === 'failure' || kind === 'error')
        .map(({ message, text }) =>
          readFailure({ message: message ?? '', details: text ?? '' }, { suite: classname, name, file }),
        ),
    )
  const failure = failures[index]
  if (failure === undefined) throw new Error(`${path} has no failure ${index}`)
  // A reader names the class, and not the code that Node.js adds to it.
  return { kind: failure.kind.replace(/ \[ERR_\w+\]$/, ''), frame: failure.frame }
}

async function measurePairs(
  pairs: readonly LabeledPair[],
  checkout: string,
  print: (text: string) => void,
): Promise<Figure[]> {
  const texts = new Map((await readReports(checkout)).map((failure) => [nameText(failure.details), failure]))
  const counts = { right: 0, wrong: 0, missed: 0 }
  for (const { test, texts: names, isSame } of pairs) {
    const [one, other] = names.map((name) => {
      const failure = texts.get(name)
      if (failure === undefined) throw new Error(`${checkout} has no text ${name} of ${test}`)
      return readFailure(failure, { ...failure, file: '' })
    })
    const isCalledSame = one !== undefined && other !== undefined && isSameFailure(one, other)
    if (isCalledSame) counts[isSame ? 'right' : 'wrong'] += 1
    else if (isSame) counts.missed += 1
    if (isCalledSame !== isSame) {
      print(
        `${test} ${names.join(' ')}: ${isCalledSame ? 'same' : 'other'}, a reader says ${isSame ? 'same' : 'other'}`,
      )
    }
  }
  const { right, wrong, missed } = counts
  return [
    boundFigure(
      `Of the pairs that are called one cause, those of which a reader says so, of ${pairs.length}`,
      percent(right, right + wrong),
      97,
      '%',
      'least',
    ),
    boundFigure(
      'Of the pairs of which a reader says so, those that are called one cause',
      percent(right, right + missed),
      85,
      '%',
      'least',
    ),
  ]
}
