import { invalidFieldProblem } from '../../platform/http/problems.ts'

/** Whose password it is: attackers try what they know about a user first. */
export interface PasswordOwner {
  email: string
  name: string
}

const PRODUCT_NAME = 'Caseward'
/** The minimum length of a password, and of what remains of it without a word that is easy to guess. */
const MIN_LENGTH = 8
/** Shorter words occur in others by chance: “Ada” in “Canada”. */
const MIN_WORD_LENGTH = 4
/** How many characters before and after a common password do not make it a better one, such as `2026!`. */
const MAX_ADDED_CHARACTERS = 5
/** The length of the longest pattern that counts as repeated. */
const MAX_PATTERN_LENGTH = 4

/** @throws {Problem} 400 `weak_password` with the reason, for the field `password` */
export async function requireStrongPassword(password: string, owner: PasswordOwner): Promise<void> {
  const weakness = await findPasswordWeakness(password, owner)
  if (weakness !== null) throw invalidFieldProblem('/password', weakness, 'weak_password')
}

/** Returns why a password is easy to guess, to continue the name of a field; null when it is not. */
export async function findPasswordWeakness(password: string, { email, name }: PasswordOwner): Promise<string | null> {
  const text = password.normalize('NFKC').toLowerCase()
  if (consistsOf(text, [PRODUCT_NAME])) return `is too easy to guess: it contains “${PRODUCT_NAME}” and little else`
  if (consistsOf(text, splitEmail(email))) {
    return 'is too easy to guess: it contains your email address, or a part of it, and little else'
  }
  if (consistsOf(text, splitName(name))) return 'is too easy to guess: it contains your name and little else'
  if (isRepetition(text) || isSequence(text) || (await isCommon(text))) {
    return 'is too easy to guess: attackers try common passwords and simple patterns first. Choose a few unrelated words'
  }
  return null
}

const toLetters = (text: string) =>
  text
    .normalize('NFKC')
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N}]/gu, '')

/** Whether a password contains some of the words, and without them would be too short. */
function consistsOf(password: string, words: readonly string[]): boolean {
  const letters = toLetters(password)
  const longestFirst = words
    .map(toLetters)
    .filter((word) => word.length >= MIN_WORD_LENGTH)
    .toSorted((a, b) => b.length - a.length)
  const rest = longestFirst.reduce((remaining, word) => remaining.replaceAll(word, ''), letters)
  return rest.length < letters.length && rest.length < MIN_LENGTH
}

/** The address, its two sides, and their parts: `ada`, `lovelace` and `example` of `ada.lovelace@example.com`. */
function splitEmail(email: string): string[] {
  const [localPart = '', domain = ''] = email.split('@')
  return [email, localPart, domain, ...localPart.split(/[^\p{L}\p{N}]+/u), ...domain.split('.').slice(0, -1)]
}

const splitName = (name: string) => [name, ...name.split(/[^\p{L}\p{N}]+/u)]

/** Whether a text repeats a few characters: `aaaaaaaa`, `abcabcab`. */
function isRepetition(text: string): boolean {
  const characters = Array.from(text)
  for (let length = 1; length <= MAX_PATTERN_LENGTH; length += 1) {
    if (characters.every((character, index) => character === characters[index % length])) return true
  }
  return false
}

/** Whether each character follows the one before it, upwards or downwards: `abcdefgh`, `98765432`. */
function isSequence(text: string): boolean {
  const codes = Array.from(text, (character) => character.codePointAt(0) ?? 0)
  return [1, -1].some((step) =>
    codes.every((code, index) => index === 0 || code === (codes[index - 1] ?? Number.NaN) + step),
  )
}

let commonPasswords: Promise<ReadonlySet<string>> | undefined

/** Whether a text is a common password, also with a few digits or other characters before and after it. */
async function isCommon(text: string): Promise<boolean> {
  // Loaded when the first password is set, because the list takes memory.
  commonPasswords ??= loadCommonPasswords()
  const passwords = await commonPasswords
  if (passwords.has(text)) return true
  const word = text.replaceAll(/^[^\p{L}]+|[^\p{L}]+$/gu, '')
  return word.length >= MIN_WORD_LENGTH && text.length - word.length <= MAX_ADDED_CHARACTERS && passwords.has(word)
}

async function loadCommonPasswords(): Promise<ReadonlySet<string>> {
  const { dictionary } = await import('@zxcvbn-ts/language-common')
  return new Set(dictionary['passwords-common'])
}
