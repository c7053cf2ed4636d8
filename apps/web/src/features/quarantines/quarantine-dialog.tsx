import type { Person, TestQuarantine } from '@caseward/client/endpoints'
import { useQuery } from '@tanstack/react-query'
import { type SubmitEvent, useId, useRef, useState } from 'react'

import { queries } from '../../api.ts'
import { toLocalDay } from '../../charts/days.ts'
import { describeFailure } from '../../problems.ts'
import { Banner } from '../../ui/banner.tsx'
import { Button } from '../../ui/button.tsx'
import { Dialog } from '../../ui/dialog.tsx'
import { TextField } from '../../ui/field.tsx'
import { formatNumberOf } from '../../ui/format-count.ts'
import styles from '../../ui/form-page.module.css'
import { Select } from '../../ui/select.tsx'
import { TextArea } from '../../ui/text-area.tsx'
import { showToast } from '../../ui/toast.ts'
import { addDays, getEndLimits, PROPOSED_DAYS, splitBranches, toEnd } from './quarantine-end.ts'
import { useQuarantineActions } from './use-quarantine-actions.ts'

/** A test as the dialog names it. */
export interface QuarantinedTest {
  readonly id: string
  readonly name: string
}

/** An entry that is changed. */
export type ChangedQuarantine = Pick<TestQuarantine, 'id' | 'reason' | 'owner_id' | 'branches' | 'expires_at'> & {
  readonly link: string | null
  readonly created_at: string
}

export interface QuarantineDialogProps {
  projectId: string
  tests: readonly QuarantinedTest[]
  /** The entry of the one test; null for new entries. */
  entry?: ChangedQuarantine | null
  /** @param isDone whether it was stored */
  onClose: (isDone: boolean) => void
}

/** The server takes so many tests with one request, and so many patterns of branches. */
const MAX_TESTS = 100
const MAX_BRANCHES = 10
const MAX_REASON = 2000

