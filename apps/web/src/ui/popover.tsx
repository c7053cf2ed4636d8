import { Popover as Base } from '@base-ui/react/popover'
import type { ReactElement, ReactNode } from 'react'

import styles from './popover.module.css'

interface PopoverProps {
  /** The button that opens it, with an accessible name. */
  trigger: ReactElement<Record<string, unknown>>
  /** Names the popover for screen readers. */
  label: string
  isOpen: boolean
  onOpenChange: (isOpen: boolean) => void
  children: ReactNode
  align?: 'start' | 'center' | 'end'
}

/** A small window beside a button, for choices that need a field, such as a search. */
export const Popover = ({ trigger, label, isOpen, onOpenChange, children, align = 'start' }: PopoverProps) => (
  <Base.Root open={isOpen} onOpenChange={onOpenChange}>
    <Base.Trigger render={trigger} />
    <Base.Portal>
      <Base.Positioner className={styles.positioner} align={align} sideOffset={4} collisionPadding={8}>
        <Base.Popup className={styles.popup} aria-label={label}>
          {children}
        </Base.Popup>
      </Base.Positioner>
    </Base.Portal>
  </Base.Root>
)
