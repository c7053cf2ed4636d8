import { type InstanceSettings, type Quota, QUOTAS } from '@caseward/client/endpoints'
import { type SubmitEvent, useState } from 'react'

import { Button } from '../../ui/button.tsx'
import { TextField } from '../../ui/field.tsx'
import { SaveMessage } from '../../ui/save-message.tsx'
import styles from './administration.module.css'
import { formatQuota, parseQuota } from './quota-text.ts'
import { useUpdateSettings } from './use-update-settings.ts'

const labels: Readonly<Record<Quota, string>> = {
  max_projects_per_user: 'Projects per user',
  max_members_per_project: 'Members per project',
  max_test_cases_per_project: 'Test cases per project',
  max_runs_per_project: 'Runs per project',
  max_file_bytes_per_project: 'Bytes of files per project',
}

const NOT_A_NUMBER = 'Enter a whole number from 1, or nothing for no limit.'

/** The quotas of the instance. An empty field is no limit. */
export function QuotasForm({ stored }: { stored: Pick<InstanceSettings, Quota> }) {
  const update = useUpdateSettings()
  const [texts, setTexts] = useState(
    () => Object.fromEntries(QUOTAS.map((quota) => [quota, formatQuota(stored[quota])])) as Record<Quota, string>,
  )
  const isInvalid = QUOTAS.some((quota) => parseQuota(texts[quota], quota) === undefined)

  function submit(event: SubmitEvent): void {
    event.preventDefault()
    if (!isInvalid) update.mutate(Object.fromEntries(QUOTAS.map((quota) => [quota, parseQuota(texts[quota], quota)])))
  }

  return (
    <form className={styles.quotas} onSubmit={submit} aria-labelledby="quotas-heading" noValidate>
      <h2 id="quotas-heading" className={styles.settingName}>
        Limits
      </h2>
      {QUOTAS.map((quota) => (
        <TextField
          key={quota}
          label={labels[quota]}
          inputMode="numeric"
          placeholder="No limit"
          value={texts[quota]}
          error={parseQuota(texts[quota], quota) === undefined ? NOT_A_NUMBER : null}
          onChange={({ target: { value } }) => setTexts((before) => ({ ...before, [quota]: value }))}
        />
      ))}
      <p className={styles.hint}>A lower limit deletes nothing: it only refuses more.</p>
      <Button type="submit" disabled={isInvalid} isBusy={update.isPending}>
        Save limits
      </Button>
      <SaveMessage mutation={update} success="Saved" />
    </form>
  )
}
