import type { InsightSettings } from '@caseward/client/endpoints'
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { type SubmitEvent, useState } from 'react'

import { api, queries } from '../../api.ts'
import { describeFailure } from '../../problems.ts'
import { request } from '../../request-failed.ts'
import { Button } from '../../ui/button.tsx'
import { Checkbox } from '../../ui/checkbox.tsx'
import { TextField } from '../../ui/field.tsx'
import styles from '../../ui/form-page.module.css'
import { LoadedPart } from '../../ui/loaded-part.tsx'
import { SaveMessage } from '../../ui/save-message.tsx'
import { Select } from '../../ui/select.tsx'
import { updateInsightSettings } from './insight-endpoints.ts'
import { insightSettingsQuery } from './insight-queries.ts'

/** What failures are compared with, and whether flaky tests are quarantined automatically. */
export function InsightSection({ projectId }: { projectId: string }) {
  const settings = useQuery(insightSettingsQuery(projectId))
  return (
    <LoadedPart query={settings} noun="settings of insight">
      {(saved) => <InsightForm projectId={projectId} saved={saved} />}
    </LoadedPart>
  )
}

interface Changes {
  readonly branch?: string
  readonly isAutomatic?: boolean
  readonly ownerId?: string
}

function InsightForm({ projectId, saved }: { projectId: string; saved: InsightSettings }) {
  const people = useQuery(queries.people(projectId)).data ?? []
  const [changes, setChanges] = useState<Changes>({})
  const update = useUpdateInsightSettings(projectId)
  const branch = changes.branch ?? saved.default_branch ?? ''
  const isAutomatic = changes.isAutomatic ?? saved.auto_quarantine.enabled
  const ownerId = changes.ownerId ?? saved.auto_quarantine.owner_id ?? ''
  const failure = update.error === null ? null : describeFailure(update.error)
  const edit = (change: Changes) => {
    update.reset()
    setChanges({ ...changes, ...change })
  }
  const submit = (event: SubmitEvent) => {
    event.preventDefault()
    update.mutate(
      {
        default_branch: branch.trim() === '' ? null : branch.trim(),
        auto_quarantine: { enabled: isAutomatic, owner_id: ownerId === '' ? null : ownerId },
      },
      { onSuccess: () => setChanges({}) },
    )
  }
  const known = saved.effective_default_branch
  return (
    <form className={styles.form} onSubmit={submit}>
      <h2>Insight</h2>
      <TextField
        label="Default branch"
        value={branch}
        maxLength={255}
        placeholder={saved.default_branch === null ? (known ?? 'unknown') : ''}
        hint="Failures are compared with its runs. Empty: what CI reports, else main or master."
        error={failure?.fields.get('default_branch')}
        onChange={({ target }) => edit({ branch: target.value })}
      />
      <Checkbox
        label="Quarantine tests that become flaky"
        hint="For 14 days each, at most one in a hundred tests, or five. Broken tests are left out."
        checked={isAutomatic}
        onChange={(checked) => edit({ isAutomatic: checked })}
      />
      <Select
        label="Owner of these entries"
        value={ownerId}
        options={[
          { value: '', label: 'Nobody' },
          ...people
            .filter((person) => person.is_member || person.id === ownerId)
            .map(({ id, name }) => ({ value: id, label: name })),
        ]}
        error={failure?.fields.get('auto_quarantine/owner_id')}
        onChange={(value) => edit({ ownerId: value })}
      />
      <div className={styles.buttons}>
        <Button type="submit" size="form" isBusy={update.isPending}>
          Save insight
        </Button>
        <SaveMessage mutation={update} success="Settings of insight saved" />
      </div>
    </form>
  )
}

function useUpdateInsightSettings(project_id: string) {
  const queryClient = useQueryClient()
  return useMutation({
    mutationFn: (body: Pick<InsightSettings, 'default_branch' | 'auto_quarantine'>) =>
      request(api, updateInsightSettings, { params: { project_id }, body }),
    onSuccess: ({ data }) => queryClient.setQueryData(insightSettingsQuery(project_id).queryKey, data.data),
  })
}
