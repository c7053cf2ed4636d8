import { useQuery } from '@tanstack/react-query'
import { Link } from 'react-router'

import { queries } from '../../api.ts'
import { paths } from '../../paths.ts'
import styles from '../../ui/form-page.module.css'
import { insightSettingsQuery } from './insight-queries.ts'

/** Whether tests that become flaky are quarantined, and where an admin changes that. */
export function AutomaticQuarantine({ projectId, mayChange }: { projectId: string; mayChange: boolean }) {
  const { data: settings } = useQuery(insightSettingsQuery(projectId))
  const people = useQuery(queries.people(projectId)).data
  if (settings === undefined) return null
  const { enabled, owner_id: ownerId } = settings.auto_quarantine
  const owner = people?.find(({ id }) => id === ownerId)?.name
  return (
    <p className={styles.muted}>
      {enabled
        ? `Tests that become flaky are quarantined automatically${owner === undefined ? ', and nobody owns these entries' : ` for ${owner}`}.`
        : 'Tests that become flaky are not quarantined automatically.'}
      {mayChange && (
        <>
          {' '}
          <Link to={paths.settings(projectId)}>Change it in the settings</Link>
        </>
      )}
    </p>
  )
}
