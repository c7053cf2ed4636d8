import { type RawBuilder, sql } from 'kysely'

/**
 * Returns the form of an email address by which addresses are compared: without a difference between upper and lower case
 * in ASCII, and only there. Other letters stay as they are. `toLowerCase()` and PostgreSQL's `lower()` disagree on them
 * (`İ`, or the Kelvin sign), so that the address of one mailbox would find the account of another.
 */
export const toEmailKey = (email: string): string => email.replaceAll(/[A-Z]+/g, (letters) => letters.toLowerCase())

/**
 * The same in SQL, for a column. With the collation "C", `lower()` converts only ASCII letters, whatever the locale of the
 * database. The indexes on email addresses have this expression.
 */
export const getEmailKeySql = (column: string): RawBuilder<string> => sql<string>`lower(${sql.ref(column)} collate "C")`
