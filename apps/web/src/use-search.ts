import { useCallback, useLayoutEffect, useMemo, useRef } from 'react'
import { useLocation, useNavigation, useSearchParams } from 'react-router'

import { formatSearch, parseSearch, type Search, type SearchSchema } from './search-params.ts'

/**
 * Reads and changes the parameters of the page's URL.
 *
 * `push` adds an entry to the history: for what Back should undo, such as opening a test case. `replace` does not: for
 * filters and typing. Nothing changes while another page is loading: the user has left this one, and what it still finishes
 * must not bring it back.
 */
export function useSearch<const S extends SearchSchema>(
  schema: S,
): [search: Search<S>, change: (changes: Partial<Search<S>>, history: 'push' | 'replace') => void] {
  const [params, setParams] = useSearchParams()
  const { pathname } = useLocation()
  const next = useNavigation().location?.pathname
  const isLeaving = useRef(false)
  useLayoutEffect(() => {
    isLeaving.current = next !== undefined && next !== pathname
  }, [next, pathname])
  const search = useMemo(() => parseSearch(schema, params), [schema, params])
  const change = useCallback(
    (changes: Partial<Search<S>>, history: 'push' | 'replace') => {
      if (isLeaving.current) return
      setParams((current) => formatSearch(schema, { ...parseSearch(schema, current), ...changes }), {
        replace: history === 'replace',
        // The next key acts on what this one has opened. Without it, the page changes some frames later.
        flushSync: true,
      })
    },
    [schema, setParams],
  )
  return [search, change]
}
