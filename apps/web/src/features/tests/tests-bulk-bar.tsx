import Link from 'lucide-react/icons/link'
import ListPlus from 'lucide-react/icons/list-plus'
import { useEffect } from 'react'

import { keys } from '../../keys.ts'
import { BulkBar } from '../../ui/bulk-bar.tsx'
import { Button } from '../../ui/button.tsx'
import { useNarrow } from '../../use-narrow.ts'
import { returnFocusToRow } from '../test-cases/focus-row.ts'
import type { TestsArea } from './use-tests-area.ts'

/** What can be done with the selected tests. */
export function TestsBulkBar({ area }: { area: TestsArea }) {
  const { selected, setSelection, create, link, quarantine, mayQuarantine } = area
  const isNarrow = useNarrow()
  useEffect(() => returnFocusToRow, [])
  const canCreate = selected.some(({ test_case_ids }) => test_case_ids.length === 0)
  return (
    <BulkBar count={selected.length} onClear={() => setSelection(new Set())}>
      {canCreate && (
        <Button
          icon={isNarrow ? undefined : <ListPlus />}
          shortcut={isNarrow ? undefined : keys.create.bindings[0]}
          onClick={() => create(selected)}
        >
          Create test cases
        </Button>
      )}
      <Button
        icon={isNarrow ? undefined : <Link />}
        shortcut={isNarrow ? undefined : keys.link.bindings[0]}
        onClick={() => link(selected)}
      >
        {isNarrow ? 'Link' : 'Link to a test case'}
      </Button>
      {mayQuarantine && (
        <Button shortcut={isNarrow ? undefined : keys.quarantine.bindings[0]} onClick={() => quarantine(selected)}>
          Quarantine
        </Button>
      )}
    </BulkBar>
  )
}
