import type { InstanceUser } from '@caseward/client/endpoints'
import KeyRound from 'lucide-react/icons/key-round'
import LogOut from 'lucide-react/icons/log-out'
import ScrollText from 'lucide-react/icons/scroll-text'
import Shield from 'lucide-react/icons/shield'
import ShieldOff from 'lucide-react/icons/shield-off'
import Smartphone from 'lucide-react/icons/smartphone'
import Trash2 from 'lucide-react/icons/trash-2'
import UserRoundCheck from 'lucide-react/icons/user-round-check'
import UserRoundX from 'lucide-react/icons/user-round-x'

import { paths } from '../../paths.ts'
import { MenuItem, MenuLink, MenuSeparator, RowMenu } from '../../ui/menu.tsx'
import { countSessions, countTokens, explainOwnAccount, type UserAction } from './user-words.ts'

interface UserMenuProps {
  user: InstanceUser | null
  myId: string | undefined
  isOpen: boolean
  anchor: HTMLElement | null
  onClose: () => void
  onChoose: (action: UserAction) => void
}

/** What an administrator can do to the user of a row. */
export function UserMenu({ user, myId, onChoose, ...menu }: UserMenuProps) {
  if (user === null) return null
  const reason = explainOwnAccount(user, myId) ?? undefined
  const isOwn = reason !== undefined
  return (
    <RowMenu {...menu} label={`Actions for ${user.name}`}>
      {user.disabled_at === null ? (
        <MenuItem icon={<UserRoundX />} isDanger isDisabled={isOwn} hint={reason} onSelect={() => onChoose('disable')}>
          Disable
        </MenuItem>
      ) : (
        <MenuItem icon={<UserRoundCheck />} onSelect={() => onChoose('enable')}>
          Enable
        </MenuItem>
      )}
      <MenuItem
        icon={<LogOut />}
        isDisabled={user.session_count === 0}
        hint={countSessions(user) || 'No sessions'}
        onSelect={() => onChoose('end-sessions')}
      >
        End sessions
      </MenuItem>
      <MenuItem
        icon={<KeyRound />}
        isDisabled={user.token_count === 0}
        hint={countTokens(user) || 'No tokens'}
        onSelect={() => onChoose('revoke-tokens')}
      >
        Revoke tokens
      </MenuItem>
      <MenuItem
        icon={<Smartphone />}
        isDisabled={!user.has_second_factor}
        hint={user.has_second_factor ? undefined : 'No second factor'}
        onSelect={() => onChoose('remove-factors')}
      >
        Remove second factors
      </MenuItem>
      <MenuSeparator />
      {user.is_instance_admin ? (
        <MenuItem
          icon={<ShieldOff />}
          isDisabled={isOwn}
          hint={isOwn ? 'Another administrator can do it.' : undefined}
          onSelect={() => onChoose('withdraw')}
        >
          Withdraw administration
        </MenuItem>
      ) : (
        <MenuItem icon={<Shield />} onSelect={() => onChoose('grant')}>
          Make administrator
        </MenuItem>
      )}
      <MenuSeparator />
      <MenuLink icon={<ScrollText />} to={paths.audit({ actor: user.id })}>
        Show changes by this user
      </MenuLink>
      <MenuSeparator />
      <MenuItem
        icon={<Trash2 />}
        isDanger
        isDisabled={isOwn}
        hint={isOwn ? 'You can delete your own account in its settings.' : undefined}
        onSelect={() => onChoose('delete')}
      >
        Delete user
      </MenuItem>
    </RowMenu>
  )
}
