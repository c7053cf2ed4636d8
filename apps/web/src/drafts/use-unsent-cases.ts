import { useCallback, useMemo, useSyncExternalStore } from 'react'

import { formatUnsentCases, parseUnsentCases, type UnsentCase, watchUnsentCases } from './unsent-cases.ts'
import { useDrafts } from './use-drafts.ts'

/** Returns the unsent changes of test cases that no editor of this tab has, of all projects or of one. */
export function useUnsentCases(projectId?: string): readonly UnsentCase[] {
  const drafts = useDrafts()
  const subscribe = useCallback((listener: () => void) => watchUnsentCases(drafts, listener), [drafts])
  const text = useSyncExternalStore(subscribe, () => formatUnsentCases(drafts))
  return useMemo(() => {
    const unsent = parseUnsentCases(text)
    return projectId === undefined ? unsent : unsent.filter((item) => item.projectId === projectId)
  }, [text, projectId])
}
