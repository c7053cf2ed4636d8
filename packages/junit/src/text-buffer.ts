import { truncateText, MAX_TEXT_LENGTH, stripControlCharacters } from './clean-text.ts'

/** Collects a text that arrives in parts, without control characters and truncated to the maximum length. */
export interface TextBuffer {
  /**
   * @param hasControls whether the part may contain characters that XML does not allow
   * @param isPartTruncated whether the part is only the beginning of a text
   */
  add(part: string, hasControls: boolean, isPartTruncated: boolean): void
  isEmpty(): boolean
  end(): { text: string; isTruncated: boolean }
}

/**
 * Creates a buffer. Escape sequences are removed at the end of the text, because one may start in one part and end in
 * the next. Only a text that exceeds the maximum length is cleaned part by part, so that sequences do not displace
 * words.
 */
export function createTextBuffer(): TextBuffer {
  let text = ''
  let isTruncated = false
  let hasSequences = false
  let hasCleanParts = false

  function addTruncated(part: string): void {
    if (hasSequences && !hasCleanParts) {
      hasCleanParts = true
      text = stripControlCharacters(text)
    }
    const room = MAX_TEXT_LENGTH - text.length
    if (isTruncated && room === 0) return
    const clean = hasCleanParts ? stripControlCharacters(part) : part
    isTruncated ||= clean.length > room
    text += truncateText(clean, room)
  }

  return {
    add(part, hasControls, isPartTruncated) {
      isTruncated ||= isPartTruncated
      hasSequences ||= hasControls || part.includes('#x1B[')
      if (!hasCleanParts && text.length + part.length <= MAX_TEXT_LENGTH) text += part
      else addTruncated(part)
    },
    isEmpty: () => text === '',
    end: () => ({ text: hasSequences ? stripControlCharacters(text) : text, isTruncated }),
  }
}
