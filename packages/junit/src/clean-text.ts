import { createHash } from 'node:crypto'

/** How much of a text or attribute is kept, in UTF-16 units. Caseward's longest note, all in emoji, is shorter. */
export const MAX_TEXT_LENGTH = 140_000

/** How much of a name is kept, in UTF-16 units. The longest name in a corpus of real reports has 2,000. */
const MAX_NAME_LENGTH = 10_000

/** How much of a name is scanned for that. */
export const MAX_SCANNED_NAME_LENGTH = 10 * MAX_NAME_LENGTH

/** How much of a text is scanned for that. Text with a color sequence per letter is about ten times as long. */
export const MAX_SCANNED_LENGTH = 1_000_000

// Terminal escape sequences (ECMA-48): CSI (colors, cursor), OSC (titles, links), and the short ones. pytest cannot
// write ESC in XML and writes `#x1B` instead.
const ESCAPE_SEQUENCE =
  // oxlint-disable-next-line no-control-regex
  /(?:\u001b|#x1B(?=\[[\d;]*m))\[[0-?]*[ -/]*(?:[@-~]|$)|\u001b\][^\u0007\u001b]*(?:\u0007|\u001b\\)|\u001b[ -/]*[0-~]/g

/** Characters that XML 1.0 does not allow. */
// oxlint-disable-next-line no-control-regex
const NOT_XML = /[\0-\u0008\u000b\u000c\u000e-\u001f\ufffe\uffff]/g

/** A longer reference, from `&` to `;`, is not valid. */
export const MAX_REFERENCE_LENGTH = 32

const INCOMPLETE_REFERENCE = /&(?:#\w*)?$/

const CHARACTER_REFERENCE = /&#(x[0-9a-fA-F]+|[0-9]+);/g

/** Removes terminal escape sequences and all other characters that XML does not allow, in linear time. */
export function stripControlCharacters(text: string): string {
  return text.replace(ESCAPE_SEQUENCE, '').replace(NOT_XML, '')
}

/**
 * Replaces references such as `&#x1b;`, which saxes does not decode because XML forbids them, by their characters.
 * Removes references to code points that are not characters: lone surrogates and numbers beyond Unicode, and an
 * incomplete reference at the end of a truncated text.
 */
export function decodeCharacterReferences(text: string, isTruncated: boolean): string {
  const incomplete = isTruncated ? INCOMPLETE_REFERENCE.exec(text.slice(-MAX_REFERENCE_LENGTH)) : null
  const complete = incomplete === null ? text : text.slice(0, -incomplete[0].length)
  return complete.replace(CHARACTER_REFERENCE, (reference, digits: string) => {
    const code = parseCodePoint(digits)
    if (isXmlCharacter(code)) return reference
    return code < 0x20 ? String.fromCharCode(code) : ''
  })
}

/** Returns whether a text has the syntax of a character reference such as `&#27;`, allowed or not. */
export function isCharacterReference(reference: string): boolean {
  return /^&#(?:x[0-9a-fA-F]+|[0-9]+);$/.test(reference)
}

/** Replaces each lone surrogate by U+FFFD. The length does not change, so positions stay valid. */
export function replaceLoneSurrogates(text: string): string {
  return isWellFormed(text) ? text : text.replace(/\p{Surrogate}/gu, '\ufffd')
}

/** String.prototype.isWellFormed is twice as fast as the patterns, but missing in Node 18. */
function isWellFormed(text: string): boolean {
  const string: { isWellFormed?: () => boolean } = text
  return string.isWellFormed?.() ?? (!/[\ud800-\udfff]/.test(text) || !/\p{Surrogate}/u.test(text))
}

/** Truncates a text to a number of UTF-16 units, never in the middle of a character. */
export function truncateText(text: string, length = MAX_TEXT_LENGTH): string {
  if (text.length <= length) return text
  const last = text.charCodeAt(length - 1)
  return detachString(text.slice(0, last >= 0xd800 && last <= 0xdbff ? length - 1 : length))
}

/**
 * Truncates a name. The end of a truncated name is a hash of the whole name, so that two long names stay different: tests
 * of the same name are attempts at one test, and the success of one would hide the failure of the other.
 *
 * @param name what is left of the first {@link MAX_SCANNED_NAME_LENGTH} units without control characters
 * @param original the whole attribute
 */
export function truncateName(name: string, original: string): string {
  const isScanned = original.length <= MAX_SCANNED_NAME_LENGTH
  if (isScanned && name.length <= MAX_NAME_LENGTH) return name
  const hash = createHash('sha256').update(original).digest('hex').slice(0, 16)
  return `${truncateText(name, MAX_NAME_LENGTH)}… [cut, ${hash}]`
}

/**
 * Returns a copy of a substring. V8 keeps the whole source string in memory as long as one of its substrings is in use;
 * concatenating and slicing forces a copy.
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
