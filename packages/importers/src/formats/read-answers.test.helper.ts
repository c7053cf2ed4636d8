import { fromBytes, type ImportFile } from '../input/import-file.ts'
import { Losses } from '../losses.ts'
import type { CaseRecord, ImportRecord, ResultRecord, RunRecord } from '../records.ts'
import { ANSWER_FORMATS } from './answer-formats.ts'
import { Answers } from './answers.ts'

type Lists = Readonly<Record<string, readonly { of?: string; item?: unknown }[]>>

/** Reads answers as the command writes them. */
export async function readAnswers(system: string, lists: Lists, manifest = {}) {
  const files = new Map<string, ImportFile>()
  for (const [name, lines] of Object.entries(lists)) {
    const text = lines.map(({ of = '', item }) => `${JSON.stringify({ of, item })}\n`).join('')
    files.set(`answers/${name}.ndjson`, fromBytes(name, Buffer.from(text)))
  }
  const losses = new Losses()
  const records: ImportRecord[] = []
  const format = ANSWER_FORMATS.find((each) => each.system === system)
  if (format !== undefined) {
    const answers = new Answers(format.system, files, manifest)
    for await (const record of format.read(answers, { losses, ask: () => undefined })) records.push(record)
    await answers.countUnread(losses)
  }
  const pick = <R extends ImportRecord>(kind: R['kind']) => records.filter((record) => record.kind === kind) as R[]
  return {
    cases: pick<CaseRecord>('case'),
    runs: pick<RunRecord>('run'),
    results: pick<ResultRecord>('result'),
    records,
    counted: losses.list(),
    losses: losses.list().map(({ code }) => code),
  }
}

/** An object that a tool has answered with, in the list of something. */
export const item = (value: object, of = '') => ({ of, item: value })
