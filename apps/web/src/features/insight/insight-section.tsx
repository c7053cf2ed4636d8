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
import { trackerPresets } from '../issues/tracker-presets.ts'
import { updateInsightSettings } from './insight-endpoints.ts'
import { insightSettingsQuery } from './insight-queries.ts'

/** What failures are compared with, whether flaky tests are quarantined automatically, and where issues are created. */
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
  readonly template?: string
}

function InsightForm({ projectId, saved }: { projectId: string; saved: InsightSettings }) {
  const people = useQuery(queries.people(projectId)).data ?? []
  const [changes, setChanges] = useState<Changes>({})
  const update = useUpdateInsightSettings(projectId)
  const branch = changes.branch ?? saved.default_branch ?? ''
  const isAutomatic = changes.isAutomatic ?? saved.auto_quarantine.enabled
  const ownerId = changes.ownerId ?? saved.auto_quarantine.owner_id ?? ''
  const template = changes.template ?? saved.issue_template ?? ''
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
        issue_template: template.trim() === '' ? null : template.trim(),
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
      <TextField
        label="Address for new issues"
        value={template}
        maxLength={2000}
        inputMode="url"
        placeholder="https://tracker.example.com/new?summary={title}&description={body}"
        hint="The page of your tracker that creates an issue. {title}, {body}, {labels} and {url} are filled in. Empty: people copy the text."
        error={failure?.fields.get('issue_template')}
        onChange={({ target }) => edit({ template: target.value })}
      />
      <Select
        label="Address of a tracker to start from"
        value={trackerPresets.find((preset) => preset.template === template)?.name ?? ''}
        options={[
          { value: '', label: 'Another one' },
          ...trackerPresets.map(({ name }) => ({ value: name, label: name })),
        ]}
        hint="Replace what is in capital letters."
        onChange={(name) => {
          const chosen = trackerPresets.find((preset) => preset.name === name)
          if (chosen !== undefined) edit({ template: chosen.template })
        }}
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
    mutationFn: (body: Omit<InsightSettings, 'effective_default_branch'>) =>
      request(api, updateInsightSettings, { params: { project_id }, body }),
    onSuccess: ({ data }) => queryClient.setQueryData(insightSettingsQuery(project_id).queryKey, data.data),
  })
}
