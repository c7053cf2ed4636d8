import { paths } from '../../paths.ts'
import { TabLinks } from '../../ui/tab-links.tsx'
import type { GroupRoles } from './member-queries.ts'
import styles from './members.module.css'

interface MembersTabsProps {
  projectId: string
  current: 'members' | 'groups' | 'imported'
  /** Undefined for those who may not see them, and until they are loaded. */
  groupRoles: GroupRoles | undefined
}

/**
 * Leads admins from the members to those who are known from imports, and to the groups where the server reads groups of the sign-in
 * provider or has done so.
 */
export function MembersTabs({ projectId, current, groupRoles }: MembersTabsProps) {
  if (groupRoles === undefined) return null
  const { data, meta } = groupRoles
  const hasGroups = meta.groups_claim !== null || data.length > 0
  return (
    <div className={styles.tabs}>
      <TabLinks
        label="Members"
        tabs={[
          { to: paths.members(projectId), label: 'Members', isCurrent: current === 'members' },
          ...(hasGroups
            ? [
                {
                  to: paths.memberGroups(projectId),
                  label: 'Groups',
                  detail: data.length === 0 ? undefined : data.length,
                  isCurrent: current === 'groups',
                },
              ]
            : []),
          { to: paths.importedPeople(projectId), label: 'Imported people', isCurrent: current === 'imported' },
        ]}
      />
    </div>
  )
}

/** The groups of each member who has one, by the id of the user. */
export function collectGroups(groupRoles: GroupRoles | undefined): ReadonlyMap<string, readonly string[]> {
  const groups = new Map<string, string[]>()
  for (const { group, user_ids: ids } of groupRoles?.data ?? []) {
    for (const id of ids) groups.set(id, [...(groups.get(id) ?? []), group])
  }
  return groups
}
