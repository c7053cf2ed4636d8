import type { Priority } from '@caseward/client/endpoints'
import type { RefObject } from 'react'

import { formatNumberOf } from '../../ui/format-count.ts'
import { useKeys } from '../../use-keys.ts'
import { priorityNames } from './case-words.ts'
import type { CasesPageState } from './use-cases-page.ts'

interface CaseKeyTargets {
  readonly search: RefObject<HTMLInputElement | null>
  readonly firstFilter: RefObject<HTMLButtonElement | null>
  /** The title in the panel. */
  readonly title: RefObject<HTMLTextAreaElement | null>
}

/** Changes the priority of test cases. */
export function setPriority(page: CasesPageState, ids: readonly string[], priority: Priority): void {
  if (ids.length === 0) return
  const subject = ids.length === 1 ? String(ids[0]) : formatNumberOf(ids.length, 'test case')
  void page.actions.update(
    ids,
    { set: { priority } },
    `Priority of ${subject} set to ${priorityNames[priority].toLowerCase()}`,
  )
}

/** Registers the keys of the cases page. Those that the user may not use are not registered. */
export function useCaseKeys(page: CasesPageState, { search, firstFilter, title }: CaseKeyTargets): void {
  const ask = (kind: 'move' | 'copy' | 'tags') => () => {
    const ids = page.getTargets()
    if (ids.length > 0) page.setDialog({ kind, ids })
  }
  const set = (priority: Priority) => () => setPriority(page, page.getTargets(), priority)
  const hasSelection = page.selection.size > 0
  useKeys({
    ...(page.search.case === null && !hasSelection ? {} : { close: () => closeTopmost(page) }),
    search: () => search.current?.focus(),
    filter: () => firstFilter.current?.click(),
    previousInPanel: () => page.openPrevious?.(),
    nextInPanel: () => page.openNext?.(),
    ...(page.mayEdit
      ? {
          create() {
            if (page.isNew) title.current?.focus()
            else page.create()
          },
          newFolder: () => page.setDialog({ kind: 'new-folder', parentId: page.folderId }),
          editTitle: page.editTitle,
          rename: page.editTitle,
          move: ask('move'),
          copyCases: ask('copy'),
          tags: ask('tags'),
          priorityCritical: set('critical'),
          priorityHigh: set('high'),
          priorityMedium: set('medium'),
          priorityLow: set('low'),
          delete: () => {
            const ids = page.getTargets()
            if (ids.length > 0) deleteCases(page, ids)
          },
        }
      : {}),
  })
}

/** The panel, or else the selection. */
function closeTopmost(page: CasesPageState): void {
  if (page.search.case === null) page.setSelection(new Set())
  else page.close()
}

/** Deletes test cases, or asks first if more than they themselves would be lost. */
export function deleteCases(page: CasesPageState, ids: readonly string[]): void {
  void import('./delete-cases.ts').then((code) => code.deleteCases(page, ids))
}
