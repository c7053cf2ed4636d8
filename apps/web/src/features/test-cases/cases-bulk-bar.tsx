import { useEffect } from 'react'

import { formatNumberOf } from '../../ui/format-count.ts'
import { CaseBulkBar } from './case-bulk-bar.tsx'
import { typeNames } from './case-words.ts'
import { returnFocusToRow } from './focus-row.ts'
import { deleteCases, setPriority } from './use-case-keys.ts'
import type { CasesPageState } from './use-cases-page.ts'

/** The bar of the selected test cases, with what it does on the cases page. */
export function CasesBulkBar({ page, isNarrow }: { page: CasesPageState; isNarrow: boolean }) {
  const { actions, selected, setDialog } = page
  useEffect(() => returnFocusToRow, [])
  const ids = selected.map(({ id }) => id)
  const subject = formatNumberOf(ids.length, 'test case')
  return (
    <CaseBulkBar
      count={ids.length}
      mayEdit={page.mayEdit}
      isNarrow={isNarrow}
      mayAddToRun={page.mayAddToRun}
      onMove={() => setDialog({ kind: 'move', ids })}
      onCopy={() => setDialog({ kind: 'copy', ids })}
      onPriority={(priority) => setPriority(page, ids, priority)}
      onType={(type) =>
        void actions.update(ids, { set: { type } }, `Type of ${subject} set to ${typeNames[type].toLowerCase()}`)
      }
      onTemplate={(template) =>
        void actions.update(ids, { set: { template }, convert_steps: true }, `${subject} written as ${template}`)
      }
      onOwner={() => setDialog({ kind: 'owner', ids })}
      onEstimate={() => setDialog({ kind: 'estimate', ids })}
      onField={page.list.fields.active.length === 0 ? undefined : () => setDialog({ kind: 'field', ids })}
      onTags={() => setDialog({ kind: 'tags', ids })}
      onAddToRun={() => setDialog({ kind: 'run', ids })}
      onArchive={() => page.archive(ids)}
      onDelete={() => deleteCases(page, ids)}
      onClear={() => page.setSelection(new Set())}
    />
  )
}
