import type { Member } from '@caseward/client/endpoints'
import UserRoundMinus from 'lucide-react/icons/user-round-minus'

import { IconButton } from '../../ui/icon-button.tsx'
import { Select } from '../../ui/select.tsx'
import type { Column } from '../../ui/table/columns.ts'
import { Time } from '../../ui/time.tsx'
import styles from './members.module.css'
import { explainFixedRole, formatGroups, type Role, roleNames, roleOptions } from './role-words.ts'

interface ColumnsContext {
  readonly myId: string | undefined
  readonly adminCount: number
  /** The groups of the members who have their role from one. */
  readonly groupsByMember: ReadonlyMap<string, readonly string[]>
  readonly mayChangeRole: boolean
  readonly mayRemove: boolean
  readonly onRole: (member: Member, role: Role) => void
  readonly onRemove: (member: Member) => void
}

/** The columns of the members of a project. */
export function createMemberColumns(context: ColumnsContext): Column<Member>[] {
  const { myId, adminCount, groupsByMember, mayChangeRole, mayRemove, onRole, onRemove } = context
  const explain = (member: Member) => explainFixedRole(member, myId, adminCount, groupsByMember.get(member.id))
  return [
    {
      id: 'name',
      head: 'Name',
      render: ({ id, name }) => (
        <span title={name}>
          {name}
          {id === myId && <span className={styles.you}>you</span>}
          {groupsByMember.has(id) && (
            <span className={styles.you}>by {formatGroups(groupsByMember.get(id) ?? [])}</span>
          )}
        </span>
      ),
    },
    {
      id: 'email',
      head: 'Email address',
      width: 260,
      render: ({ email }) => (
        <span className={styles.muted} title={email}>
          {email}
        </span>
      ),
    },
    {
      id: 'role',
      head: 'Role',
      width: 124,
      isLeading: false,
      render: (member) => {
        const reason = explain(member)
        if (!mayChangeRole) return <span>{roleNames[member.role]}</span>
        return (
          <span title={reason ?? undefined}>
            <Select<Role>
              className={styles.role}
              label={[`Role of ${member.name}`, reason].filter((part) => part !== null).join('. ')}
              isLabelHidden
              value={member.role}
              options={roleOptions}
              disabled={reason !== null}
              onChange={(role) => onRole(member, role)}
            />
          </span>
        )
      },
    },
    {
      id: 'joined',
      head: 'Joined',
      width: 92,
      align: 'end',
      hiddenBelow: 620,
      render: ({ joined_at: at }) => (
        <span className={styles.muted}>
          <Time at={at} />
        </span>
      ),
    },
    ...(mayRemove
      ? [
          {
            id: 'remove',
            head: 'Remove',
            isHeadHidden: true,
            width: 36,
            render: (member: Member) =>
              explain(member) === null ? (
                <IconButton
                  label={`Remove ${member.name}`}
                  icon={<UserRoundMinus />}
                  onClick={() => onRemove(member)}
                />
              ) : null,
          },
        ]
      : []),
  ]
}
