import ListFilter from 'lucide-react/icons/list-filter'
import { useState } from 'react'

import { Button } from '../../ui/button.tsx'
import { Popover } from '../../ui/popover.tsx'
import { CaseFilters, type CaseFiltersProps } from './case-filters.tsx'
import styles from './cases.module.css'
import { describeFilterCount } from './describe-filter.ts'

/** All filters behind one button, for narrow windows. */
export function CaseFiltersPopover({ projectId, view, facets, onChange, firstFilter }: CaseFiltersProps) {
  const [isOpen, setIsOpen] = useState(false)
  return (
    <Popover
      label="Filters"
      align="end"
      isOpen={isOpen}
      onOpenChange={setIsOpen}
      trigger={
        <Button ref={firstFilter} icon={<ListFilter />}>
          {describeFilterCount(view)}
        </Button>
      }
    >
      <div className={styles.filterList}>
        <CaseFilters {...{ projectId, view, facets, onChange }} />
      </div>
    </Popover>
  )
}
