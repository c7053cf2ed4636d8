import { hash } from 'node:crypto'

import type { TestCase } from '@caseward/contract/test-case-schemas'
import { type RawBuilder, sql } from 'kysely'

/** What a step says. */
type Step = Pick<TestCase['steps'][number], 'action' | 'expected'>

/*
 * What makes test cases the same: a digest whose first half is about the title, the second about the steps. So one column and one
 * index find equal test cases, and those of equal titles, and a change of the title needs no steps. Capitals and white space make
 * no difference, nor do quotation marks and most punctuation in a title; the sign and the decimal point of a number do.
 */

/** The half of a digest that is about a title: 16 hexadecimal digits. */
export const hashTitle = (title: string): string =>
  toHalf(
    title
      .toLowerCase()
      .replaceAll(/[\s"'`‘’“”«»,;:!?]+/g, '')
      .replace(/\.+$/, ''),
  )

/**
 * The half that is about steps. It takes a microsecond for 30 characters of steps; what a title ignores would take three times
 * as long, which would slow down the creation of many test cases.
 */
export const hashSteps = (steps: readonly Step[]): string =>
  toHalf(
    steps
      .map(({ action, expected }) => `${action.trim()}\u0001${expected.trim()}`)
      .join('\u0002')
      .toLowerCase()
      .replaceAll(/\s{2,}|[\t\n\r]/g, ' '),
  )

const toHalf = (text: string): string => hash('md5', text).slice(0, 16)

/** The digest of a title and steps. */
export const buildContentDigest = (title: string, steps: readonly Step[]): string => hashTitle(title) + hashSteps(steps)

/** What a change does to the digest; null for a half that stays. */
export interface ChangedHashes {
  title_hash: string | null
  steps_hash: string | null
}

export const hashChanges = (change: {
  title?: string | undefined
  steps?: readonly Step[] | undefined
}): ChangedHashes => ({
  title_hash: change.title === undefined ? null : hashTitle(change.title),
  steps_hash: change.steps === undefined ? null : hashSteps(change.steps),
})

const DIGITS = `replace(c.content_digest::text, '-', '')`
/** The halves of the digest of a test case `c`; null for one that a job has to fill. */
export const TITLE_HASH = `left(${DIGITS}, 16)`
export const STEPS_HASH = `right(${DIGITS}, 16)`

/** The digest of a test case `c` after a change, whose hashes are two expressions. Without one, it stays without one half as well. */
export const buildChangedDigest = (titleHash: string, stepsHash: string): string =>
  `(coalesce(${titleHash}, ${TITLE_HASH}) || coalesce(${stepsHash}, ${STEPS_HASH}))::uuid`

/** Does the same with hashes of this server. */
export const toChangedDigest = ({ title_hash: title, steps_hash: steps }: ChangedHashes): RawBuilder<string> =>
  sql`(coalesce(${title}::text, ${sql.raw(TITLE_HASH)}) || coalesce(${steps}::text, ${sql.raw(STEPS_HASH)}))::uuid`
