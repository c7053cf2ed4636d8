import type { ResultStatus, Run } from '@caseward/client/endpoints'
import { useQueryClient } from '@tanstack/react-query'
import Paperclip from 'lucide-react/icons/paperclip'
import Printer from 'lucide-react/icons/printer'
import Trash from 'lucide-react/icons/trash-2'
import type { ReactElement } from 'react'

import { paths } from '../../paths.ts'
import { formatCount } from '../../ui/format-count.ts'
import { Menu, MenuGroup, MenuItem, MenuLink, MenuSeparator } from '../../ui/menu.tsx'
import { StatusGlyph } from '../../ui/status/status-glyph.tsx'
import { statusNames } from '../../ui/status/statuses.ts'
import { ExportItems } from '../transfer/export-items.tsx'
import type { Export } from '../transfer/use-export.ts'
import type { RunData } from './use-run-data.ts'

/** What is tested again first. */
const rerunOrder = ['failed', 'blocked', 'retest', 'not_tested', 'passed'] as const satisfies readonly ResultStatus[]

export interface RunMenuProps {
  data: RunData
  run: Run
  /** The button that opens it. */
  trigger: ReactElement<Record<string, unknown>>
  /** Missing on pages without results. */
  transfer: Export | undefined
  onShowFiles: () => void
  /** Missing if the user may not delete the run, nor start another one. */
  onDelete: (() => void) | undefined
}

/** What can be done with a run less often. */
export function RunMenu({ data, run, trigger, transfer, onShowFiles, onDelete }: RunMenuProps) {
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
      {onDelete !== undefined && <RerunItems data={data} run={run} />}
      {transfer !== undefined && <ExportItems transfer={transfer} />}
      <MenuItem icon={<Paperclip />} onSelect={onShowFiles}>
        Files of the run
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

/** Opens the page of new runs with the test cases that have a status here. */
function RerunItems({ data: { counts, total }, run }: { data: RunData; run: Run }) {
  if (total === 0) return null
  return (
    <>
      <MenuGroup label="New run from this one">
        {rerunOrder
          .filter((status) => counts[status] > 0)
          .map((status) => (
            <MenuLink
              key={status}
              icon={<StatusGlyph status={status} isNamed={false} />}
              to={paths.newRun(run.project_id, { from: run.id, status: [status] })}
            >
              {statusNames[status]} ({formatCount(counts[status])})
            </MenuLink>
          ))}
        <MenuLink to={paths.newRun(run.project_id, { from: run.id })}>All test cases ({formatCount(total)})</MenuLink>
      </MenuGroup>
      <MenuSeparator />
    </>
  )
}
