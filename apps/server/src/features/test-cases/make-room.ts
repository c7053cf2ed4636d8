import { type RawBuilder, sql } from 'kysely'

import type { Database } from '../../platform/database/connect.ts'
import { notifyTestCasesChanged } from '../events/notify-distributed-change.ts'
import { getInitialPosition, makePositions, POSITION } from './positions.ts'

interface Neighbour {
  number: number
  position: string
}

/** A place between the test cases of a folder. */
export interface Place {
  projectId: string
  /** The last number that was assigned in the project. */
  lastNumber: number
  folderId: string | null
  /** The test case before the place. */
  after: Neighbour | 'start' | 'end'
}

interface Room {
  /** Positions for the test cases that come to the place, in order. */
  positions: string[]
  /** The test cases around the place that have new positions. None unless there was no room. */
  shifted: PlacedTestCase[]
}

/** A test case after a change. */
export interface PlacedTestCase extends Neighbour {
  folder_id: string | null
  version: number
}

/** With this many neighbours on each side, new positions are short again. More are included only where that is not enough. */
const FIRST_WIDTH = 100

/**
 * Finds positions for `count` test cases at a place. If there is no room, since test cases were moved to the same place
 * hundreds of times, those around it get new positions at once. The caller holds the lock on the project.
 * @param leaving numbers of test cases that are about to leave their place
 */
export async function makeRoom(tx: Database, place: Place, count: number, leaving: readonly number[]): Promise<Room> {
  const end = getInitialPosition(place.lastNumber + 1)
  for (let width = 0; ; width = Math.max(FIRST_WIDTH, 2 * width)) {
    const { before, following } = await selectNeighbours(tx, place, leaving, width + 1)
    const left = before.slice(0, width).toReversed()
    const right = following.slice(0, width)
    const lower = before[width]?.position ?? null
    const upper = following[width]?.position ?? end
    const positions = makePositions(lower, upper, left.length + count + right.length)
    if (positions === null) continue
    const taken = positions.splice(left.length, count)
    return { positions: taken, shifted: await shift(tx, place.projectId, [...left, ...right], positions) }
  }
}

/** Gives test cases new positions, in order. */
async function shift(
  tx: Database,
  projectId: string,
  neighbours: readonly Neighbour[],
  positions: readonly string[],
): Promise<PlacedTestCase[]> {
  if (neighbours.length === 0) return []
  const numbers = neighbours.map(({ number }) => number)
  const { rows } = await sql<PlacedTestCase>`
    update test_cases c set own_position = shifted.position, updated_at = statement_timestamp()
    from unnest(${numbers}::int[], ${positions}::text[]) as shifted (number, position)
    where c.project_id = ${projectId} and c.number = shifted.number
    returning c.number, c.folder_id, c.version, c.own_position as position`.execute(tx)
  await notifyTestCasesChanged(tx, projectId, numbers)
  return rows
}

const position = sql.raw<string>(POSITION)

/** The test cases before a place, the nearest first, and those after it. */
async function selectNeighbours(tx: Database, place: Place, leaving: readonly number[], limit: number) {
  const { after } = place
  const select = async (condition: RawBuilder<unknown>, direction: RawBuilder<unknown>): Promise<Neighbour[]> => {
    const inFolder = place.folderId === null ? sql`c.folder_id is null` : sql`c.folder_id = ${place.folderId}`
    const { rows } = await sql<Neighbour>`
      select c.number, ${position} as position from test_cases c
      where c.project_id = ${place.projectId} and ${inFolder} and ${condition}
        and c.number <> all(${leaving}::int[])
      order by ${position} ${direction}, c.number ${direction} limit ${limit}`.execute(tx)
    return rows
  }
  const [ascending, descending] = [sql`asc`, sql`desc`]
  if (after === 'start') return { before: [], following: await select(sql`true`, ascending) }
  if (after === 'end') return { before: await select(sql`true`, descending), following: [] }
  const bound = sql`(${after.position}::text collate "C", ${after.number}::int)`
  return {
    before: await select(sql`(${position}, c.number) <= ${bound}`, descending),
    following: await select(sql`(${position}, c.number) > ${bound}`, ascending),
  }
}
