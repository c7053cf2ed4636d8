import { SaxesParser } from 'saxes'

/** Reports need nothing of XML 1.1. Namespace prefixes are removed without resolving them, which is faster. */
const OPTIONS = { forceXMLVersion: true, defaultXMLVersion: '1.0', xmlns: false } as const

/**
 * A saxes parser that calls a handler instead of failing. With an 'error' handler, saxes would create an Error with a
 * stack for each of a million control characters. With the handler as a property of a plain SaxesParser, V8 would turn
 * the parser into a dictionary: six times slower (measured with eight handlers, Node 20).
 */
export class TolerantSaxes extends SaxesParser<typeof OPTIONS> {
  readonly #handleParserError: (reason: string) => void

  /** @param handleParserError throws when the error cannot be tolerated */
  constructor(handleParserError: (reason: string) => void) {
    super(OPTIONS)
    this.#handleParserError = handleParserError
  }

  /**
   * Joins the parts of the text that the parser is reading. V8 keeps a text that was appended to as a tree of its parts,
   * and reading a character replaces the tree by a plain text: megabytes of references would take a hundred times as much
   * memory, and joining all of them at the end would block other requests.
   */
  joinText(): void {
    this['text'].charCodeAt(0)
  }

  override fail(reason: string): this {
    this.#handleParserError(reason)
    return this
  }
}
