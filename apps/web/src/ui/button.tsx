import type { ComponentPropsWithRef, ReactNode, RefAttributes } from 'react'
import { Link, type LinkProps } from 'react-router'

import styles from './button.module.css'
import { classNames } from './class-names.ts'
import { Kbd } from './kbd.tsx'

export interface ButtonLook {
  /** `primary`: the main action of a page or dialog, once. `quiet`: no border. `danger`: deletes something. */
  variant?: 'default' | 'primary' | 'quiet' | 'danger'
  /** 28 px in tool bars, 32 in forms, 40 for results. */
  size?: 'tool' | 'form' | 'result'
  icon?: ReactNode
  /** A key of `keys.ts` that does the same, shown in the button. */
  shortcut?: string | undefined
}

type ButtonProps = ComponentPropsWithRef<'button'> & ButtonLook & { isBusy?: boolean }

/** A button that does something. One that opens a page is a {@link ButtonLink}. */
export function Button({ variant, size, icon, shortcut, isBusy = false, className, children, ...props }: ButtonProps) {
  return (
    <button
      type="button"
      {...props}
      className={classNames(getClassName({ variant, size }), className)}
      // Stays focusable, unlike a disabled button, so that the focus is not lost.
      aria-disabled={isBusy || undefined}
      onClick={isBusy ? (event) => event.preventDefault() : props.onClick}
    >
      {isBusy ? <span className={styles.busy} aria-hidden="true" /> : icon}
      {children}
      {shortcut !== undefined && <Kbd keys={shortcut} />}
    </button>
  )
}

type ButtonLinkProps = LinkProps & RefAttributes<HTMLAnchorElement> & ButtonLook

/** A link to a page that looks like a button. */
export function ButtonLink({ variant, size, icon, shortcut, className, children, ...props }: ButtonLinkProps) {
  return (
    <Link {...props} className={classNames(getClassName({ variant, size }), className)}>
      {icon}
      {children}
      {shortcut !== undefined && <Kbd keys={shortcut} />}
    </Link>
  )
}

const getClassName = ({
  variant = 'default',
  size = 'tool',
}: Partial<Record<'variant' | 'size', string | undefined>>) => classNames(styles.button, styles[variant], styles[size])
