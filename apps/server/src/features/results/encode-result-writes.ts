import { quoteElement } from '../../platform/database/array-literal.ts'
import { createYielder } from '../../platform/yielder.ts'
import type { PartialResult, ResultWrite } from './result-write.ts'

type EncodedWrite = PartialResult & Pick<ResultWrite, 'caseNumber'>

/** The columns of result writes, each an array as PostgreSQL writes it. */
export interface EncodedResultWrites {
  caseNumbers: string
  statuses: string
  notes: string
  elapsed: string
  /** Which rows keep their note or elapsed time; null when none does. */
  keeps: { note: string; elapsed: string } | null
  /** Which rows replace results of steps; null when none does. */
  replacesSteps: string | null
  /** The versions that were tested; null when none is sent. */
  caseVersions: string | null
}

/** Encodes result writes as the driver would, but yields to the event loop. */
export async function encodeResultWrites(writes: readonly EncodedWrite[]): Promise<EncodedResultWrites> {
  const encodeColumn = createColumnEncoder(writes)
  const keepsAny = writes.some(({ note, elapsed }) => note === undefined || elapsed === undefined)
  return {
    caseNumbers: await encodeColumn(({ caseNumber }) => caseNumber),
    statuses: await encodeColumn(({ status }) => status ?? 'NULL'),
    notes: await encodeColumn(({ note }) => (typeof note === 'string' ? quoteElement(note) : 'NULL')),
    elapsed: await encodeColumn(({ elapsed }) => elapsed ?? 'NULL'),
    keeps: keepsAny
      ? {
          note: await encodeColumn(({ note }) => note === undefined),
          elapsed: await encodeColumn(({ elapsed }) => elapsed === undefined),
        }
      : null,
    replacesSteps: writes.some(({ replacesSteps }) => replacesSteps === true)
      ? await encodeColumn(({ replacesSteps }) => replacesSteps === true)
      : null,
    caseVersions: writes.some(({ caseVersion }) => caseVersion !== undefined)
      ? await encodeColumn(({ caseVersion }) => caseVersion ?? 'NULL')
      : null,
  }
}

/** Rows that are joined at once. Appending row by row would build a chain of a million strings. */
const CHUNK_SIZE = 500

function createColumnEncoder(writes: readonly EncodedWrite[]) {
  const yielder = createYielder(1)
  const chunks: (readonly EncodedWrite[])[] = []
  for (let start = 0; start < writes.length; start += CHUNK_SIZE) chunks.push(writes.slice(start, start + CHUNK_SIZE))
  return async (encodeElement: (write: EncodedWrite) => string | number | boolean): Promise<string> => {
    const encodedChunks: string[] = []
    for (const chunk of chunks) {
      if (yielder.shouldYield()) await yielder.yield()
      encodedChunks.push(chunk.map(encodeElement).join(','))
    }
    return `{${encodedChunks.join(',')}}`
  }
}
