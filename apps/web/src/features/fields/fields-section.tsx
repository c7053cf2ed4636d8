import type { Field, MyProject } from '@caseward/client/endpoints'
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import Plus from 'lucide-react/icons/plus'
import { useEffect, useRef, useState } from 'react'

import { keys } from '../../keys.ts'
import { Button } from '../../ui/button.tsx'
import { ConfirmDialog } from '../../ui/confirm-dialog.tsx'
import { EmptyState } from '../../ui/empty-state.tsx'
import styles from '../../ui/form-page.module.css'
import { LoadedPart } from '../../ui/loaded-part.tsx'
import { SaveMessage } from '../../ui/save-message.tsx'
import { VisuallyHidden } from '../../ui/visually-hidden.tsx'
import { useKeys } from '../../use-keys.ts'
import listStyles from '../test-cases/steps-editor.module.css'
import { FieldDialog } from './field-dialog.tsx'
import { describeField, FieldItem } from './field-item.tsx'
import { MergeDialog } from './merge-dialog.tsx'
import { useFieldActions } from './use-field-actions.ts'
import { fieldsOf } from './use-fields.ts'

/** The server allows so many in use. */
const MAX_ACTIVE = 30

/** The custom fields of a project: their order, and those that are retired. */
export function FieldsSection({ project }: { project: MyProject }) {
  const query = useQuery(fieldsOf(project.id))
  const actions = useFieldActions(project.id)
  const [edited, setEdited] = useState<Field | 'new' | null>(null)
  const fields = query.data ?? []
  const active = fields.filter(({ retired_at: at }) => at === null)
  const isFull = active.length >= MAX_ACTIVE
  const create = () => !isFull && setEdited('new')
  useKeys({ create })
  return (
    <>
      <div className={styles.bar}>
        <p className={styles.muted}>
          What your test cases need beyond priority, type, tags and owner: severity, risk, a component, a browser. Every
          test case has the fields in this order.
        </p>
        <Button variant="primary" icon={<Plus />} shortcut={keys.create.bindings[0]} disabled={isFull} onClick={create}>
          New field
        </Button>
      </div>
      {isFull && (
        <p className={styles.warning}>There are {MAX_ACTIVE} fields in use, the most. Retire one to add another.</p>
      )}
      <LoadedPart query={query} noun="fields">
        {() => <FieldLists project={project} fields={fields} onEdit={setEdited} />}
      </LoadedPart>
      {edited !== null && (
        <FieldDialog
          project={project}
          field={edited === 'new' ? null : edited}
          fields={fields}
          actions={actions}
          onClose={() => setEdited(null)}
        />
      )}
    </>
  )
}

const countUsable = ({ options }: Field) => (options ?? []).filter(({ is_retired: isRetired }) => !isRetired).length

interface FieldListsProps {
  project: MyProject
  fields: readonly Field[]
  onEdit: (field: Field) => void
}

function FieldLists({ project, fields, onEdit }: FieldListsProps) {
  const queryClient = useQueryClient()
  const actions = useFieldActions(project.id)
  const [asked, setAsked] = useState<Field | null>(null)
  const [merged, setMerged] = useState<Field | null>(null)
  const [moved, setMoved] = useState('')
  const list = useRef<HTMLOListElement>(null)
  const movedId = useRef<string | null>(null)
  const active = fields.filter(({ retired_at: at }) => at === null)
  const retired = fields.filter(({ retired_at: at }) => at !== null)
  const retire = useMutation({ mutationFn: actions.retire })
  const restore = useMutation({ mutationFn: actions.restore })
  const remove = useMutation({ mutationFn: actions.remove, onSettled: () => setAsked(null) })
  const move = useMutation({
    mutationFn: ({ field, to }: { field: Field; to: number }) => actions.update(field.id, { position: to + 1 }),
  })
  function moveTo(from: number, to: number): void {
    const field = active[from]
    if (field === undefined || to < 0 || to >= active.length || from === to) return
    // Shown at once; the server's list follows.
    const order = active.toSpliced(from, 1).toSpliced(to, 0, field)
    queryClient.setQueryData(fieldsOf(project.id).queryKey, [...order, ...retired])
    setMoved(`${field.name} is in place ${to + 1} of ${active.length}`)
    move.mutate({ field, to })
    movedId.current = field.id
  }
  useEffect(() => {
    // The row is in its new place, and has lost the focus on the way.
    const index = fields.findIndex(({ id }) => id === movedId.current)
    movedId.current = null
    if (index !== -1) list.current?.children[index]?.querySelector('button')?.focus()
  }, [fields])
  if (fields.length === 0) {
    return (
      <EmptyState drawing="cases" title="No fields yet" help="custom-fields">
        Add the first one: its values are set in test cases, shown in the list, and found by filters.
      </EmptyState>
    )
  }
  return (
    <>
      {active.length > 0 && (
        <ol ref={list} className={listStyles.list} style={{ background: 'var(--card)' }} aria-label="Fields">
          {active.map((field, index) => (
            <FieldItem
              key={field.id}
              field={field}
              index={index}
              count={active.length}
              onEdit={() => onEdit(field)}
              onMove={moveTo}
              onRetire={() => retire.mutate(field)}
              onMerge={countUsable(field) < 2 ? undefined : () => setMerged(field)}
            />
          ))}
        </ol>
      )}
      <VisuallyHidden>
        <span role="status">{moved}</span>
      </VisuallyHidden>
      {[move, retire, restore, remove].map((mutation, index) => (
        // oxlint-disable-next-line react/no-array-index-key -- always the same four
        <SaveMessage key={index} mutation={mutation} success="" />
      ))}
      {retired.length > 0 && (
        <section className={styles.part} aria-label="Retired fields">
          <h2>Retired fields</h2>
          <p className={styles.muted}>Test cases keep their values and show them. New ones do not have these fields.</p>
          <ul className={styles.list}>
            {retired.map((field) => (
              <li key={field.id} className={styles.item}>
                <div className={styles.text}>
                  <p className={styles.name} style={{ overflowWrap: 'anywhere' }}>
                    {field.name}
                  </p>
                  <p className={styles.muted} style={{ overflowWrap: 'anywhere' }}>
                    {describeField(field)}
                  </p>
                </div>
                <div className={styles.buttons} style={{ gap: 8, justifyContent: 'end' }}>
                  <Button onClick={() => restore.mutate(field.id)} aria-label={`Restore ${field.name}`}>
                    Restore
                  </Button>
                  <Button variant="danger" onClick={() => setAsked(field)} aria-label={`Delete ${field.name}`}>
                    Delete
                  </Button>
                </div>
              </li>
            ))}
          </ul>
        </section>
      )}
      {merged !== null && <MergeDialog field={merged} actions={actions} onClose={() => setMerged(null)} />}
      {asked !== null && (
        <ConfirmDialog
          isOpen
          onClose={() => setAsked(null)}
          title={`Delete the field “${asked.name}”?`}
          confirmLabel="Delete field"
          mustType={asked.name}
          isBusy={remove.isPending}
          onConfirm={() => remove.mutate(asked.id)}
        >
          Its values are removed from all test cases. This cannot be undone.
        </ConfirmDialog>
      )}
    </>
  )
}
