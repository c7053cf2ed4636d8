import type { ReportSubscription } from '@caseward/client/endpoints'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { type SubmitEvent, useState } from 'react'

import { api } from '../../api.ts'
import { getTimeZone } from '../../charts/days.ts'
import { describeFailure } from '../../problems.ts'
import { request } from '../../request-failed.ts'
import { Button } from '../../ui/button.tsx'
import styles from '../../ui/form-page.module.css'
import { SaveMessage } from '../../ui/save-message.tsx'
import { Segmented } from '../../ui/segmented.tsx'
import { Select } from '../../ui/select.tsx'
import { showToast } from '../../ui/toast.ts'
import { setReportSubscription } from './report-endpoints.ts'
import { subscriptionQuery } from './report-queries.ts'
import { HOURS, WEEKDAYS } from './report-words.ts'

interface SubscriptionFormProps {
  projectId: string
  saved: ReportSubscription | null
  onClose: () => void
}

const EVERY = [
  { value: 'week', label: 'Every week' },
  { value: 'day', label: 'Every day' },
] as const
const FIRST_WEEKDAY = 1
const FIRST_HOUR = 8

/** When the report comes: how often, on which day, from which hour on, and in which time zone. */
export function SubscriptionForm({ projectId, saved, onClose }: SubscriptionFormProps) {
  const [every, setEvery] = useState(saved?.every ?? 'week')
  const [weekday, setWeekday] = useState(saved?.weekday ?? FIRST_WEEKDAY)
  const [hour, setHour] = useState(saved?.hour ?? FIRST_HOUR)
  const [zone, setZone] = useState(saved?.time_zone ?? getTimeZone())
  const [zones] = useState(() => [...new Set([zone, 'UTC', ...Intl.supportedValuesOf('timeZone')])].toSorted())
  const save = useSaveSubscription(projectId)
  const failure = save.error === null ? null : describeFailure(save.error)
  const submit = (event: SubmitEvent) => {
    event.preventDefault()
    save.mutate(
      { every, weekday: every === 'week' ? weekday : null, hour, time_zone: zone },
      {
        onSuccess: () => {
          showToast({ message: saved === null ? 'Subscribed to the report' : 'Subscription changed' })
          onClose()
        },
      },
    )
  }
  return (
    <form className={styles.form} onSubmit={submit}>
      <Segmented label="How often" value={every} options={EVERY} onChange={setEvery} />
      {every === 'week' && (
        <Select
          label="Day"
          value={String(weekday)}
          options={WEEKDAYS.map((label, index) => ({ value: String(index + 1), label }))}
          error={failure?.fields.get('weekday')}
          onChange={(value) => setWeekday(Number(value))}
        />
      )}
      <Select
        label="From"
        value={String(hour)}
        options={HOURS.map((label, index) => ({ value: String(index), label }))}
        error={failure?.fields.get('hour')}
        onChange={(value) => setHour(Number(value))}
      />
      <Select
        label="Time zone"
        value={zone}
        options={zones.map((value) => ({ value, label: value.replaceAll('_', ' ') }))}
        error={failure?.fields.get('time_zone')}
        onChange={setZone}
      />
      <div className={styles.buttons}>
        <Button type="submit" size="form" variant="primary" isBusy={save.isPending}>
          {saved === null ? 'Subscribe' : 'Save'}
        </Button>
        <Button size="form" onClick={onClose}>
          Cancel
        </Button>
        <SaveMessage mutation={save} success="" />
      </div>
    </form>
  )
}

function useSaveSubscription(project_id: string) {
  const queryClient = useQueryClient()
  const { queryKey } = subscriptionQuery(project_id)
  return useMutation({
    mutationFn: (body: ReportSubscription) => request(api, setReportSubscription, { params: { project_id }, body }),
    onSuccess: ({ data }) => queryClient.setQueryData(queryKey, (known) => known && { ...known, data: data.data }),
  })
}
