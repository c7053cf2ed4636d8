import type { Member } from '@caseward/client/endpoints'
import { useQuery } from '@tanstack/react-query'
import Plus from 'lucide-react/icons/plus'
import { useMemo, useState } from 'react'
import { useParams } from 'react-router'

import { queries } from '../../api.ts'
import { keys } from '../../keys.ts'
import { useLive } from '../../live/use-live.ts'
import { describeFailure } from '../../problems.ts'
import { Button } from '../../ui/button.tsx'
import { ConfirmDialog } from '../../ui/confirm-dialog.tsx'
import { ErrorMessage } from '../../ui/error-message.tsx'
import { formatNumberOf } from '../../ui/format-count.ts'
import { formatPageTitle } from '../../ui/format-page-title.ts'
import { HelpLink } from '../../ui/help-link.tsx'
import { Loading, SkeletonRows } from '../../ui/skeleton.tsx'
import { Table } from '../../ui/table/table.tsx'
import { useKeys } from '../../use-keys.ts'
import { useMay } from '../../use-may.ts'
import { useProject } from '../../use-project.ts'
import { LeaveProject } from './leave-project.tsx'
import { InvitationList } from './invitation-list.tsx'
import { InviteDialog, LinkDialog } from './invite-dialog.tsx'
import { createMemberColumns } from './member-columns.tsx'
import { groupRolesQuery, membersQuery } from './member-queries.ts'
import { collectGroups, MembersTabs } from './members-tabs.tsx'
import styles from './members.module.css'
import { type SentLink, useMemberActions } from './use-member-actions.ts'

/** `/projects/:projectId/members`: who works in a project, with which role, and who is invited. */
export function MembersPage() {
  const { projectId = '' } = useParams()
  return <ProjectMembers key={projectId} projectId={projectId} />
}

function ProjectMembers({ projectId }: { projectId: string }) {
  const { data, error, refetch } = useQuery(membersQuery(projectId))
  const { project } = useProject(projectId)
  const { data: me } = useQuery(queries.me())
  const actions = useMemberActions(projectId)
  const may = useMay(projectId)
  useLive({ projectId })
  const [isInviting, setIsInviting] = useState(false)
  const [link, setLink] = useState<SentLink | null>(null)
  const [asked, setAsked] = useState<Member | null>(null)
  const [isAsking, setIsAsking] = useState(false)
  const [isBusy, setIsBusy] = useState(false)
  const mayManage = may('members:manage')
  const mayChangeRole = may('members:change-role')
  const { data: groupRoles } = useQuery({ ...groupRolesQuery(projectId), enabled: mayManage })
  const invite = () => setIsInviting(true)
  useKeys(mayManage ? { create: invite } : {})
  const members = data?.members
  const columns = useMemo(
    () =>
      createMemberColumns({
        myId: me?.id,
        adminCount: members?.filter(({ role }) => role === 'admin').length ?? 0,
        groupsByMember: collectGroups(groupRoles),
        mayChangeRole,
        mayRemove: mayManage,
        onRole: (member, role) => void actions.changeRole(member, role),
        onRemove(member) {
          setAsked(member)
          setIsAsking(true)
        },
      }),
    [me?.id, members, groupRoles, mayChangeRole, mayManage, actions],
  )
  async function remove(): Promise<void> {
    if (asked === null) return
    setIsBusy(true)
    await actions.remove(asked)
    setIsBusy(false)
    setIsAsking(false)
  }
  return (
    <main className={styles.page}>
      <title>{formatPageTitle('Members', project?.name)}</title>
      <header className={styles.header}>
        <h1>Members</h1>
        {data !== undefined && <span className={styles.muted}>{formatNumberOf(data.total, 'member')}</span>}
        <HelpLink page="roles" />
        {me !== undefined && project !== undefined && members !== undefined && (
          <LeaveProject project={project} isOnlyAdmin={isOnlyAdmin(members, me.id)} />
        )}
        {mayManage && (
          <Button variant="primary" icon={<Plus />} shortcut={keys.create.bindings[0]} onClick={invite}>
            Invite
          </Button>
        )}
      </header>
      <MembersTabs projectId={projectId} current="members" groupRoles={groupRoles} />
      {mayManage && <InvitationList projectId={projectId} actions={actions} onLink={setLink} />}
      <div className={styles.list}>
        {data === undefined && error === null && (
          <Loading label="Loading members">
            <SkeletonRows count={8} />
          </Loading>
        )}
        {data === undefined && error !== null && (
          <ErrorMessage title="The members could not be loaded." onRetry={() => void refetch()}>
            {describeFailure(error, { noun: 'page' }).message}
          </ErrorMessage>
        )}
        {members !== undefined && (
          <Table
            name="members"
            label="Members"
            columns={columns}
            rows={members}
            total={data?.total ?? members.length}
            getId={getId}
            getLabel={getLabel}
            empty={null}
          />
        )}
      </div>
      {isInviting && (
        <InviteDialog
          actions={actions}
          onClose={() => setIsInviting(false)}
          onLink={(sent) => {
            setIsInviting(false)
            setLink(sent)
          }}
        />
      )}
      {link !== null && <LinkDialog link={link} onClose={() => setLink(null)} />}
      <ConfirmDialog
        isOpen={isAsking}
        onClose={() => setIsAsking(false)}
        title={`Remove ${asked?.name ?? ''} from the project?`}
        confirmLabel="Remove member"
        isBusy={isBusy}
        onConfirm={() => void remove()}
      >
        They lose access at once. Everything that they did stays, with their name.
      </ConfirmDialog>
    </main>
  )
}

/** Whether the project would have no admin without this user. */
const isOnlyAdmin = (members: readonly Member[], myId: string): boolean =>
  members.filter(({ role }) => role === 'admin').every(({ id }) => id === myId)

const getId = ({ id }: Member) => id
const getLabel = ({ name }: Member) => name
