import type { ResultStatus, Run } from '@caseward/client/endpoints'
import { useQueryClient } from '@tanstack/react-query'
import CirclePlay from 'lucide-react/icons/circle-play'
import Ellipsis from 'lucide-react/icons/ellipsis'
import Printer from 'lucide-react/icons/printer'
import Trash from 'lucide-react/icons/trash-2'
import { useState } from 'react'
import { useNavigate } from 'react-router'

import { keys } from '../../keys.ts'
import { paths } from '../../paths.ts'
import { bottomPart } from '../../ui/bottom-part.ts'
import { Button, ButtonLink } from '../../ui/button.tsx'
import { formatCount } from '../../ui/format-count.ts'
import { IconButton } from '../../ui/icon-button.tsx'
import { lazyPart } from '../../ui/lazy-part.tsx'
import { Menu, MenuGroup, MenuItem, MenuLink, MenuSeparator } from '../../ui/menu.tsx'
import { StatusGlyph } from '../../ui/status/status-glyph.tsx'
import { statusNames } from '../../ui/status/statuses.ts'
import { useKeys } from '../../use-keys.ts'
import { ExportItems } from '../transfer/export-items.tsx'
import type { Export } from '../transfer/use-export.ts'
import styles from './run-header.module.css'
import { runStatusNames } from './run-words.ts'
import { useChangeRun } from './use-change-run.ts'
import type { RunData } from './use-run-data.ts'

/** Its code is loaded when it is wanted. */
const DeleteRun = lazyPart(async () => (await import('./delete-run.tsx')).DeleteRun)

/** What is tested again first. */
const rerunOrder = ['failed', 'blocked', 'retest', 'not_tested', 'passed'] as const satisfies readonly ResultStatus[]

interface RunHeaderProps {
  data: RunData
  run: Run
  /** Exports what the filters show; missing on pages without results. */
  transfer?: Export
  /** Whether phones have the main action at the bottom, unless something else is there. */
  isAtBottom?: boolean
}

/** The name of a run, and what can be done with it. */
export function RunHeader({ data, run, transfer, isAtBottom = true }: RunHeaderProps) {
  const { may, milestone } = data
  const navigate = useNavigate()
  const { change, isBusy } = useChangeRun(data)
  const [isDeleting, setIsDeleting] = useState(false)
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
  const isOpen = run.status === 'in_progress'
  const canExecute = may('runs:execute') && isOpen
  const mayClose = may('runs:open-and-close')
  useKeys(canExecute ? { execute: () => void navigate(paths.execution(run.id)) } : {})
  return (
    <header className={styles.header}>
      <div className={styles.name}>
        <h1>{run.name}</h1>
        <p className={styles.facts}>
          <span>{runStatusNames[run.status]}</span>
          {milestone !== undefined && <span>{milestone.name}</span>}
        </p>
      </div>
      <div className={styles.actions}>
        {canExecute && (
          <ButtonLink
            ref={isAtBottom ? bottomPart : null}
            variant="primary"
            className={isAtBottom ? styles.execute : undefined}
            icon={<CirclePlay />}
            shortcut={keys.execute.bindings[0]}
            to={paths.execution(run.id)}
          >
            Execute
          </ButtonLink>
        )}
        {mayClose && (
          <Button isBusy={isBusy} onClick={() => void change(isOpen ? 'completed' : 'in_progress')}>
            {isOpen ? 'Complete' : 'Reopen'}
          </Button>
        )}
        <Menu align="end" trigger={<IconButton label="More" icon={<Ellipsis />} />}>
          {mayClose && <RerunItems data={data} run={run} />}
          {transfer !== undefined && <ExportItems transfer={transfer} />}
          <MenuItem icon={<Printer />} onSelect={() => void print()}>
            Print
          </MenuItem>
          {mayClose && (
            <>
              <MenuSeparator />
              <MenuItem icon={<Trash />} isDanger onSelect={() => setIsDeleting(true)}>
                Delete run
              </MenuItem>
            </>
          )}
        </Menu>
      </div>
      {isDeleting && <DeleteRun data={data} run={run} onClose={() => setIsDeleting(false)} />}
    </header>
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
