/** Matches a character other than white space, a byte order mark or a control character. */
// oxlint-disable-next-line no-control-regex
export const VISIBLE = /[^\s\ufeff\ufffe\uffff\0-\u001f]/

/** How much text before the XML is skipped, in UTF-16 units. A command that prints its name prints a few lines. */
const MAX_LEADING_LENGTH = 65_536

/** Where the XML begins: a declaration, or the root of a report without one. */
const XML_START = /<\?xml\s|<(?:\w{1,50}:)?testsuites?[\s>/]/

/** The longest match of the pattern above. */
const MAX_START_LENGTH = 70

/** A report inside of JSON is not text before a report. */
const JSON_START = /^\s*(?:\{\s*["}]|\[\s*["{[\]\d])/

/** How much of the text before the XML is kept, to be shown. */
const MAX_SKIPPED_LENGTH = 200

/** Input without XML: what is before its first visible character, and that character. */
export interface NonXml {
  readonly blank: string
  readonly character: string
}

/** Finds where the XML of a report starts, whatever the size of the chunks. */
export interface StartFinder {
  /**
   * Returns what to read of the beginning of a report: '' until it is clear where the XML starts. Text before it, such as the
   * lines that npm prints, is replaced by blanks, so that positions stay right.
   */
  find(text: string): string | NonXml
  /** Returns what was read without finding a start; null if there is nothing visible. */
  end(): NonXml | null
  hasFound(): boolean
  /** The beginning of the text before the XML. */
  getSkippedText(): string
}

export function createStartFinder(): StartFinder {
  let leading = ''
  let hasFound = false
  let skippedText = ''

  function take(blankLength: number): string {
    const text = leading.slice(0, blankLength).replace(/[^\r\n]/g, ' ') + leading.slice(blankLength)
    leading = ''
    return text
  }

  const toNonXml = (visible: RegExpExecArray): NonXml => ({
    blank: leading.slice(0, visible.index),
    character: visible[0],
  })

  return {
    find(text) {
      leading += text
      const visible = VISIBLE.exec(leading)
      if (visible === null) return take(0)
      const offset = visible[0] === '<' ? 0 : findXmlStart(leading.slice(visible.index))
      if (offset === null) return toNonXml(visible)
      if (offset === -1) return ''
      hasFound = true
      const start = visible.index + offset
      if (offset > 0) skippedText = leading.slice(visible.index, start).trim().slice(0, MAX_SKIPPED_LENGTH)
      return take(offset > 0 ? start : 0)
    },
    end() {
      const visible = VISIBLE.exec(leading)
      return visible === null ? null : toNonXml(visible)
    },
    hasFound: () => hasFound,
    getSkippedText: () => skippedText,
  }
}

/** Returns where the XML begins in a text that starts with other text; -1 if not in this part, null if there is none. */
function findXmlStart(text: string): number | null {
  const start = text.slice(0, MAX_LEADING_LENGTH + MAX_START_LENGTH).search(XML_START)
  if (start !== -1 && start <= MAX_LEADING_LENGTH) return JSON_START.test(text) ? null : start
  return text.length >= MAX_LEADING_LENGTH + MAX_START_LENGTH ? null : -1
}
