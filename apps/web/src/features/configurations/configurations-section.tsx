import { useQuery } from '@tanstack/react-query'

import styles from '../../ui/form-page.module.css'
import { LoadedPart } from '../../ui/loaded-part.tsx'
import { ConfigurationItem, ConfigurationLists } from './configuration-lists.tsx'
import {
  type ConfigurationGroup,
  configurationsQuery,
  toGroups,
  useChangeConfigurations,
} from './use-configurations.ts'

/** What test cases can be tested with: browsers, systems, devices. */
export function ConfigurationsSection({ projectId }: { projectId: string }) {
  const query = useQuery(configurationsQuery(projectId))
  const actions = useChangeConfigurations(projectId)
  return (
    <LoadedPart query={query} noun="configurations">
      {(configurations) => (
        <>
          <ConfigurationLists
            configurations={configurations.filter(({ scope }) => scope === 'project')}
            actions={actions}
            scope="project"
          />
          <OfInstance
            groups={toGroups(configurations.filter(({ scope, retired_at: at }) => scope === 'instance' && at === null))}
          />
        </>
      )}
    </LoadedPart>
  )
}

/** What every project of the instance can use. Its administrators change it. */
const OfInstance = ({ groups }: { groups: readonly ConfigurationGroup[] }) =>
  groups.length > 0 && (
    <section className={styles.part} aria-label="Of this instance">
      <h2>Of this instance</h2>
      <p className={styles.muted}>Every project can use these. The administrators of the instance change them.</p>
      <ul className={styles.list}>
        {groups.flatMap((group) =>
          group.configurations.map((configuration) => (
            <ConfigurationItem key={configuration.id} configuration={configuration} isGroupNamed />
          )),
        )}
      </ul>
    </section>
  )
