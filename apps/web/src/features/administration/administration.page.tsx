import { useQuery } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { Navigate, useParams } from 'react-router'

import { queries } from '../../api.ts'
import { ADMIN_PAGES, type AdminPage, paths } from '../../paths.ts'
import { ButtonLink } from '../../ui/button.tsx'
import { EmptyState } from '../../ui/empty-state.tsx'
import { lazySection } from '../../ui/lazy-section.tsx'
import { PageHeading } from '../../ui/page-heading.tsx'
import { TabLinks } from '../../ui/tab-links.tsx'
import { AuditLog } from '../audit/audit-log.tsx'
import { NotFoundPage } from '../not-found/not-found.page.tsx'
import styles from './administration.module.css'
import { SettingsSection } from './settings-section.tsx'
import { UsersSection } from './users-section.tsx'

const InstanceFieldsSection = lazySection(
  async () => (await import('../fields/instance-fields-section.tsx')).InstanceFieldsSection,
)

const InstanceConfigurationsSection = lazySection(
  async () => (await import('../configurations/instance-configurations-section.tsx')).InstanceConfigurationsSection,
)

const labels: Readonly<Record<AdminPage, string>> = {
  users: 'Users',
  audit: 'Audit log',
  fields: 'Fields',
  configurations: 'Configurations',
  settings: 'Settings',
}
const getPath: Readonly<Record<AdminPage, string>> = {
  users: paths.users(),
  audit: paths.audit(),
  fields: paths.instanceFields(),
  configurations: paths.instanceConfigurations(),
  settings: paths.instanceSettings(),
}

/** `/admin/:page`: the users, the audit log and the settings of the instance, for its administrators. */
export function AdministrationPage() {
  const { page: name } = useParams()
  const { data: me } = useQuery(queries.me())
  if (me === undefined) return null
  if (!me.is_instance_admin) return <NotAllowed />
  if (name === undefined) return <Navigate to={paths.users()} replace />
  const page = ADMIN_PAGES.find((known) => known === name)
  if (page === undefined) return <NotFoundPage />
  const sections: Readonly<Record<AdminPage, ReactNode>> = {
    users: <UsersSection />,
    audit: <AuditLog projectId={null} />,
    fields: <InstanceFieldsSection />,
    configurations: <InstanceConfigurationsSection />,
    settings: <SettingsSection />,
  }
  return (
    <main className={styles.page}>
      <title>{`${labels[page]} · Administration · Caseward`}</title>
      <header className={styles.header}>
        <PageHeading className={styles.heading} title="Administration" help="administration" />
        <TabLinks
          label="Administration"
          tabs={ADMIN_PAGES.map((known) => ({
            to: getPath[known],
            label: labels[known],
            isCurrent: known === page,
          }))}
        />
      </header>
      {sections[page]}
    </main>
  )
}

const NotAllowed = () => (
  <main>
    <title>Administration · Caseward</title>
    <EmptyState
      drawing="lost"
      headingLevel={1}
      title="Only administrators can open this page"
      help="administration"
      actions={
        <ButtonLink to={paths.projects({ all: true })} size="form" variant="primary">
          Go to your projects
        </ButtonLink>
      }
    >
      Administrators manage the users and settings of this server. If you have to do that, ask one of them to make you
      an administrator. The admin of a project is something else: they manage its members.
    </EmptyState>
  </main>
)
