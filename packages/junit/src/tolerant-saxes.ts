import { SaxesParser } from 'saxes'

/** XML 1.1 differs in nothing that a report needs. Prefixes are dropped by hand: resolving them would cost time for nothing. */
const OPTIONS = { forceXMLVersion: true, defaultXMLVersion: '1.0', xmlns: false } as const

/**
 * saxes, asking before it objects. It would make an Error, with its stack, for each of a million control characters if
 * this were an 'error' handler; and as a property of a plain SaxesParser it would make V8 turn the parser, which has as
 * many properties as it may have, into a dictionary: six times slower (measured with eight handlers, Node 20).
 */
export class TolerantSaxes extends SaxesParser<typeof OPTIONS> {
  readonly #object: (reason: string) => void

  /** @param object throws unless the reason may be passed over. */
  constructor(object: (reason: string) => void) {
    super(OPTIONS)
    this.#object = object
  }

  override fail(reason: string): this {
    this.#object(reason)
    return this
  }
}
