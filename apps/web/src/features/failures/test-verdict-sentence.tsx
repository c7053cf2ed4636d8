import { useQuery } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { Link } from 'react-router'

import { queries } from '../../api.ts'
import { paths } from '../../paths.ts'
import { type ListedVerdict, verdictOfTestQuery } from './failure-queries.ts'
import { verdictWords } from './verdict-words.ts'

/** What the outcome of a test in a run means, and why. Nothing for a test that simply passed. */
export function TestVerdictSentence({ runId, testId }: { runId: string; testId: string }) {
  const { data: verdict } = useQuery(verdictOfTestQuery(runId, testId))
  const baseId = verdict?.base_run_id ?? null
  const base = useQuery({ ...queries.run(baseId ?? ''), enabled: baseId !== null }).data
  if (verdict === undefined || verdict === null) return null
  const run = base === undefined ? null : <Link to={paths.runTests(base.id, { test: testId })}>{base.name}</Link>
  return (
    <p>
      <strong style={{ color: verdict.blocks ? 'var(--failed-text)' : undefined }}>
        {verdictWords[verdict.verdict].name}
      </strong>
      {': '}
      {(run === null ? undefined : reasons[verdict.verdict]?.(run)) ?? verdictWords[verdict.verdict].meaning}
      {verdict.blocks ? ' It blocks.' : ' It does not block.'}
    </p>
  )
}

/** Why, where a base run says it. */
const reasons: Readonly<Partial<Record<ListedVerdict, (run: ReactNode) => ReactNode>>> = {
  new: (run) => <>it did not fail in {run}.</>,
  changed: (run) => <>it failed in {run}, too, with another failure.</>,
  already_red: (run) => <>the same failure as in {run}.</>,
  fixed: (run) => <>it failed in {run}, and passed here.</>,
  not_run: (run) => <>it was blocked or interrupted, which it was not in {run}.</>,
  missing: (run) => <>{run} executed it, and this run does not have it.</>,
}
