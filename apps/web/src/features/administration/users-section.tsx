import type { InstanceUser } from '@caseward/client/endpoints'
import { keepPreviousData, useInfiniteQuery, useQuery } from '@tanstack/react-query'
import { useCallback, useMemo, useRef, useState } from 'react'

import { queries } from '../../api.ts'
import { searchSchemas } from '../../search-schemas.ts'
import { Button } from '../../ui/button.tsx'
import { EmptyState } from '../../ui/empty-state.tsx'
import { PagedList } from '../../ui/paged-list.tsx'
import { SearchField } from '../../ui/search-field.tsx'
import { Select } from '../../ui/select.tsx'
import { Table } from '../../ui/table/table.tsx'
import { useCursorPages } from '../../use-cursor-pages.ts'
import { useKeys } from '../../use-keys.ts'
import { useSearch } from '../../use-search.ts'
import { useSettled } from '../../use-settled.ts'
import styles from './administration.module.css'
import { UserActionDialog } from './user-action-dialog.tsx'
import { createUserColumns, findMenuButton } from './user-columns.tsx'
import { UserMenu } from './user-menu.tsx'
import { usersQuery } from './user-queries.ts'
import type { UserAction } from './user-words.ts'

const statusOptions = [
  { value: 'all', label: 'All users' },
  { value: 'active', label: 'Active' },
  { value: 'disabled', label: 'Disabled' },
] as const

/** The users of the instance, and what can be done with each. */
export function UsersSection() {
  const [view, change] = useSearch(searchSchemas.users)
  const q = useSettled(view.q.trim())
  const list = useCursorPages(
    useInfiniteQuery({ ...usersQuery({ q, status: view.status }), placeholderData: keepPreviousData }),
  )
  const { data: me } = useQuery(queries.me())
  const search = useRef<HTMLInputElement>(null)
  const filter = useRef<HTMLSelectElement>(null)
  // While the menu and the dialog close, they show whom they were about.
  const [menu, setMenu] = useState<{ userId: string; anchor: HTMLElement | null } | null>(null)
  const [isMenuOpen, setIsMenuOpen] = useState(false)
  const [question, setQuestion] = useState<{ user: InstanceUser; action: UserAction } | null>(null)
  useKeys({ search: () => search.current?.focus(), filter: () => filter.current?.focus() })
  const openMenu = useCallback((user: InstanceUser, anchor: HTMLElement | null) => {
    setMenu({ userId: user.id, anchor })
    setIsMenuOpen(true)
  }, [])
  const columns = useMemo(() => createUserColumns({ myId: me?.id, onMenu: openMenu }), [me?.id, openMenu])
  const menuUser = list.rows.find(({ id }) => id === menu?.userId) ?? null
  const isFiltered = view.q !== '' || view.status !== 'all'
  return (
    <>
      <search className={styles.toolBar}>
        <SearchField
          ref={search}
          className={styles.search}
          label="Search users"
          value={view.q}
          onChange={(text) => change({ q: text }, 'replace')}
        />
        <Select
          ref={filter}
          label="Status"
          isLabelHidden
          className={styles.filter}
          value={view.status}
          options={statusOptions}
          onChange={(status) => change({ status }, 'replace')}
        />
      </search>
      <PagedList list={{ ...list, isOutdated: list.isOutdated || q !== view.q.trim() }} noun="the users">
        <Table
          name="users"
          label="Users"
          columns={columns}
          rows={list.rows}
          hasMore={list.hasMore}
          getId={getId}
          getLabel={getLabel}
          onOpen={(user) => openMenu(user, findMenuButton(user.id))}
          onReachEnd={list.loadMore}
          empty={
            <EmptyState
              drawing="search"
              title="No user matches"
              help={null}
              actions={
                isFiltered && (
                  <Button onClick={() => change({ q: '', status: 'all' }, 'replace')}>Show all users</Button>
                )
              }
            />
          }
        />
      </PagedList>
      <UserMenu
        user={menuUser}
        myId={me?.id}
        isOpen={isMenuOpen}
        anchor={menu?.anchor ?? null}
        onClose={() => setIsMenuOpen(false)}
        onChoose={(action) => {
          if (menuUser !== null) setQuestion({ user: menuUser, action })
        }}
      />
      {question !== null && (
        <UserActionDialog
          key={`${question.user.id} ${question.action}`}
          {...question}
          isOwn={question.user.id === me?.id}
          onClose={() => setQuestion(null)}
        />
      )}
    </>
  )
}

const getId = ({ id }: InstanceUser) => id
const getLabel = ({ name }: InstanceUser) => name
