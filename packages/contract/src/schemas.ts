import { Type, type TSchema } from 'typebox'

import type { Static } from './static.ts'

/*
 * Schemas of fields. The server's validator implements these extensions:
 *
 * - `format: text`: well-formed Unicode without NUL, which PostgreSQL cannot store
 * - `format: name`: text without control characters, invisible characters and characters that change the direction of text,
 *   except where a script needs them (`packages/matching/src/clean-name.ts`)
 * - `format: idn-email`: text without such characters, wherever they are
 * - `format: timestamp`
 * - `x-trim`: removes white space at both ends before validation
 * - `x-clean`: removes what `format: name` does not allow, before validation
 */

/** A name or title that a user chooses: 1 to 255 visible characters after trimming. */
export const Name = (description: string) =>
  Type.String({ format: 'name', 'x-trim': true, minLength: 1, maxLength: 255, description })

/**
 * A name or title that a program may have taken from elsewhere, such as a CI system or a file. Characters that a
 * {@link Name} must not contain are removed, so that they never fail a build or an import.
 */
export const CleanedName = (description: string) =>
  Type.String({ format: 'text', 'x-clean': true, 'x-trim': true, minLength: 1, maxLength: 255, description })

/** A key that a program chooses: 1 to 255 characters after trimming. */
export const Key = (description: string) =>
  Type.String({ format: 'text', 'x-trim': true, minLength: 1, maxLength: 255, description })

/** Long text, up to 65,536 characters. */
export const LongText = (description: string) => Type.String({ format: 'text', maxLength: 65_536, description })

/** An id in a body or query. An id of the wrong form is not found rather than invalid. */
export const Id = (description: string) => Type.String({ format: 'text', maxLength: 255, description })

export const UUID_PATTERN = '^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$'

/** An id in a query for which nothing can be returned if it has the wrong form, such as a cursor. */
export const Uuid = (description: string) => Type.String({ pattern: UUID_PATTERN, description })

/** A version in an `If-Match` header, or any (RFC 9110, section 13.1.1). */
export const IF_MATCH_PATTERN = String.raw`^(?:"[0-9]+"|\*)$`

/** Does not accept quoted local parts and address literals, which personal mailboxes do not have. */
export const EMAIL_PATTERN = String.raw`^[^\s@<>()\[\],;:\\"\x00-\x1f\x7f]+@[^\s@<>()\[\],;:\\"\x00-\x1f\x7f]+$`

/** An email address in a request. */
export const Email = (description: string) =>
  Type.String({
    format: 'idn-email',
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
  Type.String({
    format: 'text',
    minLength: 8,
    maxLength: 1024,
    description: `${description} Refused with the code \`weak_password\` if it is a common password, or contains the email address or name of the user or the name of the product and little else.`,
  })

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

/**
 * A query parameter that can be repeated: `?tag=a&tag=b`. A single value is a list of one. The client accepts both a value
 * and a list.
 */
export const Repeatable = <S extends TSchema>(item: S, description: string, maxItems: number) =>
  Type.Array(item, { maxItems, description })

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
