import type { GroupRole } from '@caseward/client/endpoints'
import Trash2 from 'lucide-react/icons/trash-2'

import formStyles from '../../ui/form-page.module.css'
import { formatNumberOf } from '../../ui/format-count.ts'
import { IconButton } from '../../ui/icon-button.tsx'
import { Select } from '../../ui/select.tsx'
import styles from './members.module.css'
import { type Role, roleOptions } from './role-words.ts'

interface GroupItemProps {
  groupRole: GroupRole
  /** Whether the group can only be removed, because the server reads no groups any more. */
  isFixed: boolean
  onRole: (role: Role) => void
  onRemove: () => void
}

/** Most user ids that the server returns for a group. */
const MAX_USER_IDS = 1000

/** A group in the list: who has it, and its role. */
export function GroupItem({ groupRole: { group, role, user_ids: ids }, isFixed, onRole, onRemove }: GroupItemProps) {
  return (
    <li className={formStyles.item}>
      <div className={formStyles.text}>
        <p className={`${formStyles.name} ${styles.groupName}`}>{group}</p>
        <p className={formStyles.muted}>
          {ids.length >= MAX_USER_IDS ? '1,000 members or more' : formatNumberOf(ids.length, 'member')}
        </p>
      </div>
      <Select<Role>
        className={styles.role}
        label={`Role of the group ${group}`}
        isLabelHidden
        value={role}
        options={roleOptions}
        disabled={isFixed}
        onChange={onRole}
      />
      <IconButton label={`Remove the group ${group}`} icon={<Trash2 />} onClick={onRemove} />
    </li>
  )
}
