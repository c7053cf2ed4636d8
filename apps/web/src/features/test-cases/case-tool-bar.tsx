import type { Field } from '@caseward/client/endpoints'
import Columns3 from 'lucide-react/icons/columns-3'
import Ellipsis from 'lucide-react/icons/ellipsis'
import FolderClosed from 'lucide-react/icons/folder-closed'
import ListFilter from 'lucide-react/icons/list-filter'
import Plus from 'lucide-react/icons/plus'
import type { RefObject } from 'react'

import { Button } from '../../ui/button.tsx'
import { IconButton } from '../../ui/icon-button.tsx'
import { lazyPart } from '../../ui/lazy-part.tsx'
import { SearchField } from '../../ui/search-field.tsx'
import type { ColumnsMenuProps } from '../../ui/table/columns-menu.tsx'
import { preferences } from '../../use-preferences.ts'
import { isListed } from '../fields/field-words.ts'
import type { Export } from '../transfer/use-export.ts'
import { ViewsButton } from '../views/views-button.tsx'
import { CaseFilters, type CaseFiltersProps } from './case-filters.tsx'
import { buildColumns, TABLE_NAME } from './case-columns.tsx'
import type { CaseTransferMenuProps } from './case-transfer-menu.tsx'
import styles from './cases.module.css'
import { describeFilterCount } from './describe-filter.ts'
import type { CaseFacets, CaseView } from './search-cases.ts'

interface CaseToolBarProps {
  view: CaseView
  facets: CaseFacets
  /** The custom fields in use, and those that have a column. */
  fields: readonly Field[]
  shownFields: readonly Field[]
  onChange: (changes: Partial<CaseView>) => void
  search: RefObject<HTMLInputElement | null>
  firstFilter: RefObject<HTMLButtonElement | null>
  /** Whether the filters are behind one button, and the columns cannot be chosen. */
  isCompact: boolean
  /** The name of the folder that is shown, where a button opens the tree; null where the tree is visible. */
  folderName: string | null
  onOpenFolders: () => void
  projectId: string
  /** Exports what the filters show. */
  transfer: Export
  /** Missing if the user may not create test cases. */
  onCreate: (() => void) | undefined
}

/** For narrow windows. Until its window is loaded, there is its button alone. */
const CaseFiltersPopover = lazyPart(async () => (await import('./case-filters-popover.tsx')).CaseFiltersPopover, {
  button: ({ view, firstFilter }: CaseFiltersProps) => (
    <Button ref={firstFilter} icon={<ListFilter />}>
      {describeFilterCount(view)}
    </Button>
  ),
})

const ColumnsMenu = lazyPart(async () => (await import('../../ui/table/columns-menu.tsx')).ColumnsMenu, {
  button: ({ trigger }: ColumnsMenuProps) => trigger,
})

/** Until its code is loaded, there is its button alone. */
const CaseTransferMenu = lazyPart(async () => (await import('./case-transfer-menu.tsx')).CaseTransferMenu, {
  button: ({ trigger }: CaseTransferMenuProps) => trigger,
})

/** Search, filters, columns and the main action of the page. */
export function CaseToolBar(props: CaseToolBarProps) {
  const { view, facets, onChange, search, firstFilter, isCompact, folderName, onOpenFolders, onCreate } = props
  const { projectId, transfer, fields, shownFields } = props
  return (
    <div className={styles.toolBar}>
      {folderName !== null && (
        <Button className={styles.folderButton} icon={<FolderClosed />} onClick={onOpenFolders}>
          <span className={styles.folderButtonName}>{folderName}</span>
        </Button>
      )}
      <ViewsButton projectId={projectId} page="cases" />
      <div role="search" className={styles.search}>
        <SearchField ref={search} label="Search test cases" value={view.q} onChange={(q) => onChange({ q })} />
      </div>
      {isCompact ? (
        <CaseFiltersPopover {...{ projectId, view, facets, onChange, firstFilter }} />
      ) : (
        <CaseFilters {...{ projectId, view, facets, onChange, firstFilter }} />
      )}
      <div className={styles.toolEnd}>
        {!isCompact && (
          <ColumnsMenu
            trigger={<Button icon={<Columns3 />}>Columns</Button>}
            name={TABLE_NAME}
            columns={columns}
            more={listFieldColumns(projectId, fields, shownFields)}
          />
        )}
        <CaseTransferMenu
          projectId={projectId}
          mayImport={onCreate !== undefined}
          transfer={transfer}
          offersKeys={fields.length > 0}
          trigger={<IconButton label="Import and export" icon={<Ellipsis />} />}
        />
        {onCreate !== undefined && (
          <Button variant="primary" icon={<Plus />} shortcut={isCompact ? undefined : 'C'} onClick={onCreate}>
            {isCompact ? 'New' : 'New case'}
          </Button>
        )}
      </div>
    </div>
  )
}

/** The columns of custom fields, which the user chooses in each project. */
const listFieldColumns = (projectId: string, fields: readonly Field[], shown: readonly Field[]) =>
  fields.filter(isListed).map((field) => ({
    id: field.key,
    head: field.name,
    isShown: shown.includes(field),
    onChange(isShown: boolean) {
      const others = shown.filter(({ key }) => key !== field.key).map(({ key }) => key)
      const { fieldColumns } = preferences.get()
      preferences.set({ fieldColumns: { ...fieldColumns, [projectId]: isShown ? [...others, field.key] : others } })
    },
  }))

const columns = buildColumns({ histories: new Map(), unsentIds: new Set(), getPerson: String })
