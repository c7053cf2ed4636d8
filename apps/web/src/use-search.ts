import { useCallback, useMemo } from 'react'
import { useSearchParams } from 'react-router'

import { formatSearch, parseSearch, type Search, type SearchSchema } from './search-params.ts'

/**
 * Reads and changes the parameters of the page's URL.
 *
 * `push` adds an entry to the history: for what Back should undo, such as opening a test case. `replace` does not: for
 * filters and typing.
 */
export function useSearch<const S extends SearchSchema>(
  schema: S,
): [search: Search<S>, change: (changes: Partial<Search<S>>, history: 'push' | 'replace') => void] {
  const [params, setParams] = useSearchParams()
  const search = useMemo(() => parseSearch(schema, params), [schema, params])
  const change = useCallback(
    (changes: Partial<Search<S>>, history: 'push' | 'replace') =>
      setParams((current) => formatSearch(schema, { ...parseSearch(schema, current), ...changes }), {
        replace: history === 'replace',
        // The next key acts on what this one has opened. Without it, the page changes some frames later.
        flushSync: true,
      }),
    [schema, setParams],
  )
  return [search, change]
}
