import { Type, type Static, type TSchema } from 'typebox'

/*
 * The vocabulary of fields. Two keywords are ours and are enforced by the server's validator:
 * `format: text` (well-formed Unicode without NUL, which PostgreSQL cannot store) and `x-trim`
 * (white space at both ends is dropped before lengths are checked).
 */

/** A name or title: 1-255 characters after trimming. */
export const Name = (description: string) =>
  Type.String({ format: 'text', 'x-trim': true, minLength: 1, maxLength: 255, description })

/** Long text, up to 65,536 characters. */
export const LongText = (description: string) => Type.String({ format: 'text', maxLength: 65_536, description })

/** An identifier in a body or query. One of the wrong form is simply unknown. */
export const Id = (description: string) => Type.String({ format: 'text', maxLength: 255, description })

/** Quoted local parts and address literals are not taken: no mailbox of a person has them. */
export const EMAIL_PATTERN = String.raw`^[^\s@<>()\[\],;:\\"\x00-\x1f\x7f]+@[^\s@<>()\[\],;:\\"\x00-\x1f\x7f]+$`

/** An e-mail address in a request. */
export const Email = (description: string) =>
  Type.String({
    format: 'text',
    'x-trim': true,
    maxLength: 320,
    pattern: EMAIL_PATTERN,
    description,
  })

/** Short texts by name: at most 50, names of 1-64 characters, texts of up to 1,000. */
export const StringMap = (description: string) =>
  Type.Unsafe<Record<string, string>>({
    type: 'object',
    maxProperties: 50,
    propertyNames: { type: 'string', format: 'text', minLength: 1, maxLength: 64 },
    additionalProperties: { type: 'string', format: 'text', maxLength: 1000 },
    description,
  })

/** A new password: 8-1024 characters, taken as it is. The upper bound keeps its hash from costing more than it should. */
export const NewPassword = (description: string) =>
  Type.String({ format: 'text', minLength: 8, maxLength: 1024, description })

/** A time in an answer: `2026-11-21T09:30:00.000Z`. */
export const Timestamp = (description: string) => Type.String({ format: 'date-time', description })

/** A time in a request: RFC 3339 with any offset, or a date alone (midnight UTC). */
export const TimestampInput = (description: string) => Type.String({ format: 'timestamp', description })

/** One of a fixed set of words. */
export function OneOf<const V extends readonly string[]>(
  values: V,
  options: { description: string; default?: V[number] },
) {
  return Type.Unsafe<V[number]>({ type: 'string', enum: [...values], ...options })
}

/** The same shape, or null. */
export function Nullable<S extends TSchema>(schema: S) {
  const { type, enum: values, ...rest } = schema as { type?: string; enum?: unknown[] }
  return Type.Unsafe<Static<S> | null>({
    ...rest,
    type: [type, 'null'],
    ...(values === undefined ? {} : { enum: [...values, null] }),
  })
}

/** `{data: …}`, the wrapper of single projects, folders, test cases, runs and results. */
export function Data<S extends TSchema>(schema: S) {
  return Type.Object({ data: schema })
}

/** `{message}`, the answer of a deletion. */
export const Message = Type.Object(
  { message: Type.String({ description: 'What was done.' }) },
  { examples: [{ message: 'Deleted.' }] },
)
