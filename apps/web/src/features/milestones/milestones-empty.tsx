import { keys } from '../../keys.ts'
import { Button } from '../../ui/button.tsx'
import { EmptyState } from '../../ui/empty-state.tsx'
import { milestoneStatusNames } from './milestone-words.ts'
import type { MilestonesView } from './milestone-words.ts'

interface MilestonesEmptyProps {
  hasNone: boolean
  status: MilestonesView['status']
  /** Missing if the user may not create milestones. */
  onCreate: (() => void) | undefined
  onShowAll: () => void
}

/** Takes the place of the list: no milestone yet, or none with the status. */
export function MilestonesEmpty({ hasNone, status, onCreate, onShowAll }: MilestonesEmptyProps) {
  const create = onCreate !== undefined && (
    <Button variant="primary" shortcut={keys.create.bindings[0]} onClick={onCreate}>
      New milestone
    </Button>
  )
  if (hasNone) {
    return (
      <EmptyState drawing="milestones" title="No milestones yet" help="milestones" actions={create || undefined}>
        A milestone is a goal with a due date, such as a release. Link runs to it to see whether it will be ready.
      </EmptyState>
    )
  }
  const name = status === 'all' ? '' : milestoneStatusNames[status].toLowerCase()
  return (
    <EmptyState
      drawing="search"
      title={`No milestone is ${name}`}
      help="milestones"
      actions={
        <>
          {status === 'active' && create}
          <Button onClick={onShowAll}>Show all milestones</Button>
        </>
      }
    />
  )
}
