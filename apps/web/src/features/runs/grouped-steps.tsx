import type { StepResult } from '@caseward/client/endpoints'
import { rollUpSteps } from '@caseward/matching/roll-up-steps'
import type { ReactNode } from 'react'

import { StatusGlyph } from '../../ui/status/status-glyph.tsx'
import styles from './grouped-steps.module.css'
import { splitAtGroups, type StepGroup } from './split-at-groups.ts'

type Results = ReadonlyMap<number, Pick<StepResult, 'status'>>

interface GroupedStepsProps<S> {
  steps: readonly S[]
  groups?: readonly StepGroup[] | undefined
  /** The results of the steps by their positions. */
  results?: Results
  renderStep: (step: S) => ReactNode
}

/** The items of a list of steps. Those of a shared step are below its title, which folds them. */
export function GroupedSteps<S extends { position: number }>(props: GroupedStepsProps<S>) {
  const { steps, groups, results = NO_RESULTS, renderStep } = props
  return splitAtGroups(steps, groups).map((part) =>
    part.group === null ? (
      part.steps.map(renderStep)
    ) : (
      <li key={`${part.group.shared_step_id} ${part.group.first}`} className={styles.group}>
        <details open>
          <summary className={styles.summary}>
            <span className={styles.title}>{part.group.title}</span>{' '}
            <span className={styles.version}>{`(shared, v${part.group.version})`}</span>{' '}
            <Progress positions={part.steps.map(({ position }) => position)} results={results} />
          </summary>
          <ol aria-label={`Steps of ${part.group.title}`}>{part.steps.map(renderStep)}</ol>
        </details>
      </li>
    ),
  )
}

const NO_RESULTS: Results = new Map()

/** What is known of folded steps: how many have a result, and which status follows from them. */
function Progress({ positions, results }: { positions: readonly number[]; results: Results }) {
  const statuses = positions.map((position) => results.get(position)?.status ?? null)
  const count = statuses.filter((status) => status !== null).length
  if (count === 0) return null
  return (
    <span className={styles.progress}>
      <StatusGlyph status={rollUpSteps(statuses)} />
      {`${count} of ${positions.length}`}
    </span>
  )
}
