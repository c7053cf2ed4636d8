/**
 * What is wrong with a report, as a word that programs may switch on:
 *
 * - `empty`: nothing, or only white space
 * - `not_xml`: JSON, plain text, an archive, …
 * - `malformed_xml`: XML that breaks off or breaks XML's rules
 * - `declares_entities`: a DOCTYPE with `<!ENTITY`; refused unread, because entities are how XML bombs are made
 * - `not_junit`: sound XML of another kind (NUnit, TRX, HTML, …)
 * - `too_long`: one text or attribute longer than the parser is ready to hold
 */
export type JUnitErrorCode = 'empty' | 'not_xml' | 'malformed_xml' | 'declares_entities' | 'not_junit' | 'too_long'

/** A place in the document. Both count from 1; a column counts characters, not bytes or UTF-16 units. */
export interface Position {
  readonly line: number
  readonly column: number
}

/**
 * The place of the character that follows a text.
 *
 * @param start the line of the text's own beginning, and how many characters stand before it on that line.
 */
export function positionAfter(text: string, start: Position): Position {
  const lines = text.split('\n')
  const before = lines.length === 1 ? start.column : 0
  return { line: start.line + lines.length - 1, column: before + Array.from(lines.at(-1) ?? '').length + 1 }
}

/**
 * The only error that any input can cause. `message` is one or more whole sentences for the person who uploaded the
 * report, and names line and column where they help.
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
