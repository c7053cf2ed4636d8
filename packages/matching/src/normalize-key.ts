const SEPARATORS = /[\s.>›»:/\\]+/g

const SPACE = 0x20
const LAST_ASCII = 0x7e
/** Whether a printable ASCII character is one of {@link SEPARATORS}, by its code. */
const IS_SEPARATOR = Array.from({ length: LAST_ASCII + 1 }, (_, code) => ' .>:/\\'.includes(String.fromCharCode(code)))

/**
 * Normalizes an automation key, or the titles of a test: two keys are the same when they differ only in separators. Unicode
 * NFC; each run of white space and of the characters `. > › » : / \` becomes one space; trimmed.
 *
 * Texts in printable ASCII, as most are, are read character by character: the pattern takes five times longer.
 */
export function normalizeKey(text: string): string {
  let key = ''
  // Words with a single space between them stay together: from the beginning of the first to the end of the last one.
  let start = -1
  let end = 0
  for (let at = 0; at < text.length; at += 1) {
    const code = text.charCodeAt(at)
    if (code < SPACE || code > LAST_ASCII) return normalizeAny(text)
    if (IS_SEPARATOR[code] === true) continue
    if (start === -1) start = at
    else if (at > end && (at > end + 1 || text.charCodeAt(end) !== SPACE)) {
      key += `${text.slice(start, end)} `
      start = at
    }
    end = at + 1
  }
  return start === -1 ? '' : key + text.slice(start, end)
}

const normalizeAny = (text: string): string => text.normalize('NFC').replace(SEPARATORS, ' ').trim()
