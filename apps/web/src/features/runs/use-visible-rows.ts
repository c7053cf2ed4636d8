import { useCallback, useEffect, useRef } from 'react'

/** Rows come and go one by one while scrolling. */
const DELAY_MS = 50

/**
 * Returns what a table calls with each row that comes into sight.
 * @param getKey returns what is reported of a row; null for nothing
 * @param onChange called a moment later with those of all rows in sight
 */
export function useVisibleRows<Row>(
  getKey: (row: Row) => string | null,
  onChange: (keys: readonly string[]) => void,
): (row: Row) => () => void {
  const visible = useRef(new Map<string, number>())
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined)
  const report = useCallback(() => {
    clearTimeout(timer.current)
    timer.current = setTimeout(() => onChange([...visible.current.keys()]), DELAY_MS)
  }, [onChange])
  useEffect(() => {
    report()
    return () => clearTimeout(timer.current)
  }, [report])
  return useCallback(
    (row: Row) => {
      const key = getKey(row)
      const add = (amount: number) => {
        if (key === null) return
        const count = (visible.current.get(key) ?? 0) + amount
        if (count > 0) visible.current.set(key, count)
        else visible.current.delete(key)
      }
      add(1)
      report()
      return () => add(-1)
    },
    [getKey, report],
  )
}
