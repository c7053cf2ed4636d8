import { readFailure } from '@caseward/failures/read-failure'
import { isSameFailure } from '@caseward/failures/same-failure'

import { groupBy } from '@caseward/server/platform/group-by'

import type { BugFailure, KnownFailure } from './known-failures.ts'

const read = (failure: KnownFailure) => readFailure(failure, { name: failure.name, suite: failure.suite, file: '' })

/** Returns how many groups of failures there are, and how many of them have several bugs of one project. */
export function groupBugs(failures: readonly BugFailure[]): { groups: number; mixed: number } {
  const bugs = new Map<string, Set<string>>()
  for (const failure of failures) {
    const group = `${failure.project} ${read(failure).signature}`
    bugs.set(group, (bugs.get(group) ?? new Set()).add(failure.bug))
  }
  return { groups: bugs.size, mixed: [...bugs.values()].filter((all) => all.size > 1).length }
}

/** Returns how many pairs of different texts of one test there are, and how many have the same cause by their texts. */
export function comparePairs(failures: readonly KnownFailure[]): { pairs: number; same: number } {
  const byTest = groupBy(failures, ({ name }) => name)
  let pairs = 0
  let same = 0
  for (const texts of byTest.values()) {
    const known = texts.map(read)
    known.forEach((one, index) => {
      for (const other of known.slice(index + 1)) {
        pairs += 1
        if (isSameFailure(one, other)) same += 1
      }
    })
  }
  return { pairs, same }
}
