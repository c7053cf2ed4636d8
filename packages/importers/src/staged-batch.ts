import type { ImportRecord, PreparedCase } from './records.ts'
import { toStoredJson, toStoredLines } from './stored-json.ts'

/** Records as the service stores them, as texts: whoever reads files does the work, and the service passes them on. */
export interface StagedBatch {
  count: number
  /** What is known of each record, as one JSON text. */
  rows: string
  /** Each record, one to a line. */
  records: string
  /** What can be stored of each test case, one to a line; an empty one for others. */
  prepared: string
}

/** More would be in memory twice, while the next ones are read. */
const MAX_CHARACTERS = 1_000_000
const MAX_RECORDS = 2000

/** Collects records that are stored together. */
export class BatchOfRecords {
  readonly #rows: string[] = []
  readonly #records: string[] = []
  readonly #prepared: string[] = []
  #characters = 0

  get isFull(): boolean {
    return this.#characters >= MAX_CHARACTERS || this.#rows.length >= MAX_RECORDS
  }

  get isEmpty(): boolean {
    return this.#rows.length === 0
  }

  /** What the source says of itself is nothing that is imported. */
  add(record: ImportRecord, prepared: PreparedCase | null): void {
    if (record.kind === 'source') return
    const { key, title } = describeRecord(record)
    const losses = prepared === null ? [] : [...new Set(prepared.losses)]
    const staged = toStaged(record, prepared)
    const texts = [
      toStoredJson({ kind: record.kind, key, title: title.slice(0, 500), read_losses: losses }),
      toStoredJson(staged.record),
      toStoredLines([staged.prepared]),
    ] as const
    this.#rows.push(texts[0])
    this.#records.push(texts[1])
    this.#prepared.push(texts[2])
    for (const text of texts) this.#characters += text.length
  }

  /** Takes out what was added. */
  take(): StagedBatch {
    const batch = {
      count: this.#rows.length,
      rows: `[${this.#rows.join(',')}]`,
      records: this.#records.join('\n'),
      prepared: this.#prepared.join('\n'),
    }
    for (const list of [this.#rows, this.#records, this.#prepared]) list.length = 0
    this.#characters = 0
    return batch
  }
}

/**
 * What only its source knows of a result is kept beside its record: a digest of the records tells whether the results of a run have changed, also since they
 * were imported without it.
 */
function toStaged(record: ImportRecord, prepared: unknown): { record: unknown; prepared: unknown } {
  if (record.kind !== 'result' || record.own === undefined) return { record, prepared }
  const { own, ...rest } = record
  return { record: rest, prepared: own }
}

type StagedRecord = Exclude<ImportRecord, { kind: 'source' }>

function describeRecord(record: StagedRecord): { key: string | null; title: string } {
  switch (record.kind) {
    case 'field':
    case 'folder':
    case 'person':
    case 'plan':
    case 'milestone':
    case 'run':
    case 'attachment':
    case 'test':
      return { key: record.key, title: record.name }
    case 'case':
    case 'shared_steps':
    case 'shared_step_version':
      return { key: record.key, title: record.title }
    case 'case_version':
      return { key: record.key, title: record.changed.join(', ') }
    case 'comment':
      return { key: record.key, title: record.text ?? '' }
    case 'left_out':
      return { key: record.key, title: record.name }
    case 'configuration':
      return { key: record.key, title: `${record.group}: ${record.value}` }
    case 'relation':
      return { key: `${record.from} ${record.to}`, title: record.relation }
    case 'test_outcome':
      return { key: `${record.run} ${record.test}`, title: record.status }
    case 'suite_error':
      return { key: record.key, title: record.location || record.message }
    case 'quarantine':
      return { key: record.key, title: record.reason }
    case 'result':
    default:
      return { key: `${record.run} ${record.case}`, title: record.status }
  }
}
