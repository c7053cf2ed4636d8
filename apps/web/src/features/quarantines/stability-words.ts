import type { FlakeEvent, Stability } from '@caseward/client/endpoints'

import { formatNumberOf } from '../../ui/format-count.ts'

interface StabilityWords {
  readonly name: string
  /** What it means, in a sentence. */
  readonly meaning: string
}

/** How reliable tests are, the least reliable first. */
export const stabilityWords: Readonly<Record<Stability, StabilityWords>> = {
  broken: { name: 'Broken', meaning: 'It failed in its three newest base runs of the default branch.' },
  flaky: {
    name: 'Flaky',
    meaning: 'It passed and failed on the same commit, on two commits of the last 30 days or more.',
  },
  suspect: { name: 'Suspect', meaning: 'It passed and failed on one commit of the last 30 days.' },
  stable: { name: 'Stable', meaning: 'Nothing is known against it.' },
}

/** What shows that a test flaked. */
export const flakeWords: Readonly<Record<FlakeEvent['kind'], string>> = {
  retry: 'A retry passed',
  rerun: 'A later build attempt ended differently',
  commit: 'Another run of the commit ended differently',
}

/** So few commits say little. */
const FEW_COMMITS = 10

/** "3 of 41 commits", "1 of 3 commits, few". */
export const formatFlakes = ({ flake_commits: flakes, commits }: { flake_commits: number; commits: number }): string =>
  `${flakes.toLocaleString('en')} of ${formatNumberOf(commits, 'commit')}${commits < FEW_COMMITS ? ', few' : ''}`
