/** As long as a name may be. */
const MAX_LENGTH = 255

/** A text, cut to the length of a name. By characters: half of one could not be stored. */
export const cutName = (text: string): string => Array.from(text).slice(0, MAX_LENGTH).join('')

/** What somebody is called of whom only the address is known. */
export const nameFromEmail = (email: string): string => cutName(email.split('@', 1)[0] ?? email)
