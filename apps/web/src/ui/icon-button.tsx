import type { ComponentPropsWithRef, ReactNode } from 'react'

import { classNames } from './class-names.ts'
import styles from './icon-button.module.css'
import { Tooltip } from './tooltip.tsx'

interface IconButtonProps extends Omit<ComponentPropsWithRef<'button'>, 'children' | 'aria-label'> {
  /** What it does: its accessible name and its tooltip. */
  label: string
  icon: ReactNode
  /** A key that does the same, shown in the tooltip. */
  shortcut?: string | undefined
}

/** A button with an icon only. */
export function IconButton({ label, icon, shortcut, className, ...props }: IconButtonProps) {
  return (
    <Tooltip text={label} shortcut={shortcut}>
      <button type="button" {...props} className={classNames(styles.button, className)} aria-label={label}>
        {icon}
      </button>
    </Tooltip>
  )
}
