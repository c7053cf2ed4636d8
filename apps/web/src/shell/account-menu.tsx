import { useQuery } from '@tanstack/react-query'
import BookOpen from 'lucide-react/icons/book-open'
import CircleQuestionMark from 'lucide-react/icons/circle-question-mark'
import ListChecks from 'lucide-react/icons/list-checks'
import LogOut from 'lucide-react/icons/log-out'
import ShieldUser from 'lucide-react/icons/shield-user'
import UserRound from 'lucide-react/icons/user-round'
import { type ReactElement, useEffect } from 'react'

import { queries } from '../api.ts'
import { paths } from '../paths.ts'
import { Menu, MenuGroup, MenuItem, MenuLink, MenuRadioGroup, MenuSeparator } from '../ui/menu-parts.tsx'
import { leaveAfterSignOut } from './leave-after-sign-out.ts'
import { preferences, themes, usePreference } from '../use-preferences.ts'

export interface AccountMenuProps {
  /** The button that opens it. */
  trigger: ReactElement<Record<string, unknown>>
}

/** What the user can do with the account, and the theme. */
export function AccountMenu({ trigger }: AccountMenuProps) {
  const { data: me } = useQuery(queries.me())
  const theme = usePreference('theme')
  useEffect(leaveAfterSignOut, [])
  return (
    <Menu align="end" trigger={trigger}>
      <MenuGroup label={me === undefined ? 'Your account' : `${me.name}, ${me.email}`}>
        <MenuLink icon={<ListChecks />} to={paths.work()}>
          My work
        </MenuLink>
        <MenuLink icon={<UserRound />} to={paths.account()}>
          Account
        </MenuLink>
        {me?.is_instance_admin === true && (
          <MenuLink icon={<ShieldUser />} to={paths.users()}>
            Administration
          </MenuLink>
        )}
        <MenuLink icon={<CircleQuestionMark />} to={paths.help()}>
          Help
        </MenuLink>
        <MenuItem icon={<BookOpen />} onSelect={() => location.assign(paths.reference())}>
          API reference
        </MenuItem>
      </MenuGroup>
      <MenuSeparator />
      <MenuGroup label="Theme">
        <MenuRadioGroup value={theme} options={themes} onChange={(value) => preferences.set({ theme: value })} />
      </MenuGroup>
      <MenuSeparator />
      <MenuItem icon={<LogOut />} onSelect={() => location.assign(paths.signOut())}>
        Sign out
      </MenuItem>
    </Menu>
  )
}
