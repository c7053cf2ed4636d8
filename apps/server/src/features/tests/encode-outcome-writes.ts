import { type RawBuilder, sql } from 'kysely'

import { quoteElement } from '../../platform/database/array-literal.ts'
import { createYielder, type Yielder } from '../../platform/yielder.ts'
import { FIRST_SOURCE, type OutcomeWrite } from './outcome-write.ts'

/** Rows that are joined at once. Appending row by row would build a chain of a million strings. */
const CHUNK_SIZE = 500

type EncodeOne = (write: OutcomeWrite) => string | number | boolean

interface Column {
  name: string
  type: string
  encode: EncodeOne
  /** Whether all tests of an upload usually have the same. */
  isOftenTheSame?: true
}

const COMMON_COLUMNS: readonly Column[] = [
  { name: 'test_id', type: 'uuid', encode: ({ testId }) => testId },
  { name: 'status', type: 'attempt_status', encode: ({ status }) => status },
  { name: 'is_flaky', type: 'boolean', encode: ({ isFlaky }) => isFlaky, isOftenTheSame: true },
  { name: 'is_matched', type: 'boolean', encode: ({ isMatched }) => isMatched, isOftenTheSame: true },
  { name: 'elapsed_ms', type: 'int', encode: ({ elapsedMs }) => elapsedMs ?? 'NULL' },
  { name: 'attempt_count', type: 'smallint', encode: ({ attemptCount }) => attemptCount, isOftenTheSame: true },
  {
    name: 'attempts',
    type: 'json',
    encode: ({ attempts }) => (attempts === null ? 'NULL' : quoteElement(attempts)),
  },
]

/** Their own sources and times, if the run has several sources. */
const SOURCE_COLUMNS: readonly Column[] = [
  { name: 'source', type: 'int', encode: ({ source }) => (source === FIRST_SOURCE ? 'NULL' : source) },
  {
    name: 'tested_at',
    type: 'timestamptz',
    encode: ({ testedAt }) => (testedAt === null ? 'now' : `"${testedAt.toISOString()}"`),
  },
]

/**
 * The writes as a table. What all of them have in common is sent once.
 * @param options.hasSources whether they have their own sources and times
 */
export async function encodeOutcomeWrites(
  writes: readonly OutcomeWrite[],
  { hasSources }: { hasSources: boolean },
): Promise<RawBuilder<unknown>> {
  const [first] = writes
  const columns = hasSources ? [...COMMON_COLUMNS, ...SOURCE_COLUMNS] : COMMON_COLUMNS
  const sent: RawBuilder<unknown>[] = []
  const names: string[] = []
  const common: RawBuilder<unknown>[] = []
  const yielder = createYielder(1)
  for (const { name, type, encode, isOftenTheSame = false } of columns) {
    const value = isOftenTheSame && first !== undefined ? encode(first) : null
    if (value !== null && writes.every((write) => encode(write) === value)) {
      common.push(sql`, ${value}::${sql.raw(type)} as ${sql.raw(name)}`)
    } else {
      sent.push(sql`${await encodeColumn(writes, encode, yielder)}::${sql.raw(type)}[]`)
      names.push(name)
    }
  }
  return sql`(select *${sql.join(common, sql``)} from unnest(${sql.join(sent)}) as sent (${sql.raw(names.join(', '))})) as writes`
}

/** Encodes a column of the writes as an array, as the driver would, but yielding to the event loop. */
async function encodeColumn(writes: readonly OutcomeWrite[], encode: EncodeOne, yielder: Yielder): Promise<string> {
  const chunks: string[] = []
  for (let start = 0; start < writes.length; start += CHUNK_SIZE) {
    if (yielder.shouldYield()) await yielder.yield()
    chunks.push(
      writes
        .slice(start, start + CHUNK_SIZE)
        .map(encode)
        .join(','),
    )
  }
  return `{${chunks.join(',')}}`
}
