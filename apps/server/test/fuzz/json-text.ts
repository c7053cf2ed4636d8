/** A value of a body. Strings may contain slots (`slots.ts`) and raw JSON ({@link verbatim}). */
export type Json = null | boolean | number | string | Json[] | { [name: string]: Json }

/** Marks JSON that `JSON.stringify` cannot write, such as `1e400`. It must not contain quotes. */
export const verbatim = (text: string): string => `\u27E6${text}\u27E7`

/** Formats a value as JSON, with its verbatim parts. Lone surrogates are escaped. */
export const toJson = (value: Json): string =>
  JSON.stringify(value).replaceAll(/"\u27E6([^\u27E7]*)\u27E7"/g, (_, text: string) => text)

/** Adds a property with any name, even `__proto__`. */
export const withProperty = (object: { [name: string]: Json }, name: string, value: Json): { [name: string]: Json } =>
  Object.fromEntries([...Object.entries(object), [name, value]])
