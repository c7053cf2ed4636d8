import { Type, type Static, type TSchema } from 'typebox'

/*
 * Schemas of fields. The server's validator implements three extensions: `format: text` (well-formed Unicode without NUL,
 * which PostgreSQL cannot store), `format: timestamp`, and `x-trim` (removes white space at both ends before validation).
 */

/** A name or title: 1 to 255 characters after trimming. */
export const Name = (description: string) =>
  Type.String({ format: 'text', 'x-trim': true, minLength: 1, maxLength: 255, description })

/** Long text, up to 65,536 characters. */
export const LongText = (description: string) => Type.String({ format: 'text', maxLength: 65_536, description })

/** An id in a body or query. An id of the wrong form is not found rather than invalid. */
export const Id = (description: string) => Type.String({ format: 'text', maxLength: 255, description })

export const UUID_PATTERN = '^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$'

/** An id in a query for which nothing can be returned if it has the wrong form, such as a cursor. */
export const Uuid = (description: string) => Type.String({ pattern: UUID_PATTERN, description })

/** Does not accept quoted local parts and address literals, which personal mailboxes do not have. */
export const EMAIL_PATTERN = String.raw`^[^\s@<>()\[\],;:\\"\x00-\x1f\x7f]+@[^\s@<>()\[\],;:\\"\x00-\x1f\x7f]+$`

/** An email address in a request. */
export const Email = (description: string) =>
  Type.String({
    format: 'text',
    'x-trim': true,
    maxLength: 320,
    pattern: EMAIL_PATTERN,
    description,
  })

/** Up to 50 strings by name; names have 1 to 64 characters, strings up to 1,000. */
export const StringMap = (description: string) =>
  Type.Unsafe<Record<string, string>>({
    type: 'object',
    maxProperties: 50,
    propertyNames: { type: 'string', format: 'text', minLength: 1, maxLength: 64 },
    additionalProperties: { type: 'string', format: 'text', maxLength: 1000 },
    description,
  })

/** A new password: 8 to 1024 characters. The maximum limits the cost of hashing it. */
export const NewPassword = (description: string) =>
  Type.String({ format: 'text', minLength: 8, maxLength: 1024, description })

/** A time in a response: `2026-11-21T09:30:00.000Z`. */
export const Timestamp = (description: string) => Type.String({ format: 'date-time', description })

/** A time in a request: RFC 3339 with any offset, or a date (midnight UTC). */
export const TimestampInput = (description: string) => Type.String({ format: 'timestamp', description })

/** One of the given strings. */
export function OneOf<const V extends readonly string[]>(
  values: V,
  options: { description: string; default?: V[number] },
) {
  return Type.Unsafe<V[number]>({ type: 'string', enum: [...values], ...options })
}

/** The schema, or null. */
export function Nullable<S extends TSchema>(schema: S) {
  const { type, enum: values, ...rest } = schema as { type?: string; enum?: unknown[] }
  return Type.Unsafe<Static<S> | null>({
    ...rest,
    type: [type, 'null'],
    ...(values === undefined ? {} : { enum: [...values, null] }),
  })
}

/** `{data: …}`, the response of a single resource. */
export function Data<S extends TSchema>(schema: S) {
  return Type.Object({ data: schema })
}

/** `{message}`, the response to a deletion. */
export const Message = Type.Object(
  { message: Type.String({ description: 'Confirmation of what was done.' }) },
  { examples: [{ message: 'Deleted.' }] },
)
