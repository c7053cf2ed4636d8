/** A value of a body. Texts may hold slots (`slots.ts`) and stand for what no JavaScript value is ({@link verbatim}). */
export type Json = null | boolean | number | string | Json[] | { [name: string]: Json }

/** Stands in a body for JSON text that `JSON.stringify` would never write, such as `1e400`. It must hold no quotes. */
export const verbatim = (text: string): string => `\u27E6${text}\u27E7`

/** The JSON text of a value, with what is verbatim in it. Lone surrogates come out escaped. */
export const toJson = (value: Json): string =>
  JSON.stringify(value).replaceAll(/"\u27E6([^\u27E7]*)\u27E7"/g, (_, text: string) => text)

/** An object with a property of any name: `__proto__`, too. */
export const withProperty = (object: { [name: string]: Json }, name: string, value: Json): { [name: string]: Json } =>
  Object.fromEntries([...Object.entries(object), [name, value]])
