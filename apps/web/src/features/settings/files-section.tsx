import type { ProjectStorage, RunSettings } from '@caseward/client/endpoints'
import { useQuery } from '@tanstack/react-query'
import { type SubmitEvent, useState } from 'react'

import { describeFailure } from '../../problems.ts'
import { Button } from '../../ui/button.tsx'
import { TextField } from '../../ui/field.tsx'
import { formatNumberOf, formatWholeNumber } from '../../ui/format-count.ts'
import styles from '../../ui/form-page.module.css'
import { LoadedPart } from '../../ui/loaded-part.tsx'
import { SaveMessage } from '../../ui/save-message.tsx'
import { formatBytes, kindNames } from '../files/file-words.ts'
import { projectStorageQuery } from './project-storage.ts'
import { runSettingsQuery, useUpdateRunSettings } from './use-run-settings.ts'

/** What the files of the project take, and how long those of runs are kept. */
export function FilesSection({ projectId }: { projectId: string }) {
  const storage = useQuery(projectStorageQuery(projectId))
  const settings = useQuery(runSettingsQuery(projectId))
  return (
    <section className={styles.form} aria-label="Files">
      <h2>Files</h2>
      <LoadedPart query={storage} noun="project">
        {(loaded) => (
          <>
            <Usage storage={loaded} />
            <LoadedPart query={settings} noun="project">
              {(saved) => <RetentionForm projectId={projectId} saved={saved} maxDays={loaded.max_run_files_days} />}
            </LoadedPart>
          </>
        )}
      </LoadedPart>
    </section>
  )
}

function Usage({ storage: { byte_count, file_count, kinds, max_file_bytes } }: { storage: ProjectStorage }) {
  if (file_count === 0) return <p className={styles.muted}>No files yet.</p>
  const limit = max_file_bytes === null ? '' : ` of ${formatBytes(max_file_bytes)}`
  return (
    <dl className={styles.facts}>
      <dt>
        {formatNumberOf(file_count, 'file')} take {formatBytes(byte_count)}
        {limit}
      </dt>
      {kinds.map(({ kind, byte_count: bytes, file_count: files }) => (
        <dd key={kind} className={styles.muted}>
          {kindNames[kind]}: {formatNumberOf(files, 'file')}, {formatBytes(bytes)}
        </dd>
      ))}
    </dl>
  )
}

/** Ten years. */
const MAX_DAYS = 3650

function RetentionForm({
  projectId,
  saved,
  maxDays,
}: {
  projectId: string
  saved: RunSettings
  maxDays: number | null
}) {
  const [typed, setTyped] = useState<string | null>(null)
  const update = useUpdateRunSettings(projectId)
  const text = typed ?? String(saved.keep_run_files_days ?? '')
  const most = maxDays ?? MAX_DAYS
  const days = parseDays(text, most)
  const submit = (event: SubmitEvent) => {
    event.preventDefault()
    if (days === undefined) return
    update.mutate({ keep_run_files_days: days }, { onSuccess: () => setTyped(null) })
  }
  const error =
    days === undefined
      ? `Enter whole days from 1 to ${formatWholeNumber(most)}, or nothing.`
      : update.error === null
        ? undefined
        : describeFailure(update.error).fields.get('keep_run_files_days')
  return (
    <form className={styles.form} onSubmit={submit}>
      <TextField
        label="Remove files of completed runs after days"
        inputMode="numeric"
        hint={describeDefault(maxDays)}
        value={text}
        error={error}
        onChange={({ target }) => {
          update.reset()
          setTyped(target.value)
        }}
      />
      <div className={styles.buttons}>
        <Button type="submit" size="form" isBusy={update.isPending}>
          Save files
        </Button>
        <SaveMessage mutation={update} success="Saved" />
      </div>
    </form>
  )
}

const describeDefault = (maxDays: number | null) =>
  `Attachments stay and say that their file was removed. Files of test cases are kept. Empty: ${
    maxDays === null
      ? 'as long as the run.'
      : `${formatNumberOf(maxDays, 'day')}, the longest that this server keeps them.`
  }`

/** @returns null for no days of its own, and undefined if it is no number of days */
function parseDays(text: string, most: number): number | null | undefined {
  const trimmed = text.trim()
  if (trimmed === '') return null
  const days = /^\d{1,4}$/.test(trimmed) ? Number(trimmed) : 0
  return days >= 1 && days <= most ? days : undefined
}
