import { Donut } from '../chart/donut.tsx'
import { FiguresTable } from '../chart/figures-table.tsx'
import { Sparkline } from '../chart/sparkline.tsx'
import { HistoryStrip } from '../status/history-strip.tsx'
import { StatusBar } from '../status/status-bar.tsx'
import { StatusCounts } from '../status/status-counts.tsx'
import { StatusGlyph, StatusWord } from '../status/status-glyph.tsx'
import { type Status, statuses, type StatusCounts as Counts } from '../status/statuses.ts'
import styles from './gallery.module.css'
import { Row, Section } from './section.tsx'

const counts: Counts = { passed: 340, failed: 75, blocked: 82, retest: 71, not_tested: 1432 }
const done: Counts = { passed: 9999, failed: 1, blocked: 0, retest: 0, not_tested: 0 }
const large: Counts = { passed: 1_400_000, failed: 12_345, blocked: 0, retest: 0, not_tested: 2_000_000 }
const none: Counts = { passed: 0, failed: 0, blocked: 0, retest: 0, not_tested: 0 }
const history: Status[] = [
  'passed',
  'passed',
  'failed',
  'passed',
  'blocked',
  'passed',
  'retest',
  'passed',
  'passed',
  'failed',
]
const rates = [92, 94, 93, 88, 71, 90, 95, 96, 91, 89, 97, 98, 94, 60, 93, 96, 97, 99, 98, 94]

export const StatusSection = () => (
  <Section title="Statuses and charts">
    <Row>
      {statuses.map((status) => (
        <StatusWord key={status} status={status} />
      ))}
      {statuses.map((status) => (
        <StatusGlyph key={status} status={status} />
      ))}
    </Row>
    <Row>
      <HistoryStrip statuses={history} />
      <HistoryStrip statuses={['passed', 'failed', 'not_tested']} />
      <HistoryStrip statuses={[]} />
      <HistoryStrip statuses={undefined} />
    </Row>
    <StatusBar counts={counts} />
    <StatusBar counts={done} />
    <StatusBar counts={none} />
    <StatusBar counts={counts} size="page" />
    <StatusCounts counts={counts} />
    <StatusCounts counts={large} />
    <div className={styles.narrow}>
      <StatusCounts counts={counts} showsAll />
    </div>
    <Row>
      <Donut counts={counts} />
      <Donut counts={done} />
      <Donut counts={none} />
      <Sparkline label="Pass rate of the last 20 runs" values={rates} />
      <FiguresTable
        caption="Pass rate of the last 20 runs"
        heads={['Run', 'Pass rate']}
        rows={rates.map((rate, index) => [index + 1, rate])}
      />
    </Row>
  </Section>
)
