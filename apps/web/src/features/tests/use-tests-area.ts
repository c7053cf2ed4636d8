import type { Run } from '@caseward/client/endpoints'
import { useMemo, useRef, useState } from 'react'

import { paths } from '../../paths.ts'
import type { May } from '../../rights.ts'
import type { Selection } from '../../ui/table/selection.ts'
import { useKeys } from '../../use-keys.ts'
import { returnFocusToRow } from '../test-cases/focus-row.ts'
import type { TestRow } from './test-row.ts'
import type { TestView } from './test-words.ts'
import { useTestList } from './use-test-list.ts'

export interface TestsAreaProps {
  projectId: string
  /** Null for all tests of the project. */
  run: Run | null
  may: May
  view: TestView
  /** The open test. */
  openId: string | null
  /** Filters, in place of the entry of the history. */
  onChange: (changes: Partial<TestView>) => void
  /** Opens a test, or closes it (null), as a step of Back. */
  onOpen: (testId: string | null) => void
}

/** What a dialog is about. Without tests: all unmatched tests of the run. */
export type TestsDialog =
  | { readonly kind: 'create'; readonly tests: readonly TestRow[] | null }
  | { readonly kind: 'link' | 'quarantine'; readonly tests: readonly TestRow[] }

/** The state of a page with tests: the list, what is selected, and which dialog is open. */
export function useTestsArea(props: TestsAreaProps) {
  const { projectId, run, may, view, openId, onOpen } = props
  const list = useTestList(projectId, run?.id ?? null, view)
  const [selection, setSelection] = useState<Selection>(new Set())
  const [dialog, setDialog] = useState<TestsDialog | null>(null)
  const search = useRef<HTMLInputElement>(null)
  const filter = useRef<HTMLSelectElement>(null)
  const activeId = useRef<string | null>(null)
  const mayEdit = may('test-cases:edit')
  const mayQuarantine = may('quarantine:manage')
  const selected = useMemo(() => list.rows.filter(({ id }) => selection.has(id)), [list.rows, selection])

  /** What the keys of the page act on. */
  function getTargets(): readonly TestRow[] {
    if (selected.length > 0) return selected
    const id = activeId.current ?? openId
    return list.rows.filter((row) => row.id === id)
  }
  const canCreateAll = mayEdit && run !== null && run.test_stats.unmatched > 0
  const canAddToRun = run?.status === 'in_progress' && !run.adds_test_cases && may('runs:execute')
  function create(tests: readonly TestRow[]): void {
    if (tests.some(isUnmatched)) setDialog({ kind: 'create', tests: tests.filter(isUnmatched) })
  }
  function link(tests: readonly TestRow[]): void {
    if (tests.length > 0) setDialog({ kind: 'link', tests })
  }
  function quarantine(tests: readonly TestRow[]): void {
    if (tests.length > 0) setDialog({ kind: 'quarantine', tests })
  }
  const close = () => {
    onOpen(null)
    returnFocusToRow()
  }
  useKeys({
    search: () => search.current?.focus(),
    filter: () => filter.current?.focus(),
    ...(openId === null ? {} : { close }),
    ...(mayEdit
      ? {
          create: () =>
            canCreateAll && selected.length === 0 ? setDialog({ kind: 'create', tests: null }) : create(getTargets()),
          link: () => link(getTargets()),
        }
      : {}),
    // The panel of a test has the key for it.
    ...(mayQuarantine && (openId === null || selected.length > 0)
      ? { quarantine: () => quarantine(getTargets()) }
      : {}),
  })
  return {
    ...props,
    list,
    mayEdit,
    mayQuarantine,
    selection,
    setSelection,
    selected,
    dialog,
    canCreateAll,
    /** Whether test cases that are made can be added to the run. */
    canAddToRun,
    /** Whether they are in the run afterwards, as they are added or as the run takes what is reported. */
    canJoinRun: canAddToRun || (run?.status === 'in_progress' && run.adds_test_cases),
    createAll: () => setDialog({ kind: 'create', tests: null }),
    create,
    link,
    quarantine,
    close,
    closeDialog(): void {
      setDialog(null)
      returnFocusToRow()
    },
    search,
    filter,
    getActiveId: () => activeId.current,
    activate(row: TestRow): void {
      activeId.current = row.id
    },
    open(row: TestRow, inNewTab: boolean): void {
      if (!inNewTab) onOpen(row.id)
      else window.open(buildTestPath(projectId, run, row.id), '_blank', 'noopener')
    },
  }
}

export type TestsArea = ReturnType<typeof useTestsArea>

const isUnmatched = ({ test_case_ids }: TestRow) => test_case_ids.length === 0

const buildTestPath = (projectId: string, run: Run | null, test: string) =>
  run === null ? paths.tests(projectId, { test }) : paths.runTests(run.id, { test })
