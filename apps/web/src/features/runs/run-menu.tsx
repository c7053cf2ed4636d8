import type { Run } from '@caseward/client/endpoints'
import { useQueryClient } from '@tanstack/react-query'
import CirclePlus from 'lucide-react/icons/circle-plus'
import GitCompare from 'lucide-react/icons/git-compare'
import MessageSquare from 'lucide-react/icons/message-square'
import Paperclip from 'lucide-react/icons/paperclip'
import Download from 'lucide-react/icons/download'
import Printer from 'lucide-react/icons/printer'
import RotateCw from 'lucide-react/icons/rotate-cw'
import Share from 'lucide-react/icons/share-2'
import TextCursorInput from 'lucide-react/icons/text-cursor-input'
import Trash from 'lucide-react/icons/trash-2'
import type { ReactElement } from 'react'

import { keys } from '../../keys.ts'
import { paths } from '../../paths.ts'
import { Menu, MenuGroup, MenuItem, MenuLink, MenuSeparator } from '../../ui/menu.tsx'
import { ExportItems } from '../transfer/export-items.tsx'
import type { Export } from '../transfer/use-export.ts'
import { downloadExport, MAX_EXCEL_ROWS } from './download-export.ts'
import type { RunData } from './use-run-data.ts'

export interface RunMenuProps {
  data: RunData
  run: Run
  /** The button that opens it. */
  trigger: ReactElement<Record<string, unknown>>
  /** Missing on pages without results. */
  transfer: Export | undefined
  /** Missing if the user may not start a run. */
  onRerun: (() => void) | undefined
  /** Compares it with its base run; missing for a run without tests. */
  onCompare: (() => void) | undefined
  onShowFiles: () => void
  onShowComments: () => void
  /** Missing if the user may not change them. */
  onShowFields: (() => void) | undefined
  /** Missing if the user may not share reports. */
  onShare: (() => void) | undefined
  /** Missing if the user may not delete the run. */
  onDelete: (() => void) | undefined
}

/** What can be done with a run less often. */
export function RunMenu({
  data,
  run,
  trigger,
  transfer,
  onRerun,
  onCompare,
  onShowFiles,
  onShowComments,
  onShowFields,
  onShare,
  onDelete,
}: RunMenuProps) {
  const queryClient = useQueryClient()
  async function print(): Promise<void> {
    try {
      const { loadPrintedNotes } = await import('./load-printed-notes.ts')
      await loadPrintedNotes(queryClient, run.id, data.rows)
    } catch {
      // The first lines are better than nothing.
    }
    window.print()
  }
  return (
    <Menu align="end" trigger={trigger}>
      {onRerun !== undefined && data.total > 0 && (
        <>
          <MenuItem icon={<RotateCw />} shortcut={keys.rerun.bindings[0]} onSelect={onRerun}>
            Run again
          </MenuItem>
          <MenuLink icon={<CirclePlus />} to={paths.newRun(run.project_id, { from: run.id })}>
            New run from this one
          </MenuLink>
        </>
      )}
      {onCompare !== undefined && (
        <MenuItem icon={<GitCompare />} shortcut={keys.compareWithBase.bindings[0]} onSelect={onCompare}>
          Compare with the base run
        </MenuItem>
      )}
      <MenuLink icon={<GitCompare />} to={paths.compareRuns(run.project_id, { head: run.id })}>
        Compare with another run
      </MenuLink>
      <MenuSeparator />
      {onShare !== undefined && (
        <MenuItem icon={<Share />} onSelect={onShare}>
          Share…
        </MenuItem>
      )}
      {transfer !== undefined && <ExportItems transfer={transfer} />}
      {data.total > 0 && (
        <MenuGroup label="Export all results, with links and files">
          <MenuItem icon={<Download />} onSelect={() => downloadExport(run, 'csv')}>
            All as CSV
          </MenuItem>
          <MenuItem
            icon={<Download />}
            isDisabled={data.total > MAX_EXCEL_ROWS}
            onSelect={() => downloadExport(run, 'xlsx')}
          >
            All as Excel
          </MenuItem>
        </MenuGroup>
      )}
      {onShowFields !== undefined && (
        <MenuItem icon={<TextCursorInput />} onSelect={onShowFields}>
          Fields of the run
        </MenuItem>
      )}
      <MenuItem icon={<Paperclip />} onSelect={onShowFiles}>
        Files of the run
      </MenuItem>
      <MenuItem icon={<MessageSquare />} onSelect={onShowComments}>
        Comments on the run
      </MenuItem>
      <MenuItem icon={<Printer />} onSelect={() => void print()}>
        Print
      </MenuItem>
      {onDelete !== undefined && (
        <>
          <MenuSeparator />
          <MenuItem icon={<Trash />} isDanger onSelect={onDelete}>
            Delete run
          </MenuItem>
        </>
      )}
    </Menu>
  )
}
