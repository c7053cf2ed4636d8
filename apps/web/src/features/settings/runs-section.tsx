import type { RunSettings } from '@caseward/client/endpoints'
import { useQuery } from '@tanstack/react-query'
import { type SubmitEvent, useState } from 'react'

import { describeFailure } from '../../problems.ts'
import { Button } from '../../ui/button.tsx'
import { TextField } from '../../ui/field.tsx'
import styles from '../../ui/form-page.module.css'
import { LoadedPart } from '../../ui/loaded-part.tsx'
import { SaveMessage } from '../../ui/save-message.tsx'
import { Select, type SelectOption } from '../../ui/select.tsx'
import { runSettingsQuery, useUpdateRunSettings } from './use-run-settings.ts'

/** When runs of CI complete by themselves, and how their reports are read. */
export function RunsSection({ projectId }: { projectId: string }) {
  const settings = useQuery(runSettingsQuery(projectId))
  return (
    <LoadedPart query={settings} noun="project">
      {(saved) => <RunsForm projectId={projectId} saved={saved} />}
    </LoadedPart>
  )
}

/** A week. */
const MAX_MINUTES = 10_080
const HINT =
  'A run of CI completes once its jobs are done and no report has come for so long. 0: at once. Empty: never, a user completes it. A report that comes later reopens it.'

type EqualNames = RunSettings['equal_names']

const EQUAL_NAMES_OPTIONS: readonly SelectOption<EqualNames>[] = [
  { value: 'tests', label: 'Several tests' },
  { value: 'attempts', label: 'Attempts at one test' },
]
const EQUAL_NAMES_HINT =
  'Several tests, unless the report says that one is a retry. Attempts: for tools that write retries without a mark, where a pass after a failure counts as flaky.'

function RunsForm({ projectId, saved }: { projectId: string; saved: RunSettings }) {
  const [typed, setTyped] = useState<string | null>(null)
  const update = useUpdateRunSettings(projectId)
  const text = typed ?? (saved.complete_after_minutes === null ? '' : String(saved.complete_after_minutes))
  const minutes = parseMinutes(text)
  const [chosen, setChosen] = useState<EqualNames | null>(null)
  const equalNames = chosen ?? saved.equal_names
  const failure = update.error === null ? null : describeFailure(update.error)
  const submit = (event: SubmitEvent) => {
    event.preventDefault()
    if (minutes === undefined) return
    update.mutate(
      { complete_after_minutes: minutes, equal_names: equalNames },
      {
        onSuccess: () => {
          setTyped(null)
          setChosen(null)
        },
      },
    )
  }
  return (
    <form className={styles.form} onSubmit={submit}>
      <h2>Runs of CI</h2>
      <TextField
        label="Complete after minutes without a report"
        inputMode="numeric"
        hint={HINT}
        value={text}
        error={
          minutes === undefined
            ? 'Enter whole minutes from 0 to 10,080, which is a week, or nothing.'
            : failure?.fields.get('complete_after_minutes')
        }
        onChange={({ target }) => {
          update.reset()
          setTyped(target.value)
        }}
      />
      <Select<EqualNames>
        label="Equal names in one suite of a report"
        hint={EQUAL_NAMES_HINT}
        value={equalNames}
        options={EQUAL_NAMES_OPTIONS}
        error={failure?.fields.get('equal_names')}
        onChange={(value) => {
          update.reset()
          setChosen(value)
        }}
      />
      <div className={styles.buttons}>
        <Button type="submit" size="form" isBusy={update.isPending}>
          Save runs of CI
        </Button>
        <SaveMessage mutation={update} success="Settings of runs saved" />
      </div>
    </form>
  )
}

/** @returns null for never, and undefined if it is no number of minutes */
function parseMinutes(text: string): number | null | undefined {
  const trimmed = text.trim()
  if (trimmed === '') return null
  return /^\d{1,5}$/.test(trimmed) && Number(trimmed) <= MAX_MINUTES ? Number(trimmed) : undefined
}
