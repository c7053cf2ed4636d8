/**
 * Formats texts as PostgreSQL writes an array, for a parameter of a text query
 * (https://www.postgresql.org/docs/current/arrays.html#ARRAYS-IO).
 */
export const toArrayLiteral = (texts: readonly string[]): string =>
  `{${texts.map((text) => `"${text.replaceAll(/["\\]/g, String.raw`\$&`)}"`).join(',')}}`
