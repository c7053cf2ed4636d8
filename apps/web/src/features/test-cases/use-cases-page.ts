import type { Folder, TestCase, TestCaseRow } from '@caseward/client/endpoints'
import { useQuery } from '@tanstack/react-query'
import { useCallback, useEffect, useMemo, useRef, useState } from 'react'

import { queries } from '../../api.ts'
import { holdTypingForField } from '../../hold-typing-for-field.ts'
import { paths } from '../../paths.ts'
import { NO_FOLDER, searchSchemas } from '../../search-schemas.ts'
import type { Selection } from '../../ui/table/selection.ts'
import { useMay } from '../../use-may.ts'
import { useSearch } from '../../use-search.ts'
import type { CaseView } from './search-cases.ts'
import { returnFocusToRow } from './focus-row.ts'
import { useCaseActions } from './use-case-actions.ts'
import { useCaseList } from './use-case-list.ts'
import { useFolderActions } from './use-folder-actions.ts'

/** Value of the parameter `case` while a new test case is written. */
const NEW_CASE = 'new'

/** What a dialog of the page is about. */
export type CasesDialog =
  | { readonly kind: 'folders' }
  | {
      readonly kind: 'move' | 'copy' | 'tags' | 'owner' | 'estimate' | 'field' | 'run'
      readonly ids: readonly string[]
    }
  | {
      readonly kind: 'delete'
      readonly ids: readonly string[]
      /** The results that keep only title and note; null if they could not be counted. */
      readonly resultCount: number | null
    }
  | { readonly kind: 'new-folder'; readonly parentId: string | null }
  | { readonly kind: 'rename-folder' | 'move-folder'; readonly folder: Folder }

