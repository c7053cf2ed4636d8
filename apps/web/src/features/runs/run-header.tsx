import type { Run } from '@caseward/client/endpoints'
import { useQueryClient } from '@tanstack/react-query'
import CirclePlay from 'lucide-react/icons/circle-play'
import Ellipsis from 'lucide-react/icons/ellipsis'
import MessageSquare from 'lucide-react/icons/message-square'
import { useMemo, useState } from 'react'
import { useNavigate, useSearchParams } from 'react-router'

import { keys } from '../../keys.ts'
import { paths } from '../../paths.ts'
import { bottomPart } from '../../ui/bottom-part.ts'
import { Button, ButtonLink } from '../../ui/button.tsx'
import { formatNumberOf, formatWholeNumber } from '../../ui/format-count.ts'
import { IconButton } from '../../ui/icon-button.tsx'
import { lazyPart } from '../../ui/lazy-part.tsx'
import { showToast } from '../../ui/toast.ts'
import { useKeys } from '../../use-keys.ts'
import { ChainLine } from '../reruns/chain-line.tsx'
import type { Export } from '../transfer/use-export.ts'
import styles from './run-header.module.css'
import type { RunMenuProps } from './run-menu.tsx'
import { runStatusNames } from './run-words.ts'
import { describeTimeLeft } from './sum-estimates.ts'
import { useChangeRun } from './use-change-run.tsx'
import type { RunData } from './use-run-data.ts'

/** Until its code is loaded, there is its button alone. */
const RunMenu = lazyPart(async () => (await import('./run-menu.tsx')).RunMenu, {
  button: ({ trigger }: RunMenuProps) => trigger,
})
const RerunDialog = lazyPart(async () => (await import('../reruns/rerun-dialog.tsx')).RerunDialog, { isDialog: true })
const RunFiles = lazyPart(async () => (await import('../files/run-files.tsx')).RunFiles, { isDialog: true })
const RunComments = lazyPart(async () => (await import('../comments/comment-places.tsx')).RunComments, {
  isDialog: true,
})
const RunFieldsDialog = lazyPart(async () => (await import('../fields/run-fields.tsx')).RunFieldsDialog, {
  isDialog: true,
})
const ShareDialog = lazyPart(async () => (await import('../shares/share-dialog.tsx')).ShareDialog, { isDialog: true })
const DeleteRun = lazyPart(async () => (await import('./delete-run.tsx')).DeleteRun, { isDialog: true })

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
  const queryClient = useQueryClient()
  const { change, isBusy, dialog } = useChangeRun(data)
  const [isDeleting, setIsDeleting] = useState(false)
  const [isRerunning, setIsRerunning] = useState(false)
  const [isSharing, setIsSharing] = useState(false)
  const [isShowingFields, setIsShowingFields] = useState(false)
  const [isShowingFiles, setIsShowingFiles] = useState(false)
  const [params, setParams] = useSearchParams()
  const showComments = (isShown: boolean) =>
    setParams(
      (current) => {
        if (isShown) current.set('comments', '1')
        else current.delete('comments')
        return current
      },
      { replace: true },
    )
  // Servers of earlier versions do not count comments.
  const commentCount = (run as Partial<Run>).comment_count ?? 0
  const isOpen = run.status === 'in_progress'
  const timeLeft = useMemo(() => (isOpen ? describeTimeLeft(data.rows) : null), [isOpen, data.rows])
  const canExecute = may('runs:execute') && isOpen
  const mayClose = may('runs:open-and-close')
  const hasFields = (data.project?.fields_version ?? 0) > 0
  const canRerun = mayClose && data.total > 0
  const rerun = () => setIsRerunning(true)
  const compare = async () => {
    const { findBaseRun } = await import('../run-comparison/find-base-run.ts')
    const base = await findBaseRun(queryClient, run.id)
    if (base === null) showToast({ message: 'This run has no base run. Choose the run to compare it with.' })
    void navigate(paths.compareRuns(run.project_id, { base, head: run.id }))
  }
  useKeys({
    ...(run.test_stats.total > 0 ? { compareWithBase: () => void compare() } : {}),
    ...(canExecute ? { execute: () => void navigate(paths.execution(run.id)) } : {}),
    ...(canRerun ? { rerun } : {}),
  })
  return (
    <header className={styles.header}>
      <div className={styles.name}>
        <h1>{run.name}</h1>
        <p className={styles.facts}>
          <span>{runStatusNames[run.status]}</span>
          {milestone !== undefined && <span>{milestone.name}</span>}
          {timeLeft !== null && <span title={timeLeft.hint}>{timeLeft.text}</span>}
          <ChainLine runId={run.id} />
        </p>
      </div>
      <div className={styles.actions}>
        {dialog}
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
        {commentCount > 0 && (
          <Button
            variant="quiet"
            icon={<MessageSquare />}
            aria-label={formatNumberOf(commentCount, 'comment')}
            onClick={() => showComments(true)}
          >
            {formatWholeNumber(commentCount)}
          </Button>
        )}
        <RunMenu
          data={data}
          run={run}
          transfer={transfer}
          onRerun={canRerun ? rerun : undefined}
          onCompare={run.test_stats.total > 0 ? () => void compare() : undefined}
          onShowFiles={() => setIsShowingFiles(true)}
          onShowComments={() => showComments(true)}
          onShowFields={mayClose && hasFields ? () => setIsShowingFields(true) : undefined}
          onShare={may('runs:execute') ? () => setIsSharing(true) : undefined}
          onDelete={mayClose ? () => setIsDeleting(true) : undefined}
          trigger={<IconButton label="More" icon={<Ellipsis />} />}
        />
      </div>
      {isRerunning && <RerunDialog data={data} run={run} onClose={() => setIsRerunning(false)} />}
      {isSharing && (
        <ShareDialog
          subject={{ kind: 'run', id: run.id, name: run.name, projectId: run.project_id }}
          onClose={() => setIsSharing(false)}
        />
      )}
      {isShowingFields && <RunFieldsDialog run={run} onClose={() => setIsShowingFields(false)} />}
      {isShowingFiles && <RunFiles run={run} onClose={() => setIsShowingFiles(false)} />}
      {params.has('comments') && <RunComments run={run} onClose={() => showComments(false)} />}
      {isDeleting && <DeleteRun data={data} run={run} onClose={() => setIsDeleting(false)} />}
    </header>
  )
}
