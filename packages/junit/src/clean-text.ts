/** How much of one text or attribute is kept, in UTF-16 units: more than the longest note of Caseward, all in emoji. */
export const MAX_TEXT_LENGTH = 140_000

/** How much of one is looked at for that. A colour for each letter is some ten times as long as the letters. */
export const MAX_SCANNED_LENGTH = 1_000_000

// Terminal escape sequences (ECMA-48): CSI (colours, cursor), OSC (titles, links), and the short ones. pytest cannot
// write ESC in XML and writes `#x1B` for it.
const ESCAPE_SEQUENCE =
  // oxlint-disable-next-line no-control-regex
  /(?:\u001b|#x1B(?=\[[\d;]*m))\[[0-?]*[ -/]*(?:[@-~]|$)|\u001b\][^\u0007\u001b]*(?:\u0007|\u001b\\)|\u001b[ -/]*[0-~]/g

/** Characters that XML 1.0 has no place for. */
// oxlint-disable-next-line no-control-regex
const NOT_XML = /[\0-\u0008\u000b\u000c\u000e-\u001f\ufffe\uffff]/g

const CHARACTER_REFERENCE = /&#(x[0-9a-fA-F]+|[0-9]+);/g

/** Drops terminal escape sequences as a whole, and whatever other characters XML does not allow. Linear in time. */
export function stripControlCharacters(text: string): string {
  return text.replace(ESCAPE_SEQUENCE, '').replace(NOT_XML, '')
}

/**
 * Puts the character itself in place of references such as `&#x1b;` that saxes leaves standing because XML forbids them;
 * those that name no character at all (a lone surrogate, a number past Unicode) go.
 */
export function decodeCharacterReferences(text: string): string {
  return text.replace(CHARACTER_REFERENCE, (reference, digits: string) => {
    const code = parseCodePoint(digits)
    if (isXmlCharacter(code)) return reference
    return code < 0x20 ? String.fromCharCode(code) : ''
  })
}

/** Whether this is a well-written reference such as `&#27;`, be its character allowed or not. */
export function isCharacterReference(reference: string): boolean {
  return /^&#(?:x[0-9a-fA-F]+|[0-9]+);$/.test(reference)
}

/** A lone half of a surrogate pair becomes U+FFFD, one for one, so that positions stay. */
export function replaceLoneSurrogates(text: string): string {
  return isWellFormed(text) ? text : text.replace(/\p{Surrogate}/gu, '\ufffd')
}

/** Node 18 has no String.prototype.isWellFormed; where there is one, it is twice as fast as the best pattern. */
function isWellFormed(text: string): boolean {
  const given: { isWellFormed?: () => boolean } = text
  return given.isWellFormed?.() ?? (!/[\ud800-\udfff]/.test(text) || !/\p{Surrogate}/u.test(text))
}

/** At most so many UTF-16 units, never half a character. */
export function truncateText(text: string, length = MAX_TEXT_LENGTH): string {
  if (text.length <= length) return text
  const last = text.charCodeAt(length - 1)
  return detachString(text.slice(0, last >= 0xd800 && last <= 0xdbff ? length - 1 : length))
}

/**
 * The same text, but no longer a part of the text that it was cut from. V8 keeps all of that alive for the sake of a
 * part; joining and cutting again makes it copy the part alone.
 */
export function detachString(text: string): string {
  return `${text} `.slice(0, -1)
}

function parseCodePoint(digits: string): number {
  return digits.startsWith('x') ? Number.parseInt(digits.slice(1), 16) : Number(digits)
}

function isXmlCharacter(code: number): boolean {
  if (code < 0x20) return code === 0x9 || code === 0xa || code === 0xd
  return code <= 0xd7ff || (code >= 0xe000 && code <= 0xfffd) || (code >= 0x1_0000 && code <= 0x10_ffff)
}