/** The state of the cases page: what the URL says, what is selected, and which dialog is open. */
export function useCasesPage(projectId: string) {
  const [search, change] = useSearch(searchSchemas.cases)
  const { folder, q, priority, type, tag, owner, field, sort, by, desc } = search
  const view: CaseView = useMemo(
    () => ({ folder, q, priority, type, tag, owner, field, sort, by, desc }),
    [folder, q, priority, type, tag, owner, field, sort, by, desc],
  )
  const list = useCaseList(projectId, view)
  const project = useQuery(queries.project(projectId))
  const tags = useQuery(queries.tags(projectId))
  const may = useMay(projectId)
  const actions = useCaseActions(projectId)
  const folderActions = useFolderActions(projectId)
  const [selection, setSelection] = useState<Selection>(new Set())
  const [dialog, setDialog] = useState<CasesDialog | null>(null)
  const activeId = useRef<string | null>(null)
  const openId = useRef(search.case)
  useEffect(() => {
    openId.current = search.case
  })
  /** The test case whose title gets the focus as soon as it is loaded. */
  const [titleId, setTitleId] = useState<string | null>(null)
  const onTitleFocused = useCallback(() => setTitleId(null), [])
  const panelKey = usePanelKey(search.case)

  const selected = useMemo(
    () =>
      selection.size === 0
        ? none
        : sortAsShown(
            list.all.filter(({ id }) => selection.has(id)),
            list.rows,
          ),
    [selection, list.all, list.rows],
  )
  const openIndex = search.case === null ? -1 : list.rows.findIndex(({ id }) => id === search.case)
  const openNeighbour = (step: 1 | -1): (() => void) | undefined => {
    const row = openIndex === -1 ? undefined : list.rows[openIndex + step]
    return row === undefined ? undefined : () => change({ case: row.id }, 'replace')
  }
  return {
    projectId,
    search,
    view,
    change,
    list,
    project: project.data,
    projectError: project.error,
    tags: tags.data?.map((item) => item.tag) ?? noTags,
    /** What an export contains: exactly what the filters show. */
    getExport: () => ({
      projectId,
      projectName: project.data?.name ?? '',
      rows: list.rows,
      total: list.allTotal,
      folders: list.folders,
      filter: { priority, type, tag, owner_id: owner },
      fields: list.fields.active,
    }),
    mayEdit: may('test-cases:edit'),
    mayAddToRun: may('runs:execute'),
    actions,
    folderActions,
    selection,
    setSelection,
    selected,
    dialog,
    setDialog,
    panelKey: panelKey.key,
    isNew: search.case === NEW_CASE,
    /** The folder in which something new is created. */
    folderId: folder === NO_FOLDER || !list.folders.some(({ id }) => id === folder) ? null : folder,
    folderName:
      list.folders.find(({ id }) => id === folder)?.name ?? (folder === NO_FOLDER ? 'No folder' : 'All test cases'),
    /** What the keys of the page act on: the selected test cases, or else the current row, or else the open one. */
    getTargets(): readonly string[] {
      if (selected.length > 0) return selected.map(({ id }) => id)
      const id = activeId.current ?? search.case
      return id === null || !list.all.some((row) => row.id === id) ? noTags : [id]
    },
    /** The row that the keys of the page act on. */
    getActiveId: () => activeId.current,
    activate(row: TestCaseRow): void {
      activeId.current = row.id
    },
    /** The title in the list of the test case that is open. */
    openTitle: list.rows[openIndex]?.title,
    mustFocusTitle: titleId !== null && titleId === search.case,
    onTitleFocused,
    editTitle(): void {
      const id = activeId.current ?? search.case
      if (id === null || id === NEW_CASE) return
      holdTypingForField()
      setTitleId(id)
      if (id !== search.case || search.panel !== 'details') change({ case: id, panel: 'details' }, 'push')
    },
    open(row: TestCaseRow, inNewTab: boolean): void {
      setTitleId(null)
      if (inNewTab) window.open(paths.case(projectId, row.id), '_blank', 'noopener')
      else change({ case: row.id }, 'push')
    },
    openPrevious: openNeighbour(-1),
    openNext: openNeighbour(1),
    /** Opens a copy, whose title is what changes first. */
    openCopy(id: string): void {
      holdTypingForField()
      setSelection(new Set())
      setTitleId(id)
      change({ case: id, panel: 'details' }, 'push')
    },
    /** Closes the panel if it shows one of these, which are gone. */
    leave(ids: readonly string[]): void {
      if (openId.current !== null && ids.includes(openId.current)) change({ case: null }, 'replace')
    },
    close(): void {
      setTitleId(null)
      change({ case: null, panel: 'details' }, 'push')
      returnFocusToRow()
    },
    create(): void {
      if (search.case === NEW_CASE) return
      holdTypingForField()
      panelKey.begin()
      change({ case: NEW_CASE, panel: 'details' }, 'push')
    },
    onCreated(testCase: TestCase): void {
      panelKey.keep(testCase.id)
      change({ case: testCase.id }, 'replace')
    },
    archive(ids: readonly string[]): void {
      setSelection(new Set())
      void actions.archive(ids)
    },
    remove(ids: readonly string[]): void {
      setSelection(new Set())
      if (search.case !== null && ids.includes(search.case)) change({ case: null }, 'replace')
      actions.remove(ids)
    },
  }
}

export type CasesPageState = ReturnType<typeof useCasesPage>

const none: readonly TestCaseRow[] = []
const noTags: readonly string[] = []

/** Rows that the filter hides come last. */
function sortAsShown(rows: readonly TestCaseRow[], shown: readonly TestCaseRow[]): readonly TestCaseRow[] {
  const places = new Map(shown.map(({ id }, index) => [id, index]))
  return rows.toSorted((a, b) => (places.get(a.id) ?? places.size) - (places.get(b.id) ?? places.size))
}

/** The identity of the panel: a new test case keeps its fields, and the focus in them, when it gets its id. */
function usePanelKey(openId: string | null) {
  const [newCase, setNewCase] = useState({ id: '', count: 0 })
  const isNewCase = openId === NEW_CASE || (openId !== null && openId === newCase.id)
  return {
    key: isNewCase ? `new case ${newCase.count}` : (openId ?? ''),
    /** Called when another new test case is begun. */
    begin: () => setNewCase(({ count }) => ({ id: '', count: count + 1 })),
    /** Called when it has got its id. */
    keep: (id: string) => setNewCase(({ count }) => ({ id, count })),
  }
}
