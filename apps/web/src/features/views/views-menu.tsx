import type { View } from '@caseward/client/endpoints'
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import Pin from 'lucide-react/icons/pin'
import PinOff from 'lucide-react/icons/pin-off'
import Plus from 'lucide-react/icons/plus'
import RotateCcw from 'lucide-react/icons/rotate-ccw'
import Save from 'lucide-react/icons/save'
import Settings2 from 'lucide-react/icons/settings-2'
import { useEffect, useEffectEvent, useRef, useState } from 'react'

import { queries } from '../../api.ts'
import { describeFailure } from '../../problems.ts'
import type { SearchSchema } from '../../search-params.ts'
import { searchSchemas } from '../../search-schemas.ts'
import { Menu, MenuGroup, MenuItem, MenuRadioGroup, MenuSeparator } from '../../ui/menu.tsx'
import { showToast } from '../../ui/toast.ts'
import { useKeys } from '../../use-keys.ts'
import { useMay } from '../../use-may.ts'
import { usePreference } from '../../use-preferences.ts'
import { useSearch } from '../../use-search.ts'
import { useDefaultViewId, useSetDefault, useShowDefault } from './use-default-view.ts'
import { ViewDialog } from './view-dialog.tsx'
import { ViewsTrigger } from './views-trigger.tsx'
import { applyColumns, haveSameColumns, readColumns } from './view-columns.ts'
import { changeView, type ViewPage, viewsOf } from './view-queries.ts'
import { formatViewQuery, parseViewQuery } from './view-query.ts'

export interface ViewsMenuProps {
  projectId: string
  page: ViewPage
  /** `form` beside fields of that height. */
  size?: 'form'
}

