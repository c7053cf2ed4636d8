import { Menu as Base } from '@base-ui/react/menu'
import Check from 'lucide-react/icons/check'
import type { ReactElement, ReactNode } from 'react'
import { Link } from 'react-router'

import { classNames } from './class-names.ts'
import { Kbd } from './kbd.tsx'
import styles from './menu.module.css'

export interface MenuProps {
  /** The button that opens the menu, with an accessible name. */
  trigger: ReactElement<Record<string, unknown>>
  children: ReactNode
  align?: 'start' | 'center' | 'end'
  /** Whether the button can be dragged, too: an open menu would be in the way. */
  opensOnRelease?: boolean
}

/** A list of actions or choices that a button opens. */
export const Menu = ({ trigger, children, align = 'start', opensOnRelease = false }: MenuProps) => (
  <Base.Root>
    <Base.Trigger render={trigger} {...(opensOnRelease ? ON_RELEASE : {})} />
    <Base.Portal>
      <Base.Positioner className={styles.positioner} align={align} sideOffset={4} collisionPadding={8}>
        <Base.Popup className={styles.popup}>{children}</Base.Popup>
      </Base.Positioner>
    </Base.Portal>
  </Base.Root>
)

// Without what it does when it is pressed, the trigger opens the menu when it is clicked.
const ignorePress = (event: { preventBaseUIHandler: () => void }) => event.preventBaseUIHandler()
const ON_RELEASE = { onPointerDown: ignorePress, onMouseDown: ignorePress }

export interface RowMenuProps {
  isOpen: boolean
  onClose: () => void
  /** The plain button in the row that opens it. Pass it on while the menu closes. */
  anchor: Element | null
  /** Names the menu for screen readers. */
  label: string
  children: ReactNode
}

/** The one menu of all rows of a table, beside the button of one of them: a menu in each row would be slow. */
export const RowMenu = ({ isOpen, onClose, anchor, label, children }: RowMenuProps) => (
  <Base.Root open={isOpen} onOpenChange={(open) => !open && onClose()}>
    <Base.Portal>
      <Base.Positioner className={styles.positioner} anchor={anchor} align="end" sideOffset={4} collisionPadding={8}>
        <Base.Popup className={styles.popup} aria-label={label} finalFocus={() => findFinalFocus(anchor)}>
          {children}
        </Base.Popup>
      </Base.Positioner>
    </Base.Portal>
  </Base.Root>
)

/** The row gets the focus back, unless what was chosen has opened a dialog, which has it already. */
function findFinalFocus(anchor: Element | null): HTMLElement | false {
  const active = document.activeElement
  const isElsewhere = active !== null && active !== document.body && active.closest('[role="menu"]') === null
  return isElsewhere ? false : (anchor?.closest<HTMLElement>('[role="row"]') ?? false)
}

export interface MenuItemProps {
  children: ReactNode
  icon?: ReactNode
  /** A key that does the same. */
  shortcut?: string | undefined
  onSelect: () => void
  isDanger?: boolean
  isDisabled?: boolean
  /** A second line, such as why it is disabled. */
  hint?: string | undefined
}

/** An action. */
export const MenuItem = ({
  children,
  icon,
  shortcut,
  onSelect,
  isDanger = false,
  isDisabled = false,
  hint,
}: MenuItemProps) => (
  <Base.Item className={classNames(styles.item, isDanger && styles.danger)} onClick={onSelect} disabled={isDisabled}>
    <span className={styles.start}>{icon}</span>
    <span className={styles.text}>
      {children}
      {hint !== undefined && <span className={styles.hint}>{hint}</span>}
    </span>
    {shortcut !== undefined && <Kbd keys={shortcut} />}
  </Base.Item>
)

export interface MenuLinkProps {
  children: ReactNode
  icon?: ReactNode
  to: string
  /** Shown at the end, such as a prefix. */
  detail?: ReactNode
  /** Whether it is where the user is. */
  isCurrent?: boolean
}

/** An item that opens a page. */
export const MenuLink = ({ children, icon, to, detail, isCurrent = false }: MenuLinkProps) => (
  <Base.LinkItem
    className={styles.item}
    render={<Link to={to} aria-current={isCurrent ? 'true' : undefined} />}
    closeOnClick
  >
    <span className={styles.start}>{isCurrent ? <Check /> : icon}</span>
    <span className={styles.text}>{children}</span>
    {detail !== undefined && <span className={styles.detail}>{detail}</span>}
  </Base.LinkItem>
)

export interface MenuCheckboxProps {
  children: ReactNode
  checked: boolean
  onChange: (isChecked: boolean) => void
  /** Shown at the end, such as a count. */
  detail?: ReactNode
}

/** A choice that is on or off. The menu stays open. */
export const MenuCheckbox = ({ children, checked, onChange, detail }: MenuCheckboxProps) => (
  <Base.CheckboxItem className={styles.item} checked={checked} onCheckedChange={onChange}>
    <span className={styles.start}>
      <Base.CheckboxItemIndicator render={<Check />} />
    </span>
    <span className={styles.text}>{children}</span>
    {detail !== undefined && <span className={styles.detail}>{detail}</span>}
  </Base.CheckboxItem>
)

export interface MenuRadioGroupProps<Value extends string> {
  value: Value
  options: readonly { value: Value; label: ReactNode; detail?: ReactNode }[]
  onChange: (value: Value) => void
}

/** A choice of one of several values. The menu closes. */
export const MenuRadioGroup = <Value extends string>({ value, options, onChange }: MenuRadioGroupProps<Value>) => (
  <Base.RadioGroup value={value} onValueChange={(next) => onChange(next as Value)}>
    {options.map((option) => (
      <Base.RadioItem className={styles.item} key={option.value} value={option.value} closeOnClick>
        <span className={styles.start}>
          <Base.RadioItemIndicator render={<Check />} />
        </span>
        <span className={styles.text}>{option.label}</span>
        {option.detail !== undefined && <span className={styles.detail}>{option.detail}</span>}
      </Base.RadioItem>
    ))}
  </Base.RadioGroup>
)

/** Items under a heading. */
export const MenuGroup = ({ label, children }: { label: string; children: ReactNode }) => (
  <Base.Group>
    <Base.GroupLabel className={styles.label}>{label}</Base.GroupLabel>
    {children}
  </Base.Group>
)

export const MenuSeparator = () => <Base.Separator className={styles.separator} />
