import UserRoundPlus from 'lucide-react/icons/user-round-plus'
import { useEffect } from 'react'

import { keys } from '../../keys.ts'
import { BulkBar } from '../../ui/bulk-bar.tsx'
import { Button } from '../../ui/button.tsx'
import { useNarrow } from '../../use-narrow.ts'
import { returnFocusToRow } from '../test-cases/focus-row.ts'
import type { RunSelection } from './use-run-selection.ts'

/** What can be done with the selected results of a run. */
export function RunBulkBar({ selection: { selected, clear, assign } }: { selection: RunSelection }) {
  const isNarrow = useNarrow()
  useEffect(() => returnFocusToRow, [])
  return (
    <BulkBar count={selected.length} onClear={clear}>
      <Button
        icon={<UserRoundPlus />}
        shortcut={isNarrow ? undefined : keys.assign.bindings[0]}
        onClick={() => assign(selected.map(({ id }) => id))}
      >
        Assign
      </Button>
    </BulkBar>
  )
}
