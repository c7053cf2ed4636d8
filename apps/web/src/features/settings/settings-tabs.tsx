import { paths, type SettingsPage } from '../../paths.ts'
import { TabLinks } from '../../ui/tab-links.tsx'

/** The pages of the settings of a project, of which the audit log has an address with filters of its own. */
export const settingsLabels: Readonly<Record<SettingsPage | 'audit', string>> = {
  general: 'General',
  fields: 'Fields',
  configurations: 'Configurations',
  tokens: 'CI tokens',
  audit: 'Audit log',
  danger: 'Delete project',
}

/** Leads from one page of the settings to another. */
export const SettingsTabs = ({ projectId, current }: { projectId: string; current: SettingsPage | 'audit' }) => (
  <TabLinks
    label="Settings"
    tabs={(Object.keys(settingsLabels) as (SettingsPage | 'audit')[]).map((page) => ({
      to: page === 'audit' ? paths.projectAudit(projectId) : paths.settings(projectId, page),
      label: settingsLabels[page],
      isCurrent: page === current,
    }))}
  />
)
