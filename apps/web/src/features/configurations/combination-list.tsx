import type { Combination, ResultChange } from '@caseward/client/endpoints'
import { useQuery } from '@tanstack/react-query'

import { queries } from '../../api.ts'
import { LoadedPart } from '../../ui/loaded-part.tsx'
import { StatusWord } from '../../ui/status/status-glyph.tsx'
import { statusNames } from '../../ui/status/statuses.ts'
import { LongText } from '../runs/long-text.tsx'
import { combinationsQuery } from './combinations-query.ts'

/** What the test case of a result is tested with, to read. @param place the one that is open */
export function CombinationList({ runId, resultId, place }: { runId: string; resultId: string; place: number }) {
  const query = useQuery(combinationsQuery(runId, resultId))
  return (
    <LoadedPart query={query} noun="combinations">
      {(combinations) => <Lines label="Combinations" lines={combinations} current={place} />}
    </LoadedPart>
  )
}

/** The combinations that were overwritten or deleted with an earlier value of a result. */
export function EarlierCombinations({
  runId,
  combinations,
}: {
  runId: string
  combinations: NonNullable<ResultChange['combinations']>
}) {
  const { data: run } = useQuery(queries.run(runId))
  const names = new Map(run?.configurations?.map(({ place, name }) => [place, name]))
  const lines = combinations.map((one) => ({
    ...one,
    name: names.get(one.place) ?? 'A configuration that was removed',
  }))
  return <Lines label="Combinations of the earlier result" lines={lines} />
}

// Not by color alone.
const currentStyle = { padding: '2px 8px', background: 'var(--selected)', boxShadow: 'inset 3px 0 0 var(--accent)' }

type Line = Pick<Combination, 'place' | 'name' | 'status' | 'note' | 'steps'>

/** Brings the line that is open into sight. */
const scrollTo = (line: HTMLElement | null) => line?.scrollIntoView({ block: 'nearest' })

const Lines = ({ label, lines, current }: { label: string; lines: readonly Line[]; current?: number }) => (
  <ul aria-label={label} style={{ display: 'grid', gap: 6, font: 'var(--text-13)', overflowWrap: 'anywhere' }}>
    {lines.map(({ place, name, status, note, steps = [] }) => (
      <li
        key={place}
        ref={place === current ? scrollTo : null}
        aria-current={place === current || undefined}
        style={place === current ? currentStyle : {}}
      >
        <span style={{ display: 'flex', gap: 12, justifyContent: 'space-between' }}>
          {name}
          <StatusWord status={status} />
        </span>
        {note !== null && note !== '' && (
          <span style={{ color: 'var(--muted)', whiteSpace: 'pre-wrap' }}>
            <LongText text={note} render={(text) => text} />
          </span>
        )}
        {steps.length > 0 && (
          <ul aria-label={`Steps of ${name}`} style={{ margin: 0, paddingInlineStart: 12, listStyle: 'none' }}>
            {steps.map((step) => (
              <li key={step.position} style={{ color: 'var(--muted)', whiteSpace: 'pre-wrap' }}>
                {`Step ${step.position}: ${statusNames[step.status ?? 'not_tested']}`}
                {step.actual !== null && <LongText text={`: ${step.actual}`} render={(text) => text} />}
              </li>
            ))}
          </ul>
        )}
      </li>
    ))}
  </ul>
)
