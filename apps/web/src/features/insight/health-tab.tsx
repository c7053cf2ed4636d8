import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { useMemo, useState } from 'react'
import { Link, useNavigate } from 'react-router'

import { DayChart } from '../../charts/day-chart.tsx'
import { chooseTimeTicks } from '../../charts/value-axis.ts'
import { formatFullDay, listLastDays } from '../../charts/days.ts'
import { OutcomeMatrix } from '../../charts/outcome-matrix.tsx'
import { ShareBars } from '../../charts/share-bars.tsx'
import { StateBand } from '../../charts/state-band.tsx'
import { oneLine } from '../../charts/named-rows.tsx'
import { paths } from '../../paths.ts'
import { formatDuration } from '../../times.ts'
import { EmptyState } from '../../ui/empty-state.tsx'
import { LoadedPart } from '../../ui/loaded-part.tsx'
import { StatusGlyph } from '../../ui/status/status-glyph.tsx'
import { formatTest } from '../tests/split-path.ts'
import { CausesByDay } from './causes-by-day.tsx'
import { describeCurrent, describePast, type Health, nameSeries } from './describe-band.ts'
import { FailingTests } from './failing-tests.tsx'
import { FlakyFigures } from './flaky-figures.tsx'
import { causesQuery, healthQuery } from './insight-queries.ts'
import type { InsightTabProps, InsightView } from './use-insight-view.ts'

/** How a branch is and was: whether it is green, what failed, what flaky tests cost, and what is automated. */
export function HealthTab({ view }: InsightTabProps) {
  const { projectId, filter } = view
  const health = useQuery({ ...healthQuery(projectId, filter), placeholderData: keepPreviousData })
  return (
    <LoadedPart query={health} noun="health">
      {(loaded) =>
        loaded.band.length === 0 ? (
          <EmptyState
            drawing="runs"
            title={`No run of ${loaded.branch ?? 'the default branch'} in these days`}
            help="failures"
          >
            Health is what the runs of one branch say, without those of pull requests. Choose another branch or more
            days, or set the default branch in the settings of the project.
          </EmptyState>
        ) : (
          <Charts view={view} health={loaded} />
        )
      }
    </LoadedPart>
  )
}

const SECOND_MS = 1000
const HOUR_MS = 3600 * SECOND_MS

