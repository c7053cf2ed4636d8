import type { Report } from '@caseward/client/endpoints'
import type { ReactNode } from 'react'
import { Link } from 'react-router'

import { paths } from '../../paths.ts'
import { formatMilliseconds } from '../../times.ts'
import { formatNumberOf, formatWholeNumber } from '../../ui/format-count.ts'
import { nameSeries } from '../insight/describe-band.ts'
import { nameGroup } from '../insight/group-parts.tsx'
import { getGroupPath, getTabPath } from '../insight/insight-paths.ts'
import { formatTest } from '../tests/split-path.ts'
import { GreenCells } from './green-cells.tsx'
import { describeByHand, describeGreen, describeReadiness, formatMoment } from './report-words.ts'

interface ReportPartsProps {
  projectId: string
  report: Report
}

/** What a report says, in the order of the email, without what is zero. */
export function ReportParts({ projectId, report }: ReportPartsProps) {
  const { green, new_causes: causes, flaky, ending, slower, gone_count: gone, by_hand: byHand, readiness } = report
  const toTab = (tab: string, search = {}) => getTabPath(projectId, tab, search)
  return (
    <>
      {green.length > 0 && (
        <Part title={`Is ${report.branch ?? 'it'} green?`}>
          <ul style={listStyle}>
            {green.map((suite) => (
              <li key={suite.series} style={{ ...itemStyle, display: 'grid', gap: 4 }}>
                <span style={lineStyle}>
                  <Link to={toTab('health', suite.series === '' ? {} : { series: suite.series })} style={nameStyle}>
                    {nameSeries(suite.series, report.branch)}
                  </Link>
                  <Detail>{describeGreen(suite)}</Detail>
                </span>
                <GreenCells name={nameSeries(suite.series, report.branch)} cells={suite.cells} />
              </li>
            ))}
          </ul>
        </Part>
      )}
      <ListPart
        title="New causes of failures"
        total={causes.total}
        to={toTab('failures')}
        items={causes.items.map((cause) => ({
          id: cause.signature,
          name: nameGroup(cause),
          to: getGroupPath(projectId, cause.signature),
          detail: formatNumberOf(cause.test_count, 'test'),
        }))}
      />
      {flaky.total + flaky.added_count + flaky.ended_count > 0 && (
        <ListPart
          title="Flaky tests"
          total={flaky.added_count}
          noun="new"
          to={toTab('flaky')}
          summary={`${formatWholeNumber(flaky.total)} now, ${formatWholeNumber(flaky.added_count)} new, ${formatWholeNumber(flaky.ended_count)} not any more`}
          items={flaky.added.map((test) => ({
            id: test.id,
            name: formatTest(test),
            to: paths.tests(projectId, { test: test.id }),
            detail: 'new',
          }))}
        />
      )}
      <ListPart
        title="Quarantines that end soon"
        total={ending.length}
        to={toTab('quarantine', { quarantines: 'soon' })}
        items={ending.map((entry, index) => ({
          id: String(index),
          name: entry.test_name,
          to: null,
          detail: `${entry.owner_name ?? 'nobody'}, until ${formatMoment(entry.expires_at)}`,
        }))}
      />
      <ListPart
        title="Slower tests"
        total={slower.length}
        to={toTab('speed', { speed: 'slower' })}
        items={slower.map(({ test, before_ms: before, now_ms: now }) => ({
          id: test.id,
          name: formatTest(test),
          to: paths.tests(projectId, { test: test.id }),
          detail: `${formatMilliseconds(before)} → ${formatMilliseconds(now)}`,
        }))}
      />
      {gone > 0 && (
        <Part title="Gone tests">
          <p style={textStyle}>
            <Link to={toTab('drift', { drift: 'gone' })}>{formatNumberOf(gone, 'linked test')}</Link> did not run any
            more.
          </p>
        </Part>
      )}
      <ListPart
        title="Runs by hand"
        total={byHand.length}
        to={paths.runs(projectId)}
        items={byHand.map((run) => ({
          id: run.run_id,
          name: run.name,
          to: paths.run(run.run_id),
          detail: describeByHand(run),
        }))}
      />
      <ListPart
        title="Milestones"
        total={readiness.length}
        to={paths.milestones(projectId)}
        items={readiness.map((milestone) => ({
          id: milestone.milestone_id,
          name: milestone.name,
          to: paths.milestone(projectId, milestone.milestone_id),
          detail: describeReadiness(milestone),
        }))}
      />
    </>
  )
}

interface Item {
  readonly id: string
  readonly name: string
  readonly to: string | null
  readonly detail: string
}

interface ListPartProps {
  title: string
  /** How many there are; the report names some. */
  total: number
  /** What the total counts, if the summary does not say it. */
  noun?: string
  /** The list that has all. */
  to: string
  summary?: string
  items: readonly Item[]
}

/** A part with a list; nothing if there is nothing to say. */
function ListPart({ title, total, noun, to, summary, items }: ListPartProps) {
  if (items.length === 0 && summary === undefined) return null
  const more = total - items.length
  return (
    <Part title={title} summary={<Link to={to}>{summary ?? formatWholeNumber(total)}</Link>}>
      {items.length > 0 && (
        <ul style={listStyle}>
          {items.map((item) => (
            <li key={item.id} style={{ ...itemStyle, ...lineStyle }}>
              {item.to === null ? (
                <span style={nameStyle}>{item.name}</span>
              ) : (
                <Link to={item.to} style={nameStyle}>
                  {item.name}
                </Link>
              )}
              <Detail>{item.detail}</Detail>
            </li>
          ))}
        </ul>
      )}
      {more > 0 && (
        <p style={textStyle}>{`And ${formatWholeNumber(more)} more${noun === undefined ? '' : ` ${noun}`}.`}</p>
      )}
    </Part>
  )
}

const Part = ({ title, summary, children }: { title: string; summary?: ReactNode; children: ReactNode }) => (
  <section aria-label={title} style={{ display: 'grid', gridTemplateColumns: 'minmax(0, 1fr)', gap: 4 }}>
    <div style={{ ...lineStyle, breakAfter: 'avoid' }}>
      <h2 style={{ flex: '1 1 auto', margin: 0, font: 'var(--bold) var(--text-14)' }}>{title}</h2>
      {summary !== undefined && <Detail>{summary}</Detail>}
    </div>
    {children}
  </section>
)

const Detail = ({ children }: { children: ReactNode }) => (
  <span style={{ color: 'var(--muted)', font: 'var(--text-13)', lineHeight: 1.85, fontVariantNumeric: 'tabular-nums' }}>
    {children}
  </span>
)

const listStyle = { margin: 0, padding: 0, listStyle: 'none' } as const
/** An item stays on one sheet. */
const itemStyle = { paddingBlock: 4, borderBlockStart: '1px solid var(--line)', breakInside: 'avoid' } as const
const lineStyle = { display: 'flex', flexWrap: 'wrap', gap: '0 16px', alignItems: 'baseline' } as const
const nameStyle = { flex: '1 1 240px', minWidth: 0, overflowWrap: 'anywhere', lineHeight: 1.75 } as const
const textStyle = { margin: 0, font: 'var(--text-13)' } as const
