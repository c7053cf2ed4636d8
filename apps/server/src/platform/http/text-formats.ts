import { isCleanName } from '@caseward/matching/clean-name'

/** Whether PostgreSQL can store a text: well-formed Unicode without NUL. */
export const isText = (text: string): boolean => text.isWellFormed() && !text.includes('\0')

/** Whether a text can be a name: without control characters, and with invisible characters only where a script needs them. */
export const isName = (text: string): boolean => isText(text) && isCleanName(text)

const spaceOrInvisibleCharacter = /[\p{C}\p{Z}\p{Default_Ignorable_Code_Point}]/u

/**
 * Whether all characters of a text are visible. An email address has no use for any others, not even for those that a name
 * may contain: they would let two addresses look alike.
 */
export const isVisibleText = (text: string): boolean => !spaceOrInvisibleCharacter.test(text)
