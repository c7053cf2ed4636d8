import type { OutboxEntry } from '../../outbox/outbox-entry.ts'
import { Banner } from '../../ui/banner.tsx'
import { Button } from '../../ui/button.tsx'
import { CopyButton } from '../../ui/copy-button.tsx'
import { formatNumberOf } from '../../ui/format-count.ts'
import { useChangeRun } from '../runs/use-change-run.tsx'
import { describeEntries } from './describe-entries.ts'
import type { Execution } from './use-execution.ts'

/** Explains why results cannot be set, or were not saved. */
export function ExecutionNotices({ execution }: { execution: Execution }) {
  const { runId, data, mayExecute, isRunCompleted } = execution
  const refused = data.unsent.refused.filter((entry) => entry.runId === runId)
  const of = (...kinds: NonNullable<OutboxEntry['problem']>['kind'][]) =>
    refused.filter(({ problem }) => problem !== null && kinds.includes(problem.kind))
  const completed = of('run-completed')
  return (
    <>
      {data.areRightsKnown && !mayExecute && (
        <Banner>You can read this run. Setting results needs the role member or admin in this project.</Banner>
      )}
      {(completed.length > 0 || (isRunCompleted && mayExecute)) && (
        <CompletedNotice execution={execution} unsaved={completed} />
      )}
      {execution.canExecute && <DoneNotice execution={execution} />}
      <NewerNotice execution={execution} entries={of('newer-result')} />
      <RefusedNotice execution={execution} entries={of('forbidden', 'not-found', 'refused')} />
    </>
  )
}

function CompletedNotice({ execution, unsaved }: { execution: Execution; unsaved: readonly OutboxEntry[] }) {
  const { runId, data } = execution
  const { change, isBusy } = useChangeRun(data)
  const hasUnsaved = unsaved.length > 0
  const reopen = async () => {
    if (await change('in_progress')) data.outbox.retryRun(runId)
  }
  return (
    <Banner
      tone={hasUnsaved ? 'error' : 'info'}
      actions={
        <>
          {data.may('runs:open-and-close') && (
            <Button isBusy={isBusy} onClick={() => void reopen()}>
              {hasUnsaved ? 'Reopen and save' : 'Reopen'}
            </Button>
          )}
          {hasUnsaved && <CopyButton text={describeEntries(unsaved)} />}
        </>
      }
    >
      {hasUnsaved
        ? `This run was completed meanwhile. ${formatNumberOf(unsaved.length, 'result')} not saved; what you typed is kept.`
        : 'This run is completed, so its results cannot be changed.'}
    </Banner>
  )
}

/** Offers to complete a run in which nothing is left to test. */
function DoneNotice({ execution: { data } }: { execution: Execution }) {
  const { change, isBusy, dialog } = useChangeRun(data)
  if (!data.isComplete || data.total === 0 || data.counts.not_tested > 0) return null
  return (
    <Banner
      actions={
        data.may('runs:open-and-close') ? (
          <>
            {dialog}
            <Button isBusy={isBusy} onClick={() => void change('completed')}>
              Complete run
            </Button>
          </>
        ) : undefined
      }
    >
      Every test case of this run has a result.
    </Banner>
  )
}

interface NoticeProps {
  execution: Execution
  entries: readonly OutboxEntry[]
}

/** The result itself shows both versions; this leads to it. */
function NewerNotice({ execution: { current, open }, entries }: NoticeProps) {
  const other = entries.find(({ resultId }) => resultId !== current?.id)
  if (other === undefined) return null
  return (
    <Banner tone="warning" actions={<Button onClick={() => open(other.resultId, true)}>Show</Button>}>
      {`${formatNumberOf(entries.length, 'result')} of yours not saved: someone else has set another result meanwhile.`}
    </Banner>
  )
}

function RefusedNotice({ execution: { data }, entries }: NoticeProps) {
  const [first] = entries
  if (first === undefined) return null
  const forEach = (act: (id: string) => void) => () => entries.forEach(({ id }) => act(id))
  return (
    <Banner
      tone="error"
      actions={
        <>
          <Button onClick={forEach(data.outbox.retry)}>Try again</Button>
          <CopyButton text={describeEntries(entries)} />
          <Button variant="quiet" onClick={forEach(data.outbox.discard)}>
            Discard
          </Button>
        </>
      }
    >
      {`${formatNumberOf(entries.length, 'result')} not saved: ${first.problem?.message ?? ''}`}
    </Banner>
  )
}
