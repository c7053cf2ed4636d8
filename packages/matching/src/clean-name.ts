/*
 * Which characters names and titles may contain. Two names that look alike must not differ, and no name may change how the
 * text around it is shown. Therefore a name contains no control characters, no line separators, and no characters that are
 * invisible or change the direction of text, except where a script needs them:
 *
 * - Joiners (U+200C, U+200D) between two visible characters, for Persian, Indic scripts and emoji sequences. Between two
 *   Latin, Greek or Cyrillic letters or digits they have no meaning.
 * - Variation selectors after a visible character other than such a letter, for emoji, Han and Mongolian.
 * - Direction marks (U+200E, U+200F, U+061C) in a name that has right-to-left letters. Embeddings, overrides and isolates
 *   are never allowed.
 * - Tag characters in the flags of regions such as Scotland.
 */

const ALPHABET = String.raw`\p{Script=Latin}\p{Script=Greek}\p{Script=Cyrillic}`
const VISIBLE = String.raw`[\p{L}\p{M}\p{N}\p{P}\p{S}]`
/** A limit, because each character of a long row of marks would look back over all of them. */
const MARKS = String.raw`\p{M}{0,16}`
const VARIATION_SELECTOR = String.raw`[\ufe00-\ufe0f\u{e0100}-\u{e01ef}\u180b-\u180d\u180f]`
const JOINER = String.raw`[\u200c\u200d]`
const DIRECTION_MARK = String.raw`[\u200e\u200f\u061c]`

const misplacedCharacters = new RegExp(
  [
    // Interlinear annotations (U+FFF9 to U+FFFB) and the empty Braille pattern are invisible, although Unicode does not
    // call them ignorable.
    String.raw`[\p{Cc}\p{Zl}\p{Zp}\ufff9-\ufffb\u2800]`,
    String.raw`(?!${JOINER}|${VARIATION_SELECTOR}|${DIRECTION_MARK})\p{Default_Ignorable_Code_Point}`,
    `(?<!${VISIBLE})${JOINER}`,
    `${JOINER}(?!${VISIBLE})`,
    String.raw`(?<=[${ALPHABET}\p{Nd}]${MARKS})${JOINER}(?=[${ALPHABET}\p{Nd}\p{M}])`,
    `(?<!${VISIBLE})${VARIATION_SELECTOR}`,
    String.raw`(?<=[${ALPHABET}]${MARKS}|${VARIATION_SELECTOR})${VARIATION_SELECTOR}`,
  ].join('|'),
  'gu',
)
const directionMarks = new RegExp(DIRECTION_MARK, 'gu')
const rightToLeftLetter = /[\u0590-\u08ff\ufb1d-\ufdff\ufe70-\ufefc\u{10800}-\u{10fff}\u{1e800}-\u{1efff}]/u
const regionFlag = /\u{1f3f4}[\u{e0020}-\u{e007e}]{1,8}\u{e007f}/gu
const FLAG = '\u{1f3f4}'

/** A shortcut for most names. */
const plainName = /^[ -~\u00a0-\u00ac\u00ae-\u02ff]*$/

/** Returns whether a name contains only visible characters and those that a script needs. */
export function isCleanName(name: string): boolean {
  if (plainName.test(name)) return true
  const text = name.replace(regionFlag, FLAG)
  if (text.search(misplacedCharacters) !== -1) return false
  return text.search(directionMarks) === -1 || hasRightToLeftLetter(text)
}

/**
 * Cleans a name that does not come from a user, such as a title in a report, so that {@link isCleanName} is true: white
 * space becomes a space, and misplaced characters are removed. The result may be empty.
 */
export function cleanName(name: string): string {
  let text = name.replace(/[\t\n\v\f\r\u0085\u2028\u2029]+/g, ' ')
  // Removing one character can leave another one in the wrong place.
  while (!isCleanName(text)) {
    const parts = text.split(regionFlag)
    const flags = text.match(regionFlag) ?? []
    text = parts.map((part, index) => cleanPart(part, text) + (flags[index] ?? '')).join('')
  }
  return text
}

function cleanPart(part: string, wholeName: string): string {
  const text = part.replace(misplacedCharacters, '')
  return hasRightToLeftLetter(wholeName) ? text : text.replace(directionMarks, '')
}

/** Direction marks are in the same blocks as the letters (U+061C). */
const hasRightToLeftLetter = (text: string) => rightToLeftLetter.test(text.replace(directionMarks, ''))
