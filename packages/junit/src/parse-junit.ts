import { createByteDecoder } from './decode-bytes.ts'
import { JUnitError } from './junit-error.ts'
import { createReportReader } from './read-report.ts'
import type { JUnitReport } from './test-attempt.ts'

export { JUnitError, type JUnitErrorCode } from './junit-error.ts'
export type { AttemptDetail, DetailKind, JUnitReport, SuiteError, TestAttempt } from './test-attempt.ts'

/** Takes a report in pieces of any size, bytes or text. */
export interface JUnitParser {
  /** @throws JUnitError as soon as the report turns out to be unreadable; the parser is of no use then. */
  write(chunk: Uint8Array | string): void
  /** @throws JUnitError when the report breaks off. */
  end(): JUnitReport
}

/** UTF-16 units or bytes between two looks at the clock: about half a millisecond of work. */
const SLICE_LENGTH = 32_768

const LONGEST_TURN_MS = 5

/**
 * A streaming parser for JUnit XML in all its dialects. Bytes are decoded by their byte order mark, else by the
 * declaration, else as UTF-8; in text the declaration means nothing. Memory is that of the attempts: output is not kept,
 * and at most 140,000 UTF-16 units of any other text are. Nothing is ever fetched and no entity is ever expanded.
 */
export function createJUnitParser(): JUnitParser {
  const decoder = createByteDecoder()
  const { xml, report } = createReportReader()

  return {
    write(chunk) {
      wrapUnexpectedErrors(() => xml.write(typeof chunk === 'string' ? chunk : decoder.write(chunk)))
    },
    end() {
      wrapUnexpectedErrors(() => {
        xml.write(decoder.end())
        xml.end()
      })
      return report
    },
  }
}

/**
 * Parses a whole report without holding the event loop for more than about ten milliseconds at a time.
 *
 * @param input the report's text, its bytes, or its bytes in pieces, such as a request's body.
 * @throws JUnitError when the report is not readable; whatever the iterable throws is passed on.
 */
export async function parseJUnit(
  input: string | Uint8Array | AsyncIterable<Uint8Array | string>,
): Promise<JUnitReport> {
  const parser = createJUnitParser()
  let turnStart = performance.now()
  for await (const piece of typeof input === 'string' || input instanceof Uint8Array ? [input] : input) {
    for (let start = 0; start < piece.length; start += SLICE_LENGTH) {
      const end = start + SLICE_LENGTH
      parser.write(typeof piece === 'string' ? piece.slice(start, end) : piece.subarray(start, end))
      if (performance.now() - turnStart > LONGEST_TURN_MS) {
        await new Promise((resolve) => setImmediate(resolve))
        turnStart = performance.now()
      }
    }
  }
  return parser.end()
}

/** saxes holds a text as one string, and the longest string that there can be is no business of the caller's. */
function wrapUnexpectedErrors(parse: () => void): void {
  try {
    parse()
  } catch (error) {
    if (error instanceof JUnitError) throw error
    throw new JUnitError('malformed_xml', 'The report cannot be read.', { line: 1, column: 1 }, { cause: error })
  }
}
