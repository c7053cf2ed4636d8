import { keys } from '../../keys.ts'
import { BulkBar } from '../../ui/bulk-bar.tsx'
import { Button } from '../../ui/button.tsx'

export interface SelectedTestsProps {
  count: number
  onClear: () => void
  onQuarantine: () => void
}

/** What can be done with the selected tests of a run. */
export const SelectedTests = ({ count, onClear, onQuarantine }: SelectedTestsProps) => (
  <BulkBar count={count} onClear={onClear}>
    <Button shortcut={keys.quarantine.bindings[0]} onClick={onQuarantine}>
      Quarantine
    </Button>
  </BulkBar>
)
