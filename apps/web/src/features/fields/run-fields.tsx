import { type Run, updateRun } from '@caseward/client/endpoints'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'

import { api } from '../../api.ts'
import { refreshQueries } from '../../live/refresh-queries.ts'
import { describeFailure } from '../../problems.ts'
import { queryKeys } from '../../query-keys.ts'
import { request } from '../../request-failed.ts'
import { Banner } from '../../ui/banner.tsx'
import { FormDialog } from '../../ui/form-dialog.tsx'
import formStyles from '../../ui/form-page.module.css'
import styles from '../runs/new-run.module.css'
import type { NewRun } from '../runs/use-new-run.ts'
import { FieldControl } from './field-control.tsx'
import { FieldFacts } from './field-facts.tsx'
import { type SentValue, toSent } from './field-values.ts'
import { useFields } from './use-fields.ts'

interface NewRunCustomFieldsProps {
  newRun: NewRun
  projectId: string
  /** What the server refused, by field. */
  errors: ReadonlyMap<string, string> | undefined
}

/** The custom fields of a new run, which begin with their defaults. */
export function NewRunCustomFields({ newRun: { choice, change }, projectId, errors }: NewRunCustomFieldsProps) {
  const { active } = useFields(projectId, 'run')
  if (active.length === 0) return null
  return (
    <section className={styles.fields} aria-label="Fields of the run">
      {active.map((field) => (
        <FieldControl
          key={field.key}
          projectId={projectId}
          field={field}
          value={choice.fields[field.key] ?? field.default}
          label={field.is_required ? `${field.name} (required)` : field.name}
          hint={field.description}
          error={errors?.get(`fields/${field.key}`)}
          onChange={(value) => change({ fields: { ...choice.fields, [field.key]: toSent(value) } })}
        />
      ))}
    </section>
  )
}

/** What the custom fields of a run say, also retired ones. */
export function RunFieldFacts({ run }: { run: Run }) {
  const { all } = useFields(run.project_id, 'run')
  return <FieldFacts projectId={run.project_id} fields={all} values={run.fields ?? {}} />
}

/** Changes the custom fields of a run. */
export function RunFieldsDialog({ run, onClose }: { run: Run; onClose: () => void }) {
  const { active, isLoading } = useFields(run.project_id, 'run')
  const [typed, setTyped] = useState<Readonly<Record<string, SentValue>>>({})
  const queryClient = useQueryClient()
  const save = useMutation({
    mutationFn: async () => await request(api, updateRun, { params: { run_id: run.id }, body: { fields: typed } }),
    onSuccess() {
      refreshQueries(queryClient, queryKeys.run(run.id))
      refreshQueries(queryClient, queryKeys.allRuns(run.project_id))
      onClose()
    },
  })
  const failure = save.error === null ? null : describeFailure(save.error, { noun: 'run' })
  return (
    <FormDialog
      onClose={onClose}
      title={`Fields of “${run.name}”`}
      submitLabel="Save"
      isBusy={save.isPending}
      className={formStyles.settings}
      onSubmit={() => {
        if (Object.keys(typed).length === 0) onClose()
        else save.mutate()
      }}
    >
      {failure !== null && failure.fields.size === 0 && <Banner tone="error">{failure.message}</Banner>}
      {active.length === 0 && !isLoading && (
        <p className={formStyles.muted}>This project has no fields of runs. Its admins add them in the settings.</p>
      )}
      {active.map((field) => (
        <FieldControl
          key={field.key}
          projectId={run.project_id}
          field={field}
          value={field.key in typed ? typed[field.key] : run.fields?.[field.key]}
          hint={field.description}
          error={failure?.fields.get(`fields/${field.key}`)}
          onChange={(value) => setTyped({ ...typed, [field.key]: toSent(value) })}
        />
      ))}
    </FormDialog>
  )
}