function Charts({ view, health }: { view: InsightView; health: Health }) {
  const { projectId, filter } = view
  const dayCount = filter.days
  const navigate = useNavigate()
  const [now] = useState(() => new Date())
  const days = useMemo(() => listLastDays(dayCount, now), [dayCount, now])
  const openRun = (runId: string) => void navigate(paths.runFailures(runId))
  const runNames = new Map(health.runs.map(({ id, name }) => [id, name]))
  const daysOfOneRun = new Set(health.days.filter(({ base_runs: runs }) => runs === 1).map(({ day }) => day))
  const hasFlaky = health.days.some(({ flaky }) => flaky !== null)
  return (
    <>
      <ul style={{ display: 'grid', gap: 4, margin: 0, padding: 0, listStyle: 'none' }}>
        {health.band.map((row) => (
          <li
            key={row.series}
            style={{ display: 'flex', flexWrap: 'wrap', gap: '0 8px', alignItems: 'center', overflowWrap: 'anywhere' }}
          >
            {row.current !== null && (
              <StatusGlyph status={row.current.state === 'red' ? 'failed' : 'passed'} isNamed={false} />
            )}
            <strong style={{ flex: '0 1 auto', minWidth: 0 }}>
              {`${nameSeries(row.series, health.branch)}: ${describeCurrent(row, now.getTime())}`}
            </strong>
            <span style={{ color: 'var(--muted)', font: 'var(--text-13)' }}>{describePast(row)}</span>
          </li>
        ))}
      </ul>
      <StateBand
        title={`Is ${health.branch ?? 'it'} green?`}
        days={days}
        rows={health.band.map((row) => ({
          id: row.series,
          name: nameSeries(row.series, health.branch),
          segments: row.segments,
        }))}
        now={now}
        onOpen={openRun}
      />
      <div style={{ display: 'grid', gridTemplateColumns: 'repeat(auto-fit, minmax(min(100%, 340px), 1fr))', gap: 16 }}>
        <FailingTests
          projectId={projectId}
          title="Newly failing"
          tests={health.newly_failing}
          none="Nothing fails that did not fail before."
        />
        <FailingTests
          projectId={projectId}
          title="Failing longest"
          tests={health.failing_longest}
          none="Nothing has failed for more than one run."
        />
      </div>
      <BranchCauses view={view} branch={health.branch} />
      <FlakyFigures projectId={projectId} health={health} dayCount={dayCount} />
      <DayChart
        title="Pass rate, mean of a day"
        days={days}
        series={[
          {
            name: 'Pass rate',
            values: pickDays(health, ({ pass_rate: rate }) => (rate === null ? null : 100 * rate)),
            points: daysOfOneRun,
          },
        ]}
        max={100}
        formatValue={(value) => `${Math.floor(value * 10) / 10} %`}
      />
      <DayChart
        title="Failed tests"
        days={days}
        series={[{ name: 'Failed tests', values: pickDays(health, ({ failed }) => failed), look: 'columns' }]}
        formatValue={(value) => value.toLocaleString('en')}
      />
      {health.matrix.tests.length > 0 && (
        <OutcomeMatrix
          title="Unstable tests in the newest runs"
          columns={health.matrix.runs.map((id) => runNames.get(id) ?? 'an older run')}
          rows={health.matrix.tests.map((test, index) => ({
            id: test.id,
            label: formatTest(test),
            head: (
              <Link to={paths.tests(projectId, { test: test.id })} title={formatTest(test)} style={oneLine}>
                {test.name}
              </Link>
            ),
            cells: health.matrix.cells[index] ?? [],
          }))}
          onOpen={(column) => openRun(health.matrix.runs[column] ?? '')}
        />
      )}
      {hasFlaky && (
        <DayChart
          title="Flaky and quarantined tests"
          days={days}
          series={[
            { name: 'Flaky', values: pickDays(health, ({ flaky }) => flaky) },
            { name: 'Quarantined', values: pickDays(health, ({ quarantined }) => quarantined), look: 'thin' },
          ]}
          marks={{
            name: 'automatic quarantine at its limit',
            days: new Set(health.days.filter(({ is_limited: isLimited }) => isLimited).map(({ day }) => day)),
          }}
          formatValue={(value) => value.toLocaleString('en')}
        />
      )}
      {health.weeks.some(({ build_attempts: attempts }) => attempts > 0) && (
        <ShareBars
          title="Build attempts lost to flaky tests"
          rowName="Week"
          parts={[{ name: 'build attempts', look: 'bad' }]}
          rows={health.weeks.map(({ week, build_attempts: attempts, machine_ms: machine }) => ({
            id: week,
            name: `Week of ${formatFullDay(week)}${machine === 0 ? '' : `, ${formatDuration(machine / SECOND_MS)} of machine time`}`,
            values: [attempts],
          }))}
          formatValue={(value) => value.toLocaleString('en')}
        />
      )}
      {health.days.some(({ median_ms: median }) => median !== null) && (
        <DayChart
          title="Time of a run, all tests together"
          days={days}
          series={[
            {
              name: 'Median',
              values: pickDays(health, ({ median_ms: median }) => toSeconds(median)),
              points: daysOfOneRun,
            },
            { name: '95th percentile', values: pickDays(health, ({ p95_ms: p95 }) => toSeconds(p95)), look: 'thin' },
          ]}
          formatValue={formatSeconds}
          chooseTicks={chooseTimeTicks}
        />
      )}
      {health.automation.length > 0 && (
        <ShareBars
          title="Automation by folder"
          rowName="Folder"
          parts={[
            { name: 'automated, passing', look: 'good' },
            { name: 'automated, failing', look: 'bad' },
            { name: 'automated, not run in 14 days', look: 'open' },
            { name: 'only by hand', look: 'none' },
          ]}
          rows={health.automation.map((row) => ({
            id: row.folder_id ?? '',
            name: row.folder_id === null ? 'No folder' : row.name,
            values: [row.passing, row.failing, row.not_run, row.by_hand],
          }))}
          formatValue={(value) => value.toLocaleString('en')}
        />
      )}
    </>
  )
}

/** What made tests fail on the branch. */
function BranchCauses({ view, branch }: { view: InsightView; branch: string | null }) {
  const { projectId, filter } = view
  const causes = useQuery({
    ...causesQuery(projectId, branch === null ? filter : { ...filter, branch }),
    placeholderData: keepPreviousData,
  })
  return (
    <LoadedPart query={causes} noun="causes">
      {(groups) => (groups.length === 0 ? null : <CausesByDay view={view} groups={groups} dayCount={filter.days} />)}
    </LoadedPart>
  )
}

const pickDays = (health: Health, pick: (day: Health['days'][number]) => number | null): ReadonlyMap<string, number> =>
  new Map(
    health.days.flatMap((day) => {
      const value = pick(day)
      return value === null ? [] : [[day.day, value] as const]
    }),
  )

const toSeconds = (ms: number | null): number | null => (ms === null ? null : ms / SECOND_MS)
const formatSeconds = (seconds: number): string =>
  seconds * SECOND_MS >= HOUR_MS || seconds >= 10 ? formatDuration(seconds) : `${Math.round(seconds * 10) / 10} s`
