import type { FlakeEvent } from '@caseward/client/endpoints'
import { Link } from 'react-router'

import { paths } from '../../paths.ts'
import { Time } from '../../ui/time.tsx'
import { getGroupPath } from '../insight/insight-paths.ts'
import { flakeWords } from './stability-words.ts'

interface FlakeEventsProps {
  projectId: string
  testId: string
  events: readonly FlakeEvent[]
}

const itemStyle = { display: 'flex', flexWrap: 'wrap', gap: '0 8px', minHeight: 24, alignItems: 'center' } as const

/** The commits on which a test both passed and failed, the newest first. */
export const FlakeEvents = ({ projectId, testId, events }: FlakeEventsProps) => (
  <ul style={{ margin: 0, padding: 0, listStyle: 'none', font: 'var(--text-13)' }}>
    {events.map(({ kind, commit, run_ids: runIds, at, signature }) => (
      <li key={`${runIds[0]} ${kind}`} style={itemStyle}>
        <Time at={at} />
        <span>{flakeWords[kind]}</span>
        {commit !== null && <code>{commit.slice(0, 7)}</code>}
        {runIds.map((id, index) => (
          <Link key={id} to={paths.runTests(id, { test: testId })}>
            {runIds.length === 1 ? 'Run' : index === 0 ? 'First run' : 'Second run'}
          </Link>
        ))}
        {signature !== null && <Link to={getGroupPath(projectId, signature)}>Cause</Link>}
      </li>
    ))}
  </ul>
)
