import { truncateText, MAX_TEXT_LENGTH, MAX_SCANNED_LENGTH, stripControlCharacters } from './clean-text.ts'

/** A text that comes in parts: what is kept of it, readable, and whether that is less than all of it. */
export interface TextBuffer {
  /** @param hasControls whether there may be characters in the part that XML forbids */
  add(part: string, hasControls: boolean): void
  isEmpty(): boolean
  end(): { text: string; isTruncated: boolean }
}

/**
 * Keeps the beginning of a text. A terminal sequence may begin in one part and end in the next, so that the text is
 * cleaned at its end; only where the sequences would take the place of words is it cleaned as it comes.
 */
export function createTextBuffer(): TextBuffer {
  let text = ''
  let isTruncated = false
  let hasSequences = false
  let cleansParts = false

  function addWhatFits(part: string): void {
    if (hasSequences && !cleansParts) {
      cleansParts = true
      text = stripControlCharacters(text)
    }
    const room = MAX_TEXT_LENGTH - text.length
    if (isTruncated && room === 0) return
    const looked = truncateText(part, MAX_SCANNED_LENGTH)
    const clean = cleansParts ? stripControlCharacters(looked) : looked
    isTruncated ||= looked.length < part.length || clean.length > room
    text += truncateText(clean, room)
  }

  return {
    add(part, hasControls) {
      hasSequences ||= hasControls || part.includes('#x1B[')
      if (!cleansParts && text.length + part.length <= MAX_TEXT_LENGTH) text += part
      else addWhatFits(part)
    },
    isEmpty: () => text === '',
    end: () => ({ text: hasSequences ? stripControlCharacters(text) : text, isTruncated }),
  }
}
