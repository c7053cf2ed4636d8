import { updateProject } from '@caseward/client/endpoints'
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { type SubmitEvent, useState } from 'react'

import { api, queries } from '../../api.ts'
import { describeFailure } from '../../problems.ts'
import { queryKeys } from '../../query-keys.ts'
import { request } from '../../request-failed.ts'
import { Button } from '../../ui/button.tsx'
import { TextField } from '../../ui/field.tsx'
import styles from '../../ui/form-page.module.css'
import { LoadedPart } from '../../ui/loaded-part.tsx'
import { SaveMessage } from '../../ui/save-message.tsx'
import { TextArea } from '../../ui/text-area.tsx'

/** The name and description of a project. */
export function GeneralSection({ projectId }: { projectId: string }) {
  const project = useQuery(queries.project(projectId))
  return (
    <LoadedPart query={project} noun="project">
      {({ name, description, prefix }) => (
        <GeneralForm projectId={projectId} saved={{ name, description }} prefix={prefix} />
      )}
    </LoadedPart>
  )
}

interface Fields {
  readonly name: string
  readonly description: string
}

function GeneralForm({ projectId, saved, prefix }: { projectId: string; saved: Fields; prefix: string }) {
  const [typed, setTyped] = useState<Partial<Fields>>({})
  const update = useUpdateProject(projectId)
  const fields = { ...saved, ...typed }
  const failure = update.error === null ? null : describeFailure(update.error)
  const edit = (part: Partial<Fields>) => {
    update.reset()
    setTyped({ ...typed, ...part })
  }
  const submit = (event: SubmitEvent) => {
    event.preventDefault()
    const name = fields.name.trim()
    if (name !== '') update.mutate({ ...typed, name }, { onSuccess: () => setTyped({}) })
  }
  return (
    <form className={styles.form} onSubmit={submit}>
      <TextField
        label="Name"
        value={fields.name}
        maxLength={255}
        error={fields.name.trim() === '' ? 'Enter a name.' : failure?.fields.get('name')}
        onChange={(event) => edit({ name: event.target.value })}
      />
      <TextArea
        label="Description"
        value={fields.description}
        error={failure?.fields.get('description')}
        onChange={(event) => edit({ description: event.target.value })}
      />
      <dl className={styles.facts}>
        <dt>Prefix</dt>
        <dd>
          {prefix} <span className={styles.muted}>is part of all ids of test cases and cannot be changed.</span>
        </dd>
      </dl>
      <div className={styles.buttons}>
        <Button type="submit" size="form" variant="primary" isBusy={update.isPending}>
          Save
        </Button>
        <SaveMessage mutation={update} success="Saved" />
      </div>
    </form>
  )
}

function useUpdateProject(project_id: string) {
  const queryClient = useQueryClient()
  return useMutation({
    mutationFn: (body: Partial<Fields>) => request(api, updateProject, { params: { project_id }, body }),
    onSuccess: () =>
      Promise.all(
        [queryKeys.project(project_id), queryKeys.projects()].map((queryKey) =>
          queryClient.invalidateQueries({ queryKey }),
        ),
      ),
  })
}
