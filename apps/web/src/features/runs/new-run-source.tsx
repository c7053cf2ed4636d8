import { Segmented } from '../../ui/segmented.tsx'
import { Select } from '../../ui/select.tsx'
import { useMediaQuery } from '../../ui/use-media-query.ts'
import type { RunSource } from './new-run-choice.ts'
import { NewRunByHand } from './new-run-by-hand.tsx'
import { NewRunFilter } from './new-run-filter.tsx'
import { NewRunFolders } from './new-run-folders.tsx'
import { NewRunFromRun } from './new-run-from-run.tsx'
import styles from './new-run.module.css'
import type { NewRun } from './use-new-run.ts'

const options = [
  { value: 'all', label: 'All' },
  { value: 'folders', label: 'Folders' },
  { value: 'filter', label: 'Filter' },
  { value: 'hand', label: 'By hand' },
  { value: 'run', label: 'From a run' },
] as const satisfies readonly { value: RunSource; label: string }[]

/** Chooses the test cases of the run in one of five ways. */
export function NewRunSource({ newRun, projectId }: { newRun: NewRun; projectId: string }) {
  const { choice, change } = newRun
  const isNarrow = useMediaQuery('(width < 700px)')
  const props = {
    label: 'Test cases',
    value: choice.source,
    options,
    onChange: (source: RunSource) => change({ source }),
  }
  return (
    <section className={styles.source} aria-label="Choose test cases">
      <div className={styles.sourceHead}>{isNarrow ? <Select {...props} /> : <Segmented {...props} />}</div>
      {(choice.source === 'all' || choice.source === 'folders') && (
        <NewRunFolders newRun={newRun} projectId={projectId} />
      )}
      {choice.source === 'filter' && <NewRunFilter newRun={newRun} projectId={projectId} />}
      {choice.source === 'hand' && <NewRunByHand newRun={newRun} />}
      {choice.source === 'run' && <NewRunFromRun newRun={newRun} />}
    </section>
  )
}
