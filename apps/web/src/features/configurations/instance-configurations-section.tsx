import { useQuery } from '@tanstack/react-query'

import { LoadedPart } from '../../ui/loaded-part.tsx'
import { ConfigurationLists } from './configuration-lists.tsx'
import { instanceConfigurationsQuery, useChangeInstanceConfigurations } from './use-configurations.ts'

/** The configurations of the instance: those that every project can use. */
export function InstanceConfigurationsSection() {
  const query = useQuery(instanceConfigurationsQuery())
  const actions = useChangeInstanceConfigurations()
  return (
    <section aria-label="Configurations" style={{ display: 'grid', gap: 16, padding: '20px 12px' }}>
      <LoadedPart query={query} noun="configurations">
        {(configurations) => <ConfigurationLists configurations={configurations} actions={actions} scope="instance" />}
      </LoadedPart>
    </section>
  )
}
