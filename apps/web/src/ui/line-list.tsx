import { useVirtualizer } from '@tanstack/react-virtual'
import { type ReactNode, useEffect, useLayoutEffect, useRef } from 'react'

import styles from './line-list.module.css'

interface LineListProps {
  label: string
  count: number
  /** Draws a line, from 0. */
  renderLine: (index: number) => ReactNode
  /** Whether long lines take several rows, instead of a scroll bar. */
  isWrapped: boolean
  /** The line to show; another object scrolls there again. */
  target: { readonly index: number } | null
  /** Called when the last line is in sight. */
  onReachEnd: () => void
}

const LINE_PX = 18
const OVERSCAN = 30

/** Any number of lines of text. */
export function LineList({ label, count, renderLine, isWrapped, target, onReachEnd }: LineListProps) {
  const scroller = useRef<HTMLDivElement>(null)
  const virtualizer = useVirtualizer({
    count,
    getScrollElement: () => scroller.current,
    estimateSize: () => LINE_PX,
    overscan: OVERSCAN,
  })
  const items = virtualizer.getVirtualItems()
  const last = items.at(-1)?.index ?? -1
  useEffect(() => {
    if (count > 0 && last >= count - 1) onReachEnd()
  }, [count, last, onReachEnd])
  useLayoutEffect(() => virtualizer.measure(), [virtualizer, isWrapped])
  useLayoutEffect(() => {
    if (target !== null) virtualizer.scrollToIndex(target.index, { align: 'center' })
  }, [virtualizer, target])
  const offset = items[0]?.start ?? 0
  return (
    // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- what scrolls must be reachable by keyboard
    <div ref={scroller} className={styles.scroller} role="region" aria-label={label} tabIndex={0}>
      <div className={styles.space} style={{ height: virtualizer.getTotalSize() }}>
        <div className={isWrapped ? styles.wrapped : styles.lines} style={{ transform: `translateY(${offset}px)` }}>
          {items.map(({ index, key }) => (
            <pre
              key={key}
              data-index={index}
              ref={isWrapped ? virtualizer.measureElement : null}
              className={styles.line}
            >
              {renderLine(index)}
            </pre>
          ))}
        </div>
      </div>
    </div>
  )
}
