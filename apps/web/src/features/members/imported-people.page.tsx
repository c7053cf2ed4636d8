import type { ImportedPerson } from '@caseward/client/endpoints'
import { queryOptions, useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import UserRoundX from 'lucide-react/icons/user-round-x'
import { useMemo, useState } from 'react'

import { api, queries } from '../../api.ts'
import { describeFailure } from '../../problems.ts'
import { queryKeys } from '../../query-keys.ts'
import { request } from '../../request-failed.ts'
import { ConfirmDialog } from '../../ui/confirm-dialog.tsx'
import { EmptyState } from '../../ui/empty-state.tsx'
import { formatNumberOf } from '../../ui/format-count.ts'
import { HelpLink } from '../../ui/help-link.tsx'
import { IconButton } from '../../ui/icon-button.tsx'
import { LoadedPart } from '../../ui/loaded-part.tsx'
import { Select } from '../../ui/select.tsx'
import type { Column } from '../../ui/table/columns.ts'
import { Table } from '../../ui/table/table.tsx'
import { showToast } from '../../ui/toast.ts'
import { AdminPage } from './admin-page.tsx'
import { forgetImportedPerson, joinImportedPerson, listImportedPeople } from './imported-people-endpoints.ts'
import { groupRolesQuery } from './member-queries.ts'
import { MembersTabs } from './members-tabs.tsx'
import styles from './members.module.css'

/** Of the members, which those who are named in imported results also show. */
const importedPeopleQuery = (project_id: string) =>
  queryOptions({
    queryKey: [...queryKeys.people(project_id), 'imported'],
    queryFn: async ({ signal }) =>
      (await request(api, listImportedPeople, { params: { project_id }, signal })).data.data,
  })

/** `/projects/:projectId/members/imported`: who tested in other tools, which member they are, and who is to be forgotten. */
export const ImportedPeoplePage = () => (
  <AdminPage
    className={styles.page}
    title="Imported people"
    permission="project:settings"
    refusal="Only admins of the project decide who imported people are"
    help="moving-in"
  >
    {(projectId) => <ImportedPeople key={projectId} projectId={projectId} />}
  </AdminPage>
)

function ImportedPeople({ projectId }: { projectId: string }) {
  const query = useQuery(importedPeopleQuery(projectId))
  const { data: groupRoles } = useQuery(groupRolesQuery(projectId))
  const { data: people } = useQuery(queries.people(projectId))
  const { join, forget } = useImportedPeople(projectId)
  // While the dialog closes, it shows what it asked.
  const [asked, setAsked] = useState<ImportedPerson | null>(null)
  const [isAsking, setIsAsking] = useState(false)
  const columns = useMemo(
    () =>
      createColumns({
        members: people?.filter(({ is_member: isMember }) => isMember) ?? [],
        onJoin: (person, user_id) => join.mutate({ person, user_id }),
        onForget(person) {
          setAsked(person)
          setIsAsking(true)
        },
      }),
    [people, join],
  )
  return (
    <>
      <header className={styles.header}>
        <h1>Members</h1>
        {query.data !== undefined && (
          <span className={styles.muted}>{formatPeople(query.data.length)} without an account</span>
        )}
        <HelpLink page="moving-in" />
      </header>
      <MembersTabs projectId={projectId} current="imported" groupRoles={groupRoles} />
      <div className={styles.list}>
        <LoadedPart query={query} noun="page">
          {(rows) =>
            rows.length === 0 ? (
              <EmptyState drawing="projects" title="No imported people" help="moving-in">
                Who tested in the tool that you import from, and is no member here, is listed here.
              </EmptyState>
            ) : (
              <Table
                name="imported-people"
                label="Imported people"
                columns={columns}
                rows={rows}
                total={rows.length}
                getId={({ id }) => id}
                getLabel={({ name }) => name}
                empty={null}
              />
            )
          }
        </LoadedPart>
      </div>
      <ConfirmDialog
        isOpen={isAsking}
        onClose={() => setIsAsking(false)}
        title={`Forget ${asked?.name ?? ''}?`}
        confirmLabel="Forget"
        isBusy={forget.isPending}
        onConfirm={() => {
          if (asked !== null) forget.mutate(asked, { onSettled: () => setIsAsking(false) })
        }}
      >
        Name and email address are deleted, and cannot be brought back. Results and runs stay, and name a “Former
        person”, also after another import.
      </ConfirmDialog>
    </>
  )
}

const formatPeople = (count: number): string =>
  count === 1 ? '1 person' : formatNumberOf(count, 'people').replace(/s$/, '')

function useImportedPeople(project_id: string) {
  const queryClient = useQueryClient()
  const onSettled = () => queryClient.invalidateQueries({ queryKey: queryKeys.people(project_id) })
  const onError = (error: unknown) =>
    showToast({ message: `Not done: ${describeFailure(error, { noun: 'person' }).message}` })
  const join = useMutation({
    mutationFn: ({ person, user_id }: { person: ImportedPerson; user_id: string }) =>
      request(api, joinImportedPerson, { params: { project_id, person_id: person.id }, body: { user_id } }),
    onSuccess: (_, { person }) => showToast({ message: `All that ${person.name} did is joined within minutes.` }),
    onError,
    onSettled,
  })
  const forget = useMutation({
    mutationFn: ({ id }: ImportedPerson) =>
      request(api, forgetImportedPerson, { params: { project_id, person_id: id } }),
    onError,
    onSettled,
  })
  return { join, forget }
}

interface ColumnsContext {
  readonly members: readonly { id: string; name: string }[]
  readonly onJoin: (person: ImportedPerson, userId: string) => void
  readonly onForget: (person: ImportedPerson) => void
}

const createColumns = ({ members, onJoin, onForget }: ColumnsContext): Column<ImportedPerson>[] => [
  { id: 'name', head: 'Name', render: ({ name }) => <span title={name}>{name}</span> },
  {
    id: 'source',
    head: 'Source',
    width: 110,
    hiddenBelow: 860,
    render: ({ source }) => (
      <span className={styles.muted} title={source}>
        {source}
      </span>
    ),
  },
  {
    id: 'email',
    head: 'Email address',
    width: 180,
    hiddenBelow: 620,
    render: ({ email }) => (
      <span className={styles.muted} title={email ?? undefined}>
        {email}
      </span>
    ),
  },
  {
    id: 'member',
    head: 'Is the member',
    width: 130,
    isLeading: false,
    render: (person) => (
      <Select
        className={styles.role}
        label={`Who ${person.name} is`}
        isLabelHidden
        value={person.user_id ?? ''}
        options={[
          { value: '', label: 'no member', isDisabled: true },
          ...members.map(({ id, name }) => ({ value: id, label: name })),
        ]}
        onChange={(userId) => onJoin(person, userId)}
      />
    ),
  },
  {
    id: 'forget',
    head: 'Forget',
    isHeadHidden: true,
    width: 36,
    render: (person) =>
      person.is_forgotten ? null : (
        <IconButton label={`Forget ${person.name}`} icon={<UserRoundX />} onClick={() => onForget(person)} />
      ),
  },
]
