/*
 * Arrays as PostgreSQL writes them, for parameters (https://www.postgresql.org/docs/current/arrays.html#ARRAYS-IO).
 */

/** An element of any text. */
export const quoteElement = (text: string): string => `"${text.replaceAll(/["\\]/g, String.raw`\$&`)}"`

export const toArrayLiteral = (texts: readonly string[]): string => `{${texts.map(quoteElement).join(',')}}`
