import { useMemo, useState } from 'react'
import { Link, useNavigate } from 'react-router'

import { listLastDays } from '../../charts/days.ts'
import { HeatMap } from '../../charts/heat-map.tsx'
import { oneLine } from '../../charts/named-rows.tsx'
import { formatNumberOf } from '../../ui/format-count.ts'
import styles from '../../ui/form-page.module.css'
import { getGroupPath } from './insight-paths.ts'
import { GroupIssues, nameGroup, Since } from './group-parts.tsx'
import type { FailureGroup } from './insight-queries.ts'
import type { InsightView } from './use-insight-view.ts'

interface CausesByDayProps {
  view: InsightView
  groups: readonly FailureGroup[]
  dayCount: number
}

/** On which days causes made tests fail, those with most tests first. */
export function CausesByDay({ view: { projectId, search }, groups, dayCount }: CausesByDayProps) {
  const navigate = useNavigate()
  const [now] = useState(() => new Date())
  const days = useMemo(() => listLastDays(dayCount, now), [dayCount, now])
  const { branch, series, days: period } = search
  const toGroup = (signature: string) => getGroupPath(projectId, signature, { branch, series, days: period })
  return (
    <HeatMap
      title={
        groups.length < 12 ? 'Failing tests by cause and day' : 'Failing tests by cause and day: the 12 largest causes'
      }
      rowName="Cause"
      days={days}
      formatValue={(value) => formatNumberOf(value, 'test')}
      onOpen={({ id }) => void navigate(toGroup(id))}
      rows={groups.map((group) => ({
        id: group.signature,
        label: describeGroup(group),
        values: new Map(group.days?.map(({ day, tests }) => [day, tests])),
        head: (
          <>
            <Link to={toGroup(group.signature)} title={describeGroup(group)} style={oneLine}>
              {nameGroup(group)}
            </Link>
            <span
              className={styles.muted}
              title={group.tests.length === 1 ? group.tests[0]?.name : undefined}
              style={{ ...oneLine, font: 'var(--text-12)' }}
            >
              {group.tests.length === 1 && `${group.tests[0]?.name ?? ''} · `}
              <Since at={group.first_seen} />
              <GroupIssues issues={group.issues} />
            </span>
          </>
        ),
      }))}
    />
  )
}

/** Causes of one test each can have the same message. */
const describeGroup = (group: FailureGroup): string =>
  group.tests.length === 1 ? `${nameGroup(group)}, ${group.tests[0]?.name ?? ''}` : nameGroup(group)
