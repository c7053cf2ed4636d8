import type { RunSettings } from '@caseward/client/endpoints'
import { useQuery } from '@tanstack/react-query'

import styles from '../../ui/form-page.module.css'
import { LoadedPart } from '../../ui/loaded-part.tsx'
import { SaveMessage } from '../../ui/save-message.tsx'
import { Select, type SelectOption } from '../../ui/select.tsx'
import { ShareList } from '../shares/share-list.tsx'
import { projectSharesQuery } from '../shares/share-queries.ts'
import { runSettingsQuery, useUpdateRunSettings } from './use-run-settings.ts'

type Shares = RunSettings['shares']

const OPTIONS: readonly SelectOption<Shares>[] = [
  { value: 'members', label: 'Members and admins' },
  { value: 'admins', label: 'Admins only' },
  { value: 'off', label: 'Nobody' },
]
const HINT =
  'A shared report of a run or milestone can be read by anyone who has its address. With “Nobody”, those that are shared cannot be opened either.'

/** Who may share reports, and which ones are shared. */
export function SharesSection({ projectId }: { projectId: string }) {
  const settings = useQuery(runSettingsQuery(projectId))
  const shares = useQuery(projectSharesQuery(projectId))
  const update = useUpdateRunSettings(projectId)
  return (
    <section className={styles.settings} aria-label="Shared reports">
      <LoadedPart query={settings} noun="project">
        {({ shares: saved }) => (
          <div className={styles.form}>
            <h2>Shared reports</h2>
            <Select<Shares>
              label="Who may share reports"
              hint={HINT}
              value={update.isPending ? (update.variables.shares ?? saved) : saved}
              options={OPTIONS}
              onChange={(value) => update.mutate({ shares: value })}
            />
            <SaveMessage mutation={update} success="Saved" />
          </div>
        )}
      </LoadedPart>
      <LoadedPart query={shares} noun="shared reports">
        {({ data }) =>
          data.length === 0 ? (
            <p className={styles.muted}>No report of this project was shared.</p>
          ) : (
            <ShareList projectId={projectId} shares={data} mayRevoke namesSubjects />
          )
        }
      </LoadedPart>
    </section>
  )
}