/** Opens a view of a list, and keeps what the list shows as one. The address holds the view that is open. */
export function ViewsMenu({ projectId, page, size }: ViewsMenuProps) {
  const schema: SearchSchema = searchSchemas[page]
  const [search, change] = useSearch(schema)
  const openId = typeof search['view'] === 'string' ? search['view'] : null
  const [isOpened, setIsOpened] = useState(false)
  const [edited, setEdited] = useState<View | 'new' | null>(null)
  const trigger = useRef<HTMLButtonElement>(null)
  useKeys({ views: () => trigger.current?.click() })
  const { data: me } = useQuery(queries.me())
  const isAdmin = useMay(projectId)('project:settings')
  const defaultId = useDefaultViewId(projectId, page)
  const setDefault = useSetDefault(projectId, page)
  // A project without views pays nothing for them: the list is read when the menu opens, or the address has one, or the page opens with one.
  const list = useQuery({ ...viewsOf(projectId, page), enabled: isOpened || openId !== null || defaultId !== null })
  const views = list.data ?? []
  const open = views.find(({ id }) => id === openId)
  const query = formatViewQuery(schema, search)
  usePreference('hiddenColumns')
  usePreference('fieldColumns')
  const columns = readColumns(projectId, page)
  const hasOwnColumns = open !== undefined && open.columns !== null && columns !== null
  const isChanged =
    open !== undefined &&
    (open.query !== query || (hasOwnColumns && !haveSameColumns(open.columns ?? [], columns ?? [])))
  const mayChange = (view: View) => view.owner_id === me?.id || (view.is_shared && isAdmin)
  const show = (view: View, history: 'push' | 'replace') => {
    applyColumns(projectId, page, view.columns)
    change({ ...parseViewQuery(schema, view.query), ...('page' in schema ? { page: 1 } : {}), view: view.id }, history)
  }
  const save = useSaveView(projectId, page)

  // An address with nothing but the view shows it as it is now.
  const showPlain = useEffectEvent(() => {
    if (open !== undefined && query === '') show(open, 'replace')
  })
  const isLoaded = list.data !== undefined
  useEffect(() => {
    if (isLoaded) showPlain()
  }, [isLoaded])

  useShowDefault(
    views.find(({ id }) => id === defaultId),
    isLoaded && defaultId !== null,
    (view) => show(view, 'replace'),
  )

  const groups = [
    { label: 'Your views', views: views.filter((view) => view.owner_id === me?.id) },
    { label: 'Shared by others', views: views.filter((view) => view.owner_id !== me?.id) },
  ].filter((group) => group.views.length > 0)
  return (
    <>
      <Menu
        align={page === 'cases' ? 'start' : 'end'}
        trigger={
          <ViewsTrigger
            ref={trigger}
            name={open?.name}
            isChanged={isChanged}
            size={size}
            onPointerEnter={() => setIsOpened(true)}
            onFocus={() => setIsOpened(true)}
            onClick={() => setIsOpened(true)}
          />
        }
      >
        {groups.map((group) => (
          <MenuGroup key={group.label} label={group.label}>
            <MenuRadioGroup
              value={openId ?? ''}
              options={group.views.map(({ id, name, is_shared: isShared }) => ({
                value: id,
                label: name,
                detail: isShared && group.label === 'Your views' ? 'Shared' : undefined,
              }))}
              onChange={(id) => {
                const chosen = views.find((view) => view.id === id)
                if (chosen !== undefined) show(chosen, 'push')
              }}
            />
          </MenuGroup>
        ))}
        {list.isPending && (
          <MenuItem isDisabled onSelect={() => {}}>
            {'Loading the views…'}
          </MenuItem>
        )}
        {list.error !== null && (
          <MenuItem
            hint={describeFailure(list.error, { noun: 'list of views' }).message}
            onSelect={() => void list.refetch()}
          >
            The views could not be loaded. Try again
          </MenuItem>
        )}
        {list.data?.length === 0 && (
          <MenuItem isDisabled hint="A view keeps the filters and the order of a list." onSelect={() => {}}>
            No views yet
          </MenuItem>
        )}
        <MenuSeparator />
        {open !== undefined && isChanged && mayChange(open) && (
          <MenuItem
            icon={<Save />}
            onSelect={() => save.mutate({ view: open, query, ...(hasOwnColumns ? { columns } : {}) })}
          >
            Save “{open.name}”
          </MenuItem>
        )}
        {open !== undefined && isChanged && (
          <MenuItem icon={<RotateCcw />} onSelect={() => show(open, 'push')}>
            Reset to “{open.name}”
          </MenuItem>
        )}
        {open !== undefined && (
          <MenuItem
            icon={open.id === defaultId ? <PinOff /> : <Pin />}
            onSelect={() => setDefault.mutate(open.id === defaultId ? null : open)}
          >
            {open.id === defaultId ? 'Do not use as default' : 'Use as default'}
          </MenuItem>
        )}
        <MenuItem icon={<Plus />} onSelect={() => setEdited('new')}>
          Save as a new view
        </MenuItem>
        {open !== undefined && mayChange(open) && (
          <MenuItem icon={<Settings2 />} onSelect={() => setEdited(open)}>
            Rename, share or delete
          </MenuItem>
        )}
      </Menu>
      {edited !== null && (
        <ViewDialog
          projectId={projectId}
          page={page}
          view={edited === 'new' ? null : edited}
          query={query}
          columns={columns}
          onSaved={(view) => {
            setEdited(null)
            if (edited === 'new') show(view, 'push')
          }}
          onDeleted={() => {
            setEdited(null)
            change({ view: null }, 'replace')
          }}
          onClose={() => setEdited(null)}
        />
      )}
    </>
  )
}

function useSaveView(projectId: string, page: ViewPage) {
  const queryClient = useQueryClient()
  return useMutation({
    mutationFn: ({ view, ...changes }: { view: View; query: string; columns?: string[] }) =>
      changeView(projectId, view.id, changes),
    onSuccess: async (view) => {
      showToast({ message: `“${view.name}” saved` })
      await queryClient.invalidateQueries({ queryKey: viewsOf(projectId, page).queryKey })
    },
    onError: (error) => showToast({ message: `Not saved: ${describeFailure(error, { noun: 'view' }).message}` }),
  })
}
