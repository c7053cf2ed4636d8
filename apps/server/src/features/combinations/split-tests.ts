import { OTHER_TESTS_PLACE } from '@caseward/contract/run-configurations'

import type { RunRef } from '../../access/project-cache.ts'
import type { Database } from '../../platform/database/connect.ts'
import { type OneOrMore, toList } from '../../platform/one-or-more.ts'
import { findPlaces, type VariantPlace } from './match-variant.ts'
import { addOtherTests, selectCasePlaces, selectVariantPlaces } from './combinations.queries.ts'

interface SplitTest {
  /** Browser, project or environment of the test. */
  variant?: string | undefined
  /** Whether it was stored before, and is not part of the upload. */
  isStored?: true | undefined
  testedAt: Date
}

/** Tests that decide one combination. */
export interface PlacedTests<T> {
  caseNumber: number
  place: number
  tests: readonly T[]
}

/**
 * Splits the tests of test cases by the combinations that they are results of. Tests that fit none get a further combination,
 * so that nothing that was reported is left out. Of an upload, only combinations that it reports are written. Outcomes from
 * before a user set a combination do not decide it.
 * @returns the tests of test cases without combinations, and those of each combination
 */
export async function splitByCombination<T extends SplitTest>(
  tx: Database,
  run: RunRef,
  testsByCase: readonly (readonly [caseNumber: number, tests: OneOrMore<T>])[],
): Promise<{ plain: Map<number, OneOrMore<T>>; placed: PlacedTests<T>[] }> {
  const plain = new Map<number, OneOrMore<T>>()
  const placed: PlacedTests<T>[] = []
  const finder = await createPlaceFinder(
    tx,
    run,
    testsByCase.map(([caseNumber]) => caseNumber),
  )
  for (const [caseNumber, oneOrMore] of testsByCase) {
    const setTimes = finder.getSetTimes(caseNumber)
    if (setTimes === null) {
      plain.set(caseNumber, oneOrMore)
      continue
    }
    const byPlace = new Map<number, T[]>()
    for (const test of toList(oneOrMore)) {
      for (const place of finder.find(caseNumber, test.variant ?? '')) {
        const setAt = setTimes.get(place) ?? null
        if (test.isStored === true && setAt !== null && test.testedAt < setAt) continue
        byPlace.set(place, [...(byPlace.get(place) ?? []), test])
      }
    }
    const isUpload = toList(oneOrMore).some(({ isStored }) => isStored !== true)
    for (const [place, tests] of byPlace) {
      if (!isUpload || tests.some(({ isStored }) => isStored !== true)) placed.push({ caseNumber, place, tests })
    }
  }
  await addMissingPlaces(tx, run, finder, placed)
  return { plain, placed }
}

/** Finds combinations of results by variants. */
interface PlaceFinder {
  /** When users set the combinations of a test case, by place; null if it has none. */
  getSetTimes(caseNumber: number): ReadonlyMap<number, Date | null> | null
  /** The places of a variant among the combinations of a test case: {@link OTHER_TESTS_PLACE} if it fits none. */
  find(caseNumber: number, variant: string): readonly number[]
}

async function createPlaceFinder(tx: Database, run: RunRef, caseNumbers: readonly number[]): Promise<PlaceFinder> {
  const places: VariantPlace[] = await selectVariantPlaces(tx, run)
  const byCase = await selectCasePlaces(tx, run, caseNumbers)
  const byVariant = new Map<string, number[]>()
  return {
    getSetTimes: (caseNumber) => byCase.get(caseNumber) ?? null,
    find(caseNumber, variant) {
      let found = byVariant.get(variant)
      if (found === undefined) {
        found = findPlaces(places, variant)
        byVariant.set(variant, found)
      }
      const own = byCase.get(caseNumber)
      const fitting = found.filter((place) => own?.has(place) === true)
      return fitting.length > 0 ? fitting : [OTHER_TESTS_PLACE]
    },
  }
}

async function addMissingPlaces(
  tx: Database,
  run: RunRef,
  finder: PlaceFinder,
  placed: readonly { caseNumber: number; place: number }[],
): Promise<void> {
  const missing = placed.flatMap(({ caseNumber, place }) =>
    finder.getSetTimes(caseNumber)?.has(place) === true ? [] : [caseNumber],
  )
  if (missing.length > 0) await addOtherTests(tx, run, { caseNumbers: missing })
}

/**
 * Gives writes to whole results the combinations that a variant belongs to, so that a report of one variant says nothing about
 * another.
 * @param variant '' for one that is not known: all combinations are set
 */
export async function placeWrites<W extends { caseNumber: number; place?: number | undefined }>(
  tx: Database,
  run: RunRef,
  writes: readonly W[],
  variant: string,
): Promise<W[]> {
  return variant === '' ? [...writes] : await placeTestWrites(tx, run, writes, variant)
}

/** As {@link placeWrites}, for a test, which belongs to the further combination if it has no variant. */
export async function placeTestWrites<W extends { caseNumber: number; place?: number | undefined }>(
  tx: Database,
  run: RunRef,
  writes: readonly W[],
  variant: string,
): Promise<W[]> {
  const finder = await createPlaceFinder(
    tx,
    run,
    writes.map(({ caseNumber }) => caseNumber),
  )
  const placed = writes.flatMap((write) =>
    finder.getSetTimes(write.caseNumber) === null
      ? [write]
      : finder.find(write.caseNumber, variant).map((place) => ({ ...write, place })),
  )
  await addMissingPlaces(
    tx,
    run,
    finder,
    placed.flatMap(({ caseNumber, place }) => (place === undefined ? [] : [{ caseNumber, place }])),
  )
  return placed
}
