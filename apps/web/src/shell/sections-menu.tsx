import type { ReactElement, ReactNode } from 'react'

import { Menu, MenuLink } from '../ui/menu-parts.tsx'

export interface SectionsMenuProps {
  /** The button that opens it. */
  trigger: ReactElement<Record<string, unknown>>
  links: readonly { readonly label: string; readonly icon: ReactNode; readonly path: string }[]
}

/** Links to the sections of a project. */
export const SectionsMenu = ({ trigger, links }: SectionsMenuProps) => (
  <Menu align="end" trigger={trigger}>
    {links.map(({ label, icon, path }) => (
      <MenuLink key={path} icon={icon} to={path}>
        {label}
      </MenuLink>
    ))}
  </Menu>
)
