import { PLACEHOLDERS } from './replace-volatile.ts'

/** Words that failures of any cause have. */
const GENERAL_WORDS = new Set(
  `a an actual actually and are as assert assertion be been but did does equal equality equals error expect expected expecting
  failed failure false found from get got has have in instead is it message none not null object of or received result
  should strictly test that the this to true undefined value values was were with`.split(/\s+/),
)
const MIN_WORDS = 2
const MIN_LETTERS = 12

/** Whether a message says too little to be the same cause in another test. */
export function isWeakMessage(message: string): boolean {
  const words = message
    .replace(PLACEHOLDERS, ' ')
    .replace(/"[^"\n]*"|'[^'\n]*'|`[^`\n]*`/g, ' ')
    .match(/\p{L}+/gu)
  const telling = (words ?? []).filter((word) => !GENERAL_WORDS.has(word.toLowerCase()))
  const letters = telling.reduce((sum, word) => sum + word.length, 0)
  return telling.length < MIN_WORDS || letters < MIN_LETTERS
}
