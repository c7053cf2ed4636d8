import { changeResult, type ResultDetail } from '@caseward/client/endpoints'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useRef, useState } from 'react'

import { api } from '../../api.ts'
import { refreshQueries } from '../../live/refresh-queries.ts'
import { describeFailure } from '../../problems.ts'
import { queryKeys } from '../../query-keys.ts'
import { request } from '../../request-failed.ts'
import { Banner } from '../../ui/banner.tsx'
import editorStyles from '../test-cases/case-editor.module.css'
import { FieldControl } from './field-control.tsx'
import { FieldFacts } from './field-facts.tsx'
import { type SentValue, toSent } from './field-values.ts'
import type { FieldValue } from './field-words.ts'
import { useFields } from './use-fields.ts'

interface ResultFieldsProps {
  projectId: string
  runId: string
  result: Pick<ResultDetail, 'id' | 'status' | 'fields'>
  mayEdit: boolean
}

/** The custom fields of a result, each saved when its value is complete. Nothing asks for them. */
export function ResultFields({ projectId, runId, result, mayEdit }: ResultFieldsProps) {
  const { all, active } = useFields(projectId, 'result')
  const queryClient = useQueryClient()
  const [typed, setTyped] = useState<Readonly<Record<string, SentValue>>>({})
  // What a control passes on and completes at once is not rendered yet.
  const latest = useRef(typed)
  const type = (changes: Readonly<Record<string, SentValue>>) => {
    latest.current = changes
    setTyped(changes)
  }
  const save = useMutation({
    mutationFn: async (fields: Readonly<Record<string, SentValue>>) => {
      const params = { run_id: runId, result_id: result.id }
      return (await request(api, changeResult, { params, body: { fields } })).data.data
    },
    onSuccess(stored, sent) {
      queryClient.setQueryData<ResultDetail>(queryKeys.result(runId, result.id), (earlier) => {
        if (earlier === undefined) return earlier
        const { fields: _fields, ...others } = earlier
        return stored.fields === undefined ? others : { ...others, fields: stored.fields }
      })
      refreshQueries(queryClient, queryKeys.result(runId, result.id))
      const { current } = latest
      type(Object.fromEntries(Object.entries(current).filter(([key, value]) => sent[key] !== value)))
    },
  })
  if (all.length === 0) return null
  const values: Readonly<Record<string, FieldValue>> = { ...result.fields, ...typed }
  const saveTyped = () => {
    const changed = Object.entries(latest.current).filter(([key, value]) => value !== (result.fields?.[key] ?? null))
    if (changed.length > 0) save.mutate(Object.fromEntries(changed))
  }
  const failure = save.error === null ? null : describeFailure(save.error, { noun: 'result' })
  const edited = mayEdit ? active : []
  return (
    <section aria-label="Fields of the result" style={{ display: 'grid', gap: 12 }}>
      {failure !== null && failure.fields.size === 0 && <Banner tone="error">{failure.message}</Banner>}
      {edited.length > 0 && (
        <div className={editorStyles.fields} style={columns} role="group" aria-label="Fields">
          {edited.map((field) => {
            const isNeeded = field.required_on.includes(result.status) && (values[field.key] ?? null) === null
            return (
              <FieldControl
                key={field.key}
                projectId={projectId}
                field={field}
                value={values[field.key]}
                label={isNeeded ? `${field.name} (needed)` : field.name}
                hint={field.description}
                error={failure?.fields.get(`fields/${field.key}`)}
                onChange={(value) => type({ ...latest.current, [field.key]: toSent(value) })}
                onDone={saveTyped}
              />
            )
          })}
        </div>
      )}
      <FieldFacts projectId={projectId} fields={all.filter((field) => !edited.includes(field))} values={values} />
    </section>
  )
}

const columns = {
  gridTemplateColumns: 'repeat(auto-fill, minmax(max(200px, calc(50% - 6px)), 1fr))',
  alignItems: 'start',
}
