import { type ReactNode, useRef, useState } from 'react'

import { preferences, usePreference } from '../use-preferences.ts'
import { classNames } from './class-names.ts'
import { clampWidth, getWidthForKey, type WidthLimits } from './split-width.ts'
import styles from './split.module.css'

interface SidePanelProps extends WidthLimits {
  /** The width is remembered under this name. */
  name: string
  /** Names the panel, and the handle that changes its width. */
  label: string
  /** At the start or the end of the row. */
  side: 'start' | 'end'
  className?: string | undefined
  children: ReactNode
}

/** A row of panels, each in its own scroll area. At most one child has no {@link SidePanel}: it takes the rest. */
export const Split = ({ children, className }: { children: ReactNode; className?: string | undefined }) => (
  <div className={classNames(styles.split, className)}>{children}</div>
)

/** A panel beside the main part of a page. Its border can be dragged, or moved with the arrow keys; a double click resets it. */
export function SidePanel({ name, label, side, className, children, ...limits }: SidePanelProps) {
  const stored = usePreference('widths')[name]
  const [dragged, setDragged] = useState<number | null>(null)
  const start = useRef({ x: 0, width: 0 })
  const width = clampWidth(dragged ?? stored ?? limits.defaultWidth, limits)
  const store = (next: number) => {
    preferences.set({ widths: { ...preferences.get().widths, [name]: clampWidth(next, limits) } })
  }
  return (
    <section className={classNames(styles.panel, styles[side], className)} style={{ width }} aria-label={label}>
      {children}
      {/* oxlint-disable-next-line jsx-a11y/no-noninteractive-element-interactions -- a separator with a value is a control */}
      <div
        className={styles.handle}
        role="separator"
        aria-label={`Width of ${label}`}
        aria-orientation="vertical"
        aria-valuenow={width}
        aria-valuemin={limits.minWidth}
        aria-valuemax={limits.maxWidth}
        // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- a separator with a value is a control
        tabIndex={0}
        onPointerDown={(event) => {
          event.preventDefault()
          event.currentTarget.setPointerCapture(event.pointerId)
          start.current = { x: event.clientX, width }
          setDragged(width)
        }}
        onPointerMove={(event) => {
          if (dragged === null) return
          const distance = event.clientX - start.current.x
          setDragged(start.current.width + (side === 'start' ? distance : -distance))
        }}
        onPointerUp={() => {
          if (dragged !== null) store(dragged)
          setDragged(null)
        }}
        onPointerCancel={() => setDragged(null)}
        onDoubleClick={() => store(limits.defaultWidth)}
        onKeyDown={(event) => {
          const next = getWidthForKey(event.key, width, side, limits)
          if (next === null) return
          event.preventDefault()
          store(next)
        }}
      />
    </section>
  )
}
