import { Tooltip as Base } from '@base-ui/react/tooltip'
import type { ReactElement, ReactNode } from 'react'

import { Kbd } from './kbd.tsx'
import styles from './tooltip.module.css'

interface TooltipProps {
  text: ReactNode
  /** A key that does the same as the element. */
  shortcut?: string | undefined
  /** The element that it explains. It must have its own accessible name: tooltips do not open on touch screens. */
  children: ReactElement<Record<string, unknown>>
  side?: 'top' | 'bottom' | 'left' | 'right'
}

/** Explains an element while the pointer or the focus is on it. */
export function Tooltip({ text, shortcut, children, side = 'bottom' }: TooltipProps) {
  return (
    <Base.Root>
      <Base.Trigger render={children} delay={400} />
      <Base.Portal>
        <Base.Positioner side={side} sideOffset={6} collisionPadding={8} className={styles.positioner}>
          <Base.Popup className={styles.popup}>
            {text}
            {shortcut !== undefined && <Kbd keys={shortcut} />}
          </Base.Popup>
        </Base.Positioner>
      </Base.Portal>
    </Base.Root>
  )
}

/** Opens further tooltips at once while one is open. */
export const TooltipProvider = Base.Provider
