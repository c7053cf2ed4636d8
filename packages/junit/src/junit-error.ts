/**
 * Why a report was rejected:
 *
 * - `empty`: it is empty or contains only white space
 * - `not_xml`: JSON, plain text, an archive, …
 * - `malformed_xml`: XML that is truncated or violates XML's syntax
 * - `declares_entities`: a DOCTYPE with `<!ENTITY`; rejected because entities allow XML bombs
 * - `not_junit`: valid XML in another format (NUnit, TRX, HTML, …)
 * - `too_long`: a single text or tag exceeds the parser's limits
 * - `too_deep`: elements are nested more than 100 deep
 */
export type JUnitErrorCode =
  | 'empty'
  | 'not_xml'
  | 'malformed_xml'
  | 'declares_entities'
  | 'not_junit'
  | 'too_long'
  | 'too_deep'

/** A position in the report. Both count from 1; a column counts characters, not bytes or UTF-16 units. */
export interface Position {
  readonly line: number
  readonly column: number
}

/**
 * Returns the position of the character that follows a text.
 *
 * @param start the line on which the text starts, and the number of characters before it on that line
 */
export function getPositionAfter(text: string, start: Position): Position {
  const lines = text.split('\n')
  const before = lines.length === 1 ? start.column : 0
  return { line: start.line + lines.length - 1, column: before + Array.from(lines.at(-1) ?? '').length + 1 }
}

/**
 * The only error that an input can cause. `message` is one or more complete sentences for the user who uploaded the
 * report, with line and column where they help.
 */
export class JUnitError extends Error {
  override readonly name = 'JUnitError'
  readonly code: JUnitErrorCode
  readonly line: number
  readonly column: number

  constructor(code: JUnitErrorCode, message: string, position: Position, options?: ErrorOptions) {
    super(message, options)
    this.code = code
    this.line = position.line
    this.column = position.column
  }
}
