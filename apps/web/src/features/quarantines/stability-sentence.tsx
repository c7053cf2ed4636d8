import type { TestStability } from '@caseward/client/endpoints'
import { Link } from 'react-router'

import { paths } from '../../paths.ts'
import { Time } from '../../ui/time.tsx'
import type { TestStabilityDetail } from './quarantine-queries.ts'
import { formatFlakes, stabilityWords } from './stability-words.ts'

type Stability = Omit<TestStability, 'since'> & { readonly since: string | null }

/** The server counts so many failures in a row. */
const MAX_FAILURES = 20

interface StabilitySentenceProps {
  testId: string
  stability: Stability & Partial<Pick<TestStabilityDetail, 'consecutive_failures' | 'first_failing_run_id'>>
}

/** How reliable a test is, since when, and why. */
export function StabilitySentence({ testId, stability }: StabilitySentenceProps) {
  const { state, since, commits, flake_commits: flakes, last_flake_at: last } = stability
  const failures = stability.consecutive_failures ?? 0
  const firstRun = stability.first_failing_run_id ?? null
  return (
    <p>
      <strong title={stabilityWords[state].meaning}>{stabilityWords[state].name}</strong>
      {since !== null && state !== 'stable' && (
        <>
          {' since '}
          <Time at={since} isInText />
        </>
      )}
      {': '}
      {commits === 0
        ? 'not executed in the last 30 days.'
        : flakes === 0
          ? `it ended equally on each of its commits (${commits.toLocaleString('en')}).`
          : `passed and failed on ${formatFlakes({ flake_commits: flakes, commits })}.`}
      {flakes > 0 && last !== null && (
        <>
          {' Last '}
          <Time at={last} isInText />.
        </>
      )}
      {failures > 1 && (
        <>
          {` Failed in its newest ${failures >= MAX_FAILURES ? `${MAX_FAILURES} base runs or more` : `${failures} base runs`} in a row`}
          {firstRun !== null && (
            <>
              {', '}
              <Link to={paths.runTests(firstRun, { test: testId })}>the first</Link>
            </>
          )}
          .
        </>
      )}
    </p>
  )
}
