import { createElement, type FunctionComponent, type ReactNode } from 'react'

import { lazyPart } from './lazy-part.tsx'
import type * as Parts from './menu-parts.tsx'
import type { MenuCheckboxProps, MenuItemProps, MenuLinkProps, MenuProps, MenuRadioGroupProps } from './menu-parts.tsx'

/* Menus without their code, a tenth of what a page needs: it is loaded after the page, before anybody can open one. */

let parts: typeof Parts | null = null
const loadParts = async () => (parts ??= await import('./menu-parts.tsx'))

/** A list of actions or choices that a button opens. Until its code is loaded, there is the button alone. */
export const Menu = lazyPart(async () => (await loadParts()).Menu, { button: ({ trigger }: MenuProps) => trigger })

/** The one menu of all rows of a table. */
export const RowMenu = lazyPart(async () => (await loadParts()).RowMenu)

export const MenuItem = createPart<MenuItemProps>(({ MenuItem: Item }) => Item)
export const MenuLink = createPart<MenuLinkProps>(({ MenuLink: Item }) => Item)
export const MenuCheckbox = createPart<MenuCheckboxProps>(({ MenuCheckbox: Item }) => Item)
export const MenuGroup = createPart<{ label: string; children: ReactNode }>(({ MenuGroup: Group }) => Group)
export const MenuSeparator = createPart<object>(({ MenuSeparator: Separator }) => Separator)

/** A choice of one of several values. The menu closes. */
export const MenuRadioGroup = <Value extends string>(props: MenuRadioGroupProps<Value>) =>
  parts === null ? null : <parts.MenuRadioGroup {...props} />

/** Makes a component for the contents of a menu, which are shown only once its code is there. */
function createPart<Props extends object>(
  getPart: (loaded: typeof Parts) => FunctionComponent<Props>,
): FunctionComponent<Props> {
  return (props) => (parts === null ? null : createElement(getPart(parts), props))
}