/** Quarantines tests, or changes an entry: why, who ends it, on which branches, and until when. */
export function QuarantineDialog({ projectId, tests, entry = null, onClose }: QuarantineDialogProps) {
  const actions = useQuarantineActions(projectId)
  const people = useQuery(queries.people(projectId)).data
  const me = useQuery(queries.me()).data
  const [now] = useState(() => new Date())
  const limits = getEndLimits(now, entry === null ? now : new Date(entry.created_at))
  const [reason, setReason] = useState(entry?.reason ?? '')
  const [ownerId, setOwnerId] = useState(entry?.owner_id ?? null)
  const [branches, setBranches] = useState(entry?.branches.join(', ') ?? '')
  const [link, setLink] = useState(entry?.link ?? '')
  const [day, setDay] = useState(toLocalDay(entry === null ? addDays(now, PROPOSED_DAYS) : new Date(entry.expires_at)))
  const [isChecked, setIsChecked] = useState(false)
  const [isBusy, setIsBusy] = useState(false)
  const [error, setError] = useState<unknown>(null)
  const formId = useId()
  const first = useRef<HTMLTextAreaElement>(null)

  const failure = error === null ? null : describeFailure(error, { noun: 'quarantine' })
  /** The server names an item as `branches/0`. */
  const getFieldError = (name: string) =>
    [...(failure?.fields ?? [])].find(([path]) => path.split('/')[0] === name)?.[1] ?? null
  const isInField = ['reason', 'owner_id', 'expires_at', 'branches', 'link'].some(
    (name) => getFieldError(name) !== null,
  )
  const isEndChanged = entry === null || day !== toLocalDay(new Date(entry.expires_at))
  const end = toEnd(day, now, limits)
  const patterns = splitBranches(branches)
  const owner = ownerId ?? (entry === null ? (me?.id ?? '') : '')
  const errors = {
    reason: reason.trim() === '' ? 'Say why failures must not block for now.' : getFieldError('reason'),
    end:
      isEndChanged && end === null
        ? `Choose a day from ${toLocalDay(limits.first)} to ${toLocalDay(limits.last)}.`
        : getFieldError('expires_at'),
    branches: patterns.length > MAX_BRANCHES ? `Name up to ${MAX_BRANCHES} branches.` : getFieldError('branches'),
  }

  async function save(event: SubmitEvent): Promise<void> {
    event.preventDefault()
    setIsChecked(true)
    if (isBusy || reason.trim() === '' || (isEndChanged && end === null) || patterns.length > MAX_BRANCHES) return
    setIsBusy(true)
    setError(null)
    const body = {
      reason: reason.trim(),
      branches: patterns,
      link: link.trim() === '' ? null : link.trim(),
      ...(owner === '' ? {} : { owner_id: owner }),
      ...(isEndChanged && end !== null ? { expires_at: end.toISOString() } : {}),
    }
    try {
      if (entry === null) await actions.create({ test_ids: tests.map(({ id }) => id), ...body })
      else await actions.change(entry.id, body)
      const subject = tests.length === 1 ? 'Test' : formatNumberOf(tests.length, 'test')
      showToast({ message: entry === null ? `${subject} quarantined` : 'Quarantine changed' })
      onClose(true)
    } catch (failed) {
      setError(failed)
      setIsBusy(false)
    }
  }

  const isTooMany = tests.length > MAX_TESTS
  return (
    <Dialog
      isOpen
      onClose={() => onClose(false)}
      title={getTitle(tests.length, entry !== null)}
      description={
        tests.length === 1
          ? `${tests[0]?.name}. Its failures do not block; it runs and is reported as before.`
          : 'Each gets an entry. Their failures do not block; they run and are reported as before.'
      }
      initialFocus={first}
      footer={
        <>
          <Button size="form" onClick={() => onClose(false)}>
            Cancel
          </Button>
          <Button size="form" variant="primary" type="submit" form={formId} isBusy={isBusy} disabled={isTooMany}>
            {entry === null ? 'Quarantine' : 'Save'}
          </Button>
        </>
      }
    >
      <form id={formId} className={styles.form} style={{ maxWidth: 'none' }} noValidate onSubmit={(e) => void save(e)}>
        {isTooMany && <Banner tone="error">{`Select up to ${MAX_TESTS} tests at a time.`}</Banner>}
        {failure !== null && !isInField && <Banner tone="error">{failure.message}</Banner>}
        <TextArea
          label="Reason"
          inputRef={first}
          value={reason}
          limit={MAX_REASON}
          error={isChecked ? errors.reason : null}
          onChange={({ target }) => setReason(target.value)}
        />
        <Select
          label="Owner"
          hint="Gets an email 3 days before the end, and at the end."
          value={owner}
          options={listOwners(people, me, entry)}
          error={getFieldError('owner_id')}
          onChange={setOwnerId}
        />
        <TextField
          label="Ends on"
          type="date"
          min={toLocalDay(limits.first)}
          max={toLocalDay(limits.last)}
          value={day}
          hint={
            entry === null
              ? 'Up to 30 days ahead. It can be extended, to 90 days in all.'
              : `Up to ${toLocalDay(limits.last)}: at most 30 days ahead, and 90 days in all.`
          }
          error={isChecked ? errors.end : null}
          onChange={({ target }) => setDay(target.value)}
        />
        <TextField
          label="Branches (optional)"
          value={branches}
          placeholder="main, release/*"
          hint="All branches if empty. * stands for anything."
          error={isChecked ? errors.branches : null}
          onChange={({ target }) => setBranches(target.value)}
        />
        <TextField
          label="Link to an issue (optional)"
          inputMode="url"
          value={link}
          error={getFieldError('link')}
          onChange={({ target }) => setLink(target.value)}
        />
      </form>
    </Dialog>
  )
}

function getTitle(count: number, isChange: boolean): string {
  if (isChange) return 'Change the quarantine'
  return count === 1 ? 'Quarantine the test' : `Quarantine ${formatNumberOf(count, 'test')}`
}

/** The members of the project, and who owns the entry now. */
function listOwners(
  people: readonly Person[] | undefined,
  me: { id: string; name: string } | undefined,
  entry: ChangedQuarantine | null,
) {
  const members = people?.filter((person) => person.is_member || person.id === entry?.owner_id) ?? []
  const known = members.length > 0 ? members : me === undefined ? [] : [me]
  return [
    ...(entry !== null && entry.owner_id === null ? [{ value: '', label: 'Nobody' }] : []),
    ...known.map(({ id, name }) => ({ value: id, label: id === me?.id ? `${name} (you)` : name })),
  ]
}
