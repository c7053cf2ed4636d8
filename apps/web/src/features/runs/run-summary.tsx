import type { Run } from '@caseward/client/endpoints'
import ExternalLink from 'lucide-react/icons/external-link'

import { Donut } from '../../ui/chart/donut.tsx'
import { lazySection } from '../../ui/lazy-section.tsx'
import { StatusBar } from '../../ui/status/status-bar.tsx'
import { StatusCounts } from '../../ui/status/status-counts.tsx'
import { useNarrow } from '../../use-narrow.ts'
import { type BuildFact, listBuildFacts } from './build-data.ts'
import { countTested } from './count-statuses.ts'
import { getBarCounts, sumCounts } from './run-bar-counts.ts'
import { formatPassRate } from './run-counts.ts'
import styles from './run-summary.module.css'
import { isOverInCi } from './run-start.ts'
import { RunTestFacts } from './run-test-facts.tsx'
import type { RunData } from './use-run-data.ts'

const RunConfigurationBars = lazySection(
  async () => (await import('../configurations/run-configuration-bars.tsx')).RunConfigurationBars,
)

const RunFieldFacts = lazySection(async () => (await import('../fields/run-fields.tsx')).RunFieldFacts)

/** How far the run is, and which build it is about. */
export function RunSummary({ data, run }: { data: RunData; run: Run }) {
  const isNarrow = useNarrow()
  const counts = getBarCounts(run, data.counts)
  // The line about the tests says what they did.
  const hasResults = sumCounts(data.counts) > 0 || sumCounts(counts) === 0
  const showsPassed = isOverInCi(run) && countTested(counts) > 0
  // The ring says it where there is one, but not what it leaves out.
  const rates = listRates(run, data.counts).filter(({ text }) => isNarrow || !showsPassed || text.includes(','))
  const facts = [...rates, ...listBuildFacts(run)]
  return (
    <section className={styles.summary} aria-label="Summary">
      {!isNarrow && (
        <figure className={styles.share}>
          <Donut counts={counts} showsPassed={showsPassed} />
          <figcaption className={styles.caption}>{showsPassed ? 'passed' : 'tested'}</figcaption>
        </figure>
      )}
      <div className={styles.lines}>
        <StatusBar counts={counts} size="page" />
        {hasResults && (
          <div className={styles.counts}>
            <StatusCounts counts={counts} showsAll />
          </div>
        )}
        {run.configurations !== undefined && <RunConfigurationBars configurations={run.configurations} />}
        {hasTestFacts(run) && <RunTestFacts run={run} />}
        {run.fields !== undefined && <RunFieldFacts run={run} />}
        {facts.length > 0 && (
          <dl className={styles.facts}>
            {facts.map((fact) => (
              <div key={fact.label} className={styles.fact} data-whole={rates.includes(fact) || undefined}>
                <dt>{fact.label}</dt>
                <dd title={fact.full ?? undefined}>
                  <FactText fact={fact} />
                </dd>
              </div>
            ))}
          </dl>
        )}
      </div>
    </section>
  )
}

/** Beside the share of what is tested, which says nothing about what passed. */
const listRates = (run: Run, stats: Run['stats']): BuildFact[] =>
  countTested(getBarCounts(run, stats)) === 0
    ? []
    : [{ label: 'Pass rate', text: formatPassRate([{ ...run, stats }]), url: null, full: 'Passed of what was tested' }]

const hasTestFacts = ({ test_stats: { errors, unmatched, flaky } }: Run) => errors + unmatched + flaky > 0

const FactText = ({ fact: { text, url } }: { fact: BuildFact }) =>
  url === null ? (
    text
  ) : (
    <a className={styles.link} href={url} target="_blank" rel="noopener noreferrer nofollow">
      {text}
      <ExternalLink aria-label="in a new tab" />
    </a>
  )
