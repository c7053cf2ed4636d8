import fc from 'fast-check'
import { sql } from 'kysely'
import { describe, expect, it } from 'vitest'

import { makeProject } from '@caseward/test-support/factories'
import { useSharedServer } from '@caseward/test-support/test-server'
import { getInitialPosition, isPosition, makePositions, POSITION } from './positions.ts'

const server = useSharedServer()

const number = fc.oneof(fc.integer({ min: 1, max: 2_147_483_646 }), fc.integer({ min: 1, max: 1200 }))
const isSorted = (texts: readonly string[]) =>
  texts.every((text, index) => index === 0 || (texts[index - 1] ?? '') < text)

describe('the position of a test case that was never moved', () => {
  it('sorts by number', () => {
    fc.assert(
      fc.property(number, number, (a, b) => {
        expect(getInitialPosition(a) < getInitialPosition(b)).toBe(a < b)
      }),
    )
  })

  it('is the same in SQL', async () => {
    const { id } = await makeProject(server)
    const numbers = [1, 9, 10, 99, 100, 12_345, 2_147_483_647]
    await sql`insert into test_cases (project_id, number, title)
      select ${id}, number, 'x' from unnest(${numbers}::int[]) as number`.execute(server.db)
    const { rows } = await sql<{ position: string }>`
      select ${sql.raw(POSITION)} as position from test_cases c where project_id = ${id}
      order by ${sql.raw(POSITION)}`.execute(server.db)
    expect(rows.map(({ position }) => position)).toEqual(numbers.map(getInitialPosition))
  })
})

describe('makePositions', () => {
  it('makes sorted positions between any two, which are positions themselves', () => {
    fc.assert(
      fc.property(
        number,
        fc.array(fc.tuple(fc.nat(1000), fc.integer({ min: 1, max: 5 })), { maxLength: 60 }),
        (last, steps) => {
          const end = getInitialPosition(last + 1)
          const all: string[] = [getInitialPosition(last)]
          for (const [where, count] of steps) {
            const index = where % (all.length + 1)
            const made = makePositions(all[index - 1] ?? null, all[index] ?? end, count)
            if (made === null) continue
            all.splice(index, 0, ...made)
          }
          expect(isSorted([...all, end])).toBe(true)
          expect(all.filter((position) => !isPosition(position, end))).toEqual([])
        },
      ),
    )
  })

  it('makes ten thousand positions between neighbours, all of them short', () => {
    const positions = makePositions('b12', 'b13', 10_000) ?? []
    expect([positions.length, new Set(positions).size, isSorted(['b12', ...positions, 'b13'])]).toEqual([
      10_000,
      10_000,
      true,
    ])
    expect(Math.max(...positions.map(({ length }) => length))).toBeLessThan(12)
  })

  it('makes none between equal positions, and none that are long', () => {
    expect(makePositions('a1', 'a1', 1)).toBeNull()
    let upper = 'a2'
    let made = 0
    for (;;) {
      const [position] = makePositions('a1', upper, 1) ?? []
      if (position === undefined) break
      upper = position
      made += 1
    }
    expect(upper.length).toBeLessThanOrEqual(80)
    expect(made).toBeGreaterThan(300)
  })
})
