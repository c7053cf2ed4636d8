import ListFilter from 'lucide-react/icons/list-filter'

import { Button } from '../../ui/button.tsx'
import { lazyPart } from '../../ui/lazy-part.tsx'
import type { ResultFiltersProps } from './result-filters.tsx'
import { describeFilterCount } from './search-results.ts'

/** The filters of results behind one button. Until its code is loaded, there is the button alone. */
export const ResultFiltersPopover = lazyPart(
  async () => (await import('./result-filters-popover.tsx')).ResultFiltersPopover,
  {
    button: ({ filter }: ResultFiltersProps) => (
      <Button size="form" icon={<ListFilter />}>
        {describeFilterCount(filter)}
      </Button>
    ),
  },
)
