const MAX_NAME_LENGTH = 255

/** Cuts a text to the length of a name, between characters: half a surrogate pair cannot be stored. */
export const truncateName = (text: string): string => Array.from(text).slice(0, MAX_NAME_LENGTH).join('')

/** The local part of an email address, as the name of a user who has not given one. */
export const deriveNameFromEmail = (email: string): string => truncateName(email.split('@', 1)[0] ?? email)
