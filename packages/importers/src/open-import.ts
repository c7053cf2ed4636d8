import type { Question, Recognized } from './formats/format.ts'
import { ImportProblem } from './import-problem.ts'
import type { ImportFile } from './input/import-file.ts'
import { LIMITS } from './limits.ts'
import { type Loss, Losses } from './losses.ts'
import type { CaseRecord, ImportRecord } from './records.ts'
import { type Choices, recognize } from './recognize.ts'

/** A file that is ready to be read. */
export interface OpenedImport extends Omit<Recognized, 'read'> {
  /**
   * Reads all records, as a stream.
   * @throws {ImportProblem} also after some records
   */
  records(): AsyncGenerator<ImportRecord>
  /** What got lost, complete after the last record. */
  losses(): Loss[]
  /** What must be asked, complete after the last record. */
  questions(): Question[]
}

/**
 * Recognizes a file, and makes it ready to be read.
 * @throws {ImportProblem} if it is nothing that can be imported
 */
export async function openImport(file: ImportFile, choices: Choices = {}): Promise<OpenedImport> {
  const { read, ...recognized } = await recognize(file, choices)
  let losses = new Losses()
  let questions: Question[] = []
  return {
    ...recognized,
    losses: () => losses.list(),
    questions: () => questions,
    async *records() {
      losses = new Losses()
      questions = []
      if (recognized.encoding?.isCertain === false) questions.push(askEncoding(recognized.encoding.encoding))
      yield* check(read({ losses, ask: (question) => questions.push(question) }), losses)
    },
  }
}

const askEncoding = (encoding: string): Question => ({
  id: 'encoding',
  sentence: 'The file does not tell its encoding. Are letters beyond a to z shown as they should be?',
  options: [encoding],
  default: encoding,
})

const MAXIMA = {
  case: LIMITS.cases,
  folder: LIMITS.folders,
  milestone: LIMITS.milestones,
  person: LIMITS.people,
  run: LIMITS.runs,
  result: LIMITS.results,
  test: LIMITS.tests,
  test_outcome: LIMITS.testOutcomes,
  suite_error: LIMITS.suiteErrors,
  quarantine: LIMITS.quarantines,
  left_out: LIMITS.leftOut,
} as const

/** Counts records against their limits, and what cases have in common. */
async function* check(records: AsyncIterable<ImportRecord>, losses: Losses): AsyncGenerator<ImportRecord> {
  const counts = Object.fromEntries(Object.keys(MAXIMA).map((kind) => [kind, 0])) as Record<keyof typeof MAXIMA, number>
  const keys = new Set<string>()
  for await (const record of records) {
    if (record.kind in counts) {
      const kind = record.kind as keyof typeof counts
      counts[kind] += 1
      if (counts[kind] > MAXIMA[kind]) {
        throw new ImportProblem(
          'too_many_records',
          `The file has more than ${MAXIMA[kind]} ${kind.replace('_', ' ')}s. Split it.`,
        )
      }
    }
    if (record.kind === 'case') checkKey(record, keys, losses)
    if (record.kind === 'result' && !keys.has(record.case)) losses.add('result_without_case', { key: record.case })
    yield record
  }
  if (counts.case === 0 && counts.result === 0) throw new ImportProblem('no_cases', 'The file contains no test cases.')
}

function checkKey({ key, title }: CaseRecord, keys: Set<string>, losses: Losses): void {
  if (key === null) return
  if (keys.has(key)) losses.add('duplicate_key', { key, title })
  keys.add(key)
}
