import type { MyProject } from '@caseward/client/endpoints'
import type { ReactNode } from 'react'
import { Navigate, useParams } from 'react-router'

import { useLive } from '../../live/use-live.ts'
import { type HelpPageName, paths, SETTINGS_PAGES, type SettingsPage as Page } from '../../paths.ts'
import { EmptyState } from '../../ui/empty-state.tsx'
import styles from '../../ui/form-page.module.css'
import { formatPageTitle } from '../../ui/format-page-title.ts'
import { lazySection } from '../../ui/lazy-section.tsx'
import { PageHeading } from '../../ui/page-heading.tsx'
import { useProject } from '../../use-project.ts'
import { NotFoundPage } from '../not-found/not-found.page.tsx'
import { CiTokensSection } from './ci-tokens-section.tsx'
import { DeleteSection } from './delete-section.tsx'
import { ExportSection } from './export-section.tsx'
import { FilesSection } from './files-section.tsx'
import { GeneralSection } from './general-section.tsx'
import { RunsSection } from './runs-section.tsx'
import { SharesSection } from './shares-section.tsx'
import { StepsSection } from './steps-section.tsx'
import { TemplatesSection } from './templates-section.tsx'
import { settingsLabels, SettingsTabs } from './settings-tabs.tsx'

const FieldsSection = lazySection(async () => (await import('../fields/fields-section.tsx')).FieldsSection)
const ConfigurationsSection = lazySection(
  async () => (await import('../configurations/configurations-section.tsx')).ConfigurationsSection,
)

const InsightSection = lazySection(async () => (await import('../insight/insight-section.tsx')).InsightSection)

/** Where the user guide explains them. */
const helpPages: Readonly<Record<Page, HelpPageName>> = {
  general: 'roles',
  fields: 'custom-fields',
  configurations: 'running-tests',
  tokens: 'ci',
  danger: 'roles',
}

/** `/projects/:projectId/settings/:page`: what the admins of a project decide. */
export function SettingsPage() {
  const { projectId = '', page: name } = useParams()
  const { project, isMissing } = useProject(projectId)
  useLive({ projectId })
  if (name === undefined) return <Navigate to={paths.settings(projectId)} replace />
  const page = SETTINGS_PAGES.find((known) => known === name)
  if (page === undefined || isMissing) return <NotFoundPage />
  if (project === undefined) return null
  const mayManage = project.permissions.includes('project:settings')
  return (
    <main className={styles.page}>
      <title>{formatPageTitle(settingsLabels[page], 'Settings', project.name)}</title>
      <PageHeading title="Settings" help={mayManage ? helpPages[page] : 'roles'} />
      {mayManage ? (
        <Settings key={projectId} project={project} page={page} />
      ) : (
        <EmptyState drawing="lost" title="Only admins of the project see its settings" help={null}>
          An admin of “{project.name}” can make you one.
        </EmptyState>
      )}
    </main>
  )
}

function Settings({ project, page }: { project: MyProject; page: Page }) {
  const sections: Readonly<Record<Page, ReactNode>> = {
    general: (
      <>
        <GeneralSection projectId={project.id} />
        <TemplatesSection projectId={project.id} />
        <RunsSection projectId={project.id} />
        <InsightSection projectId={project.id} />
        <StepsSection projectId={project.id} />
        <FilesSection projectId={project.id} />
        <SharesSection projectId={project.id} />
        <ExportSection projectId={project.id} />
      </>
    ),
    fields: <FieldsSection project={project} />,
    configurations: <ConfigurationsSection projectId={project.id} />,
    tokens: <CiTokensSection project={project} />,
    danger: <DeleteSection project={project} />,
  }
  return (
    <>
      <SettingsTabs projectId={project.id} current={page} />
      <section className={styles.section} aria-label={settingsLabels[page]}>
        {sections[page]}
      </section>
    </>
  )
}
