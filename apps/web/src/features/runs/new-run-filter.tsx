import { useMemo, useRef } from 'react'

import { TextField } from '../../ui/field.tsx'
import { useKeys } from '../../use-keys.ts'
import { CaseFilters } from '../test-cases/case-filters.tsx'
import { countFacets } from '../test-cases/search-cases.ts'
import styles from './new-run.module.css'
import type { NewRun } from './use-new-run.ts'

interface NewRunFilterProps {
  projectId: string
  newRun: NewRun
}

/** Chooses test cases by text, priority, type, tag and owner. */
export function NewRunFilter({ projectId, newRun: { choice, change, ordered } }: NewRunFilterProps) {
  const search = useRef<HTMLInputElement>(null)
  const facets = useMemo(() => countFacets(ordered), [ordered])
  const view = { ...choice.filter, folder: null, sort: 'tree', by: '', desc: false } as const
  useKeys({ search: () => search.current?.focus() })
  return (
    <div className={styles.filters}>
      <TextField
        ref={search}
        label="Text"
        isLabelHidden
        type="search"
        placeholder="Title, ID or tag"
        maxLength={255}
        className={styles.search}
        value={choice.filter.q}
        onChange={({ target }) => change({ filter: { ...choice.filter, q: target.value } })}
      />
      <CaseFilters
        projectId={projectId}
        view={view}
        facets={facets}
        onChange={({ q, priority, type, tag, owner, field }) =>
          change({
            filter: {
              q: q ?? choice.filter.q,
              priority: priority ?? choice.filter.priority,
              type: type ?? choice.filter.type,
              tag: tag ?? choice.filter.tag,
              owner: owner ?? choice.filter.owner,
              field: field ?? choice.filter.field,
            },
          })
        }
      />
    </div>
  )
}
