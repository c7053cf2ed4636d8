import { createByteDecoder } from './decode-bytes.ts'
import { JUnitError } from './junit-error.ts'
import { createReportReader, type ReaderOptions } from './read-report.ts'
import type { JUnitReport } from './test-attempt.ts'

export { JUnitError, type JUnitErrorCode } from './junit-error.ts'
export { OUTPUT_PATH, type OutputFiles } from './output-file.ts'
export type { ReaderOptions } from './read-report.ts'
export type {
  AttemptDetail,
  AttemptEvidence,
  AttemptFile,
  DetailKind,
  JUnitReport,
  NamedFile,
  NamedLink,
  NamedStep,
  SuiteError,
  TestAttempt,
} from './test-attempt.ts'

/** Reads a report in chunks of any size, bytes or text. */
export interface JUnitParser {
  /** @throws JUnitError as soon as the report is invalid; the parser cannot be used afterwards */
  write(chunk: Uint8Array | string): void
  /** @throws JUnitError when the report is truncated */
  end(): JUnitReport
}

/** Bytes or UTF-16 units parsed between two checks of the clock: about half a millisecond of work. */
const SLICE_LENGTH = 32_768

const MAX_BLOCKING_MS = 5

/**
 * Creates a streaming parser for JUnit XML in all its dialects. Bytes are decoded by their byte order mark, else by the
 * XML declaration, else as UTF-8; in text the declaration is ignored. Memory use is that of the attempts: output is not
 * stored, and texts are truncated to 140,000 UTF-16 units. Nothing is ever fetched, and no entity is ever expanded.
 */
export function createJUnitParser(options: ReaderOptions = {}): JUnitParser {
  const decoder = createByteDecoder()
  const { xml, report } = createReportReader(options)

  return {
    write(chunk) {
      wrapUnexpectedErrors(() => xml.write(typeof chunk === 'string' ? chunk : decoder.write(chunk)))
    },
    end() {
      wrapUnexpectedErrors(() => {
        xml.write(decoder.end())
        xml.end()
      })
      return { ...report, skippedText: xml.skippedText() }
    },
  }
}

/**
 * Parses a report without blocking the event loop for more than about ten milliseconds at a time.
 *
 * @param input the report as text, as bytes, or in chunks, such as the body of a request
 * @throws JUnitError when the report is invalid; errors of the iterable are passed on
 */
export async function parseJUnit(
  input: string | Uint8Array | readonly string[] | AsyncIterable<Uint8Array | string>,
  options: ReaderOptions = {},
): Promise<JUnitReport> {
  const parser = createJUnitParser(options)
  let yieldedAt = performance.now()
  for await (const chunk of typeof input === 'string' || input instanceof Uint8Array ? [input] : input) {
    for (let start = 0; start < chunk.length; start += SLICE_LENGTH) {
      const end = start + SLICE_LENGTH
      parser.write(typeof chunk === 'string' ? chunk.slice(start, end) : chunk.subarray(start, end))
      if (performance.now() - yieldedAt > MAX_BLOCKING_MS) {
        await new Promise((resolve) => setImmediate(resolve))
        yieldedAt = performance.now()
      }
    }
  }
  return parser.end()
}

/**
 * Callers handle only JUnitError. saxes may throw others, for example when a text exceeds the longest possible string.
 */
function wrapUnexpectedErrors(parse: () => void): void {
  try {
    parse()
  } catch (error) {
    if (error instanceof JUnitError) throw error
    throw new JUnitError('malformed_xml', 'The report cannot be read.', { line: 1, column: 1 }, { cause: error })
  }
}
