import { Navigate, useParams } from 'react-router'

import { useLive } from '../../live/use-live.ts'
import { ButtonLink } from '../../ui/button.tsx'
import { formatPageTitle } from '../../ui/format-page-title.ts'
import { lazySection } from '../../ui/lazy-section.tsx'
import { PageHeading } from '../../ui/page-heading.tsx'
import { TabLinks } from '../../ui/tab-links.tsx'
import { useProject } from '../../use-project.ts'
import { NotFoundPage } from '../not-found/not-found.page.tsx'
import { getReportPath, getTabPath, REPORT } from './insight-paths.ts'
import { insightTabs } from './insight-tabs.tsx'
import { NoTestsYet } from './no-tests-yet.tsx'
import { RunFilters } from './run-filters.tsx'
import { useInsightView } from './use-insight-view.ts'

const ReportPage = lazySection(async () => (await import('../reports/report.page.tsx')).ReportPage)

/** `/projects/:projectId/insight/:tab`: what fails, what is unreliable, and what is quarantined. */
export function InsightPage() {
  const { projectId = '', tab, signature } = useParams()
  const { isMissing } = useProject(projectId)
  const known = insightTabs.find(({ id }) => id === tab)
  if (tab === undefined) return <Navigate to={getTabPath(projectId, insightTabs[0].id)} replace />
  if (tab === REPORT && signature === undefined && !isMissing) return <ReportPage />
  if (known === undefined || isMissing) return <NotFoundPage />
  return <Insight key={projectId} projectId={projectId} tab={known} signature={signature} />
}

interface InsightProps {
  projectId: string
  tab: (typeof insightTabs)[number]
  signature: string | undefined
}

function Insight({ projectId, tab, signature }: InsightProps) {
  const { project } = useProject(projectId)
  useLive({ projectId })
  const view = useInsightView(projectId)
  const { branch, series, days } = view.search
  const { Content } = tab
  return (
    <main
      style={{
        display: 'grid',
        gridTemplateColumns: 'minmax(0, 1fr)',
        gap: 16,
        maxWidth: 1120,
        padding: '20px var(--page-margin) 48px',
      }}
    >
      <title>{formatPageTitle(tab.label, 'Insight', project?.name)}</title>
      <div
        style={{ display: 'flex', flexWrap: 'wrap', gap: 12, alignItems: 'center', justifyContent: 'space-between' }}
      >
        <PageHeading title="Insight" help="insight" />
        {!view.isWithoutTests && <ButtonLink to={getReportPath(projectId)}>Report</ButtonLink>}
      </div>
      <TabLinks
        label="Insight"
        tabs={insightTabs.map(({ id, label }) => ({
          // What the tabs share stays.
          to: getTabPath(projectId, id, { branch, series, days }),
          label,
          isCurrent: id === tab.id,
        }))}
      />
      {view.isWithoutTests ? (
        <NoTestsYet projectId={projectId} />
      ) : (
        <>
          {tab.runFilters !== null && <RunFilters view={view} {...tab.runFilters} />}
          <Content view={view} signature={signature} />
        </>
      )}
    </main>
  )
}
