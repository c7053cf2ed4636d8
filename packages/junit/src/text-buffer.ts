import { cutShort, KEPT_LENGTH, LOOKED_AT, withoutControls } from './clean-text.ts'

/** A text that comes in parts: what is kept of it, readable, and whether that is less than all of it. */
export interface GatheredText {
  /** @param hasControls whether there may be characters in the part that XML forbids */
  add(part: string, hasControls: boolean): void
  isEmpty(): boolean
  end(): { text: string; cut: boolean }
}

/**
 * Keeps the beginning of a text. A terminal sequence may begin in one part and end in the next, so that the text is
 * cleaned at its end; only where the sequences would take the place of words is it cleaned as it comes.
 */
export function gatherText(): GatheredText {
  let text = ''
  let cut = false
  let hasSequences = false
  let cleansParts = false

  function addWhatFits(part: string): void {
    if (hasSequences && !cleansParts) {
      cleansParts = true
      text = withoutControls(text)
    }
    const room = KEPT_LENGTH - text.length
    if (cut && room === 0) return
    const looked = cutShort(part, LOOKED_AT)
    const clean = cleansParts ? withoutControls(looked) : looked
    cut ||= looked.length < part.length || clean.length > room
    text += cutShort(clean, room)
  }

  return {
    add(part, hasControls) {
      hasSequences ||= hasControls || part.includes('#x1B[')
      if (!cleansParts && text.length + part.length <= KEPT_LENGTH) text += part
      else addWhatFits(part)
    },
    isEmpty: () => text === '',
    end: () => ({ text: hasSequences ? withoutControls(text) : text, cut }),
  }
}
