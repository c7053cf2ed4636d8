import { type ReactNode, useState } from 'react'

import { lazyPart } from '../../ui/lazy-part.tsx'
import { useKeys } from '../../use-keys.ts'
import { LazyQuarantineDialog } from '../quarantines/lazy-dialogs.tsx'
import type { QuarantinedTest } from '../quarantines/quarantine-dialog.tsx'

/** Chooses tests of lists, and quarantines them. */
export interface Quarantining {
  /** By their ids. */
  readonly selected: ReadonlyMap<string, QuarantinedTest>
  /** Tests that were quarantined on this page: a run that is settled keeps its verdicts. */
  readonly doneIds: ReadonlySet<string>
  select(test: QuarantinedTest, isSelected: boolean): void
  /** Says which test the key is about. */
  activate(test: QuarantinedTest): void
  open(tests: readonly QuarantinedTest[]): void
}

const SelectedTests = lazyPart(async () => (await import('./selected-tests.tsx')).SelectedTests)

const none: ReadonlyMap<string, QuarantinedTest> = new Map()

/**
 * The tests that are selected on a page, and the dialog that quarantines them.
 * @returns null in place of the actions if the user may not
 */
export function useQuarantining(
  projectId: string,
  mayQuarantine: boolean,
): { quarantining: Quarantining | null; dialogs: ReactNode } {
  const [selected, setSelected] = useState(none)
  const [active, setActive] = useState<QuarantinedTest | null>(null)
  const [doneIds, setDoneIds] = useState<ReadonlySet<string>>(new Set())
  const [opened, setOpened] = useState<readonly QuarantinedTest[] | null>(null)
  const targets = selected.size > 0 ? [...selected.values()] : active === null ? [] : [active]
  const openTargets = () => {
    const open = targets.filter(({ id }) => !doneIds.has(id))
    if (open.length > 0) setOpened(open)
  }
  useKeys(mayQuarantine ? { quarantine: openTargets } : {})
  if (!mayQuarantine) return { quarantining: null, dialogs: null }
  return {
    quarantining: {
      selected,
      doneIds,
      select(test, isSelected) {
        const next = new Map(selected)
        if (isSelected) next.set(test.id, test)
        else next.delete(test.id)
        setSelected(next)
      },
      activate: setActive,
      open: setOpened,
    },
    dialogs: (
      <>
        {selected.size > 0 && (
          <div
            style={{ position: 'sticky', insetBlockEnd: 'var(--bottom-bar, 0px)', zIndex: 2, marginBlockStart: 'auto' }}
          >
            <SelectedTests count={selected.size} onClear={() => setSelected(none)} onQuarantine={openTargets} />
          </div>
        )}
        {opened !== null && (
          <LazyQuarantineDialog
            projectId={projectId}
            tests={opened}
            onClose={(isDone) => {
              if (isDone) {
                setDoneIds(new Set([...doneIds, ...opened.map(({ id }) => id)]))
                setSelected(none)
              }
              setOpened(null)
            }}
          />
        )}
      </>
    ),
  }
}
