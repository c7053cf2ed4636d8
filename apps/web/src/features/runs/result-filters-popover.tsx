import ListFilter from 'lucide-react/icons/list-filter'
import { useState } from 'react'

import { Button } from '../../ui/button.tsx'
import { Popover } from '../../ui/popover.tsx'
import { ResultFilters, type ResultFiltersProps } from './result-filters.tsx'
import { describeFilterCount } from './search-results.ts'
import styles from './run-filters.module.css'

/** The filters of results behind one button, for narrow windows and columns. */
export function ResultFiltersPopover(props: ResultFiltersProps) {
  const [isOpen, setIsOpen] = useState(false)
  return (
    <Popover
      label="Filters"
      align="end"
      isOpen={isOpen}
      onOpenChange={setIsOpen}
      trigger={
        <Button size="form" icon={<ListFilter />}>
          {describeFilterCount(props.filter)}
        </Button>
      }
    >
      <div className={styles.popover}>
        <ResultFilters {...props} />
      </div>
    </Popover>
  )
}
