import type { InstanceUser } from '@caseward/client/endpoints'
import Ellipsis from 'lucide-react/icons/ellipsis'

import { classNames } from '../../ui/class-names.ts'
import { formatWholeNumber } from '../../ui/format-count.ts'
import type { Column } from '../../ui/table/columns.ts'
import { Time } from '../../ui/time.tsx'
import styles from './administration.module.css'

interface ColumnsContext {
  readonly myId: string | undefined
  readonly onMenu: (user: InstanceUser, button: HTMLElement) => void
}

/** Finds the button of a user, for the keys that open its menu. */
export const findMenuButton = (userId: string): HTMLElement | null =>
  document.querySelector<HTMLElement>(`[data-user-menu="${CSS.escape(userId)}"]`)

/** The columns of the users of the instance. On narrow screens, the name stands over the email address and the status. */
export const createUserColumns = ({ myId, onMenu }: ColumnsContext): Column<InstanceUser>[] => [
  {
    id: 'name',
    head: 'Name',
    render: ({ id, name }) => (
      <span className={styles.nameCell}>
        <span className={styles.name} title={name}>
          {name}
        </span>
        {id === myId && <span className={styles.mark}>you</span>}
      </span>
    ),
  },
  {
    id: 'email',
    head: 'Email address',
    width: 260,
    render: ({ email }) => (
      <span className={styles.email} title={email}>
        {email}
      </span>
    ),
  },
  {
    id: 'status',
    head: 'Status',
    width: 144,
    render: ({ disabled_at: at, is_instance_admin: isAdmin }) => {
      if (at === null) return isAdmin ? <span className={styles.status}>Administrator</span> : null
      return (
        <span className={classNames(styles.status, styles.disabled)}>
          Disabled <Time at={at} isInText />
        </span>
      )
    },
  },
  {
    id: 'factor',
    head: '2nd factor',
    width: 76,
    hiddenBelow: 860,
    render: ({ has_second_factor: hasFactor }) => (hasFactor ? 'Yes' : <span className={styles.muted}>No</span>),
  },
  {
    id: 'sessions',
    head: 'Sessions',
    width: 64,
    align: 'end',
    hiddenBelow: 740,
    render: ({ session_count: count }) => formatWholeNumber(count),
  },
  {
    id: 'tokens',
    head: 'Tokens',
    width: 56,
    align: 'end',
    hiddenBelow: 740,
    render: ({ token_count: count }) => formatWholeNumber(count),
  },
  {
    id: 'seen',
    head: 'Last seen',
    width: 92,
    align: 'end',
    hiddenBelow: 620,
    render: ({ last_seen_at: at }) => <span className={styles.muted}>{at === null ? 'never' : <Time at={at} />}</span>,
  },
  {
    id: 'menu',
    head: 'Actions',
    isHeadHidden: true,
    width: 28,
    render: (user) => (
      <button
        type="button"
        className={styles.menuButton}
        tabIndex={-1}
        aria-label={`Actions for ${user.name}`}
        aria-haspopup="menu"
        data-user-menu={user.id}
        onClick={(event) => onMenu(user, event.currentTarget)}
      >
        <Ellipsis />
      </button>
    ),
  },
]
