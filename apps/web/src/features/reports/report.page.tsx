import { keepPreviousData, useQuery } from '@tanstack/react-query'
import Printer from 'lucide-react/icons/printer'
import { Link, useParams } from 'react-router'

import { useLive } from '../../live/use-live.ts'
import { Button } from '../../ui/button.tsx'
import { EmptyState } from '../../ui/empty-state.tsx'
import { formatPageTitle } from '../../ui/format-page-title.ts'
import { LoadedPart } from '../../ui/loaded-part.tsx'
import { PageHeading } from '../../ui/page-heading.tsx'
import { Segmented } from '../../ui/segmented.tsx'
import { useMediaQuery } from '../../ui/use-media-query.ts'
import { useProject } from '../../use-project.ts'
import { useSearch } from '../../use-search.ts'
import { getTabPath, REPORT_DAYS, reportSearch } from '../insight/insight-paths.ts'
import { ReportParts } from './report-parts.tsx'
import { reportQuery } from './report-queries.ts'
import { ReportSubscription } from './report-subscription.tsx'
import { formatSpan, summarize } from './report-words.ts'

/** `/projects/:projectId/insight/report`: what happened in the last days, to read or to print. */
export function ReportPage() {
  const { projectId = '' } = useParams()
  return <ProjectReport key={projectId} projectId={projectId} />
}

function ProjectReport({ projectId }: { projectId: string }) {
  const [{ days }, change] = useSearch(reportSearch)
  const name = useProject(projectId).project?.name
  useLive({ projectId })
  const report = useQuery({ ...reportQuery(projectId, Number(days)), placeholderData: keepPreviousData })
  const isPrinting = useMediaQuery('print')
  return (
    <main style={isPrinting ? paperStyle : screenStyle}>
      <title>{formatPageTitle('Report', name)}</title>
      <header style={{ display: 'flex', flexWrap: 'wrap', gap: '8px 12px', alignItems: 'center' }}>
        <div style={{ flex: '1 1 240px', minWidth: 0 }}>
          {isPrinting ? <h1>{`Report of ${name ?? ''}`}</h1> : <PageHeading title="Report" help="insight" />}
        </div>
        {!isPrinting && (
          <>
            <Segmented
              label="Period"
              value={days}
              options={REPORT_DAYS.map((value) => ({ value, label: `${value} days` }))}
              onChange={(value) => change({ days: value }, 'replace')}
            />
            <Button icon={<Printer />} onClick={() => window.print()}>
              Print
            </Button>
          </>
        )}
      </header>
      <LoadedPart query={report} noun="report">
        {(loaded) =>
          loaded.run_count === 0 && loaded.readiness.length === 0 ? (
            <EmptyState drawing="runs" title={`No run in the last ${days} days`} help="insight">
              The report says what runs of this time have shown. Choose more days.
            </EmptyState>
          ) : (
            <>
              <div>
                <p style={{ color: 'var(--muted)', font: 'var(--text-13)' }}>{formatSpan(loaded)}</p>
                <p style={{ font: 'var(--text-16)', overflowWrap: 'anywhere' }}>{summarize(loaded)}</p>
              </div>
              <ReportParts projectId={projectId} report={loaded} />
            </>
          )
        }
      </LoadedPart>
      {!isPrinting && (
        <>
          <ReportSubscription projectId={projectId} />
          <p>
            <Link to={getTabPath(projectId, 'health')}>All of Insight</Link>
          </p>
        </>
      )}
    </main>
  )
}

const gridStyle = { display: 'grid', gridTemplateColumns: 'minmax(0, 1fr)', alignContent: 'start' } as const
const screenStyle = { ...gridStyle, gap: 20, maxWidth: 800, padding: '20px var(--page-margin) 48px' } as const
/** Paper is white, whichever theme the screen has. */
const paperStyle = {
  ...gridStyle,
  gap: 14,
  colorScheme: 'light',
  background: 'var(--card)',
  color: 'var(--text)',
} as const
