import { MAX_POSITION_LENGTH } from '@caseward/contract/test-case-batches'
import { generateKeyBetween, generateNKeysBetween } from 'fractional-indexing'

import { buildFolderRank } from '../folders/folder-ranks.ts'

/*
 * The order of the test cases in a folder: by position, a text that is compared by its bytes, then by number. Between two
 * positions there is always another one, so that a test case is moved without changing the others.
 *
 * Until a test case is moved, its position follows from its number. All positions of a project are before that of its next
 * number: a new test case is at the end of its folder, and nothing is read to create it.
 */

/** The position of a row of `test_cases c`, for statements that are plain text. The index `test_cases_tree` contains it. */
export const POSITION = `coalesce(c.own_position, chr(96 + length(c.number::text)) || c.number::text) collate "C"`

/**
 * The order of `test_cases c` in the folder tree; those without a folder come last. Use it once in a statement.
 * @param projectId SQL of the project's id
 */
export const buildTreeOrder = (projectId: string): string => `${buildFolderRank(projectId)}, ${POSITION}, c.number`

/** The position of a test case that was never moved; {@link POSITION} computes the same in SQL. */
export const getInitialPosition = (number: number): string => {
  const digits = String(number)
  return `${String.fromCharCode(96 + digits.length)}${digits}`
}

/** Leaves room for what the deletion of a folder appends. */
const MAX_NEW_LENGTH = MAX_POSITION_LENGTH - 20

/**
 * Makes `count` positions between two others, in order. The lower one is null for the start of the folder.
 * @returns null when there is no room: both are the same, or the new positions would be too long
 */
export function makePositions(lower: string | null, upper: string, count: number): string[] | null {
  if (lower !== null && lower >= upper) return null
  const positions = generateNKeysBetween(lower, upper, count)
  return positions.some(({ length }) => length > MAX_NEW_LENGTH) ? null : positions
}

/** Whether a text that a client sent is a position before `end`. */
export function isPosition(text: string, end: string): boolean {
  if (text >= end) return false
  try {
    generateKeyBetween(text, null)
    return true
  } catch {
    return false
  }
}
