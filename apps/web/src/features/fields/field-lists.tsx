import type { Field } from '@caseward/client/endpoints'
import { type QueryKey, useMutation, useQueryClient } from '@tanstack/react-query'
import { useEffect, useRef, useState } from 'react'

import { Button } from '../../ui/button.tsx'
import { ConfirmDialog } from '../../ui/confirm-dialog.tsx'
import { EmptyState } from '../../ui/empty-state.tsx'
import styles from '../../ui/form-page.module.css'
import { SaveMessage } from '../../ui/save-message.tsx'
import { VisuallyHidden } from '../../ui/visually-hidden.tsx'
import listStyles from '../test-cases/steps-editor.module.css'
import { describeField, FieldItem } from './field-item.tsx'
import type { FieldActions } from './use-field-actions.ts'

const countUsable = ({ options }: Field) => (options ?? []).filter(({ is_retired: isRetired }) => !isRetired).length

interface FieldListsProps {
  /** Of the list, which shows a new order at once. */
  queryKey: QueryKey
  actions: FieldActions
  fields: readonly Field[]
  /** What is said where there is none. */
  empty: string
  /** Whether those of the instance are switched off rather than retired, and cannot be deleted. */
  isOfProject: boolean
  /** Ids of the fields of the instance that a project has or could have; missing where that is not known, or no question. */
  offeredIds?: ReadonlySet<string> | undefined
  onEdit: (field: Field) => void
  /** Missing where options cannot be merged. */
  onMerge: ((field: Field) => void) | undefined
}

/** The fields in use, in their order, and those that are retired. */
export function FieldLists(props: FieldListsProps) {
  const { queryKey, actions, fields, empty, isOfProject, offeredIds, onEdit, onMerge } = props
  const queryClient = useQueryClient()
  const [asked, setAsked] = useState<Field | null>(null)
  const [moved, setMoved] = useState('')
  const list = useRef<HTMLOListElement>(null)
  const movedId = useRef<string | null>(null)
  const active = fields.filter(({ retired_at: at }) => at === null)
  const isOfOthers = ({ scope }: Field) => isOfProject && scope === 'instance'
  // Those of the instance are offered below, as long as they are in use there.
  const retired = fields.filter(
    (field) => field.retired_at !== null && (!isOfOthers(field) || offeredIds?.has(field.id) === false),
  )
  const retire = useMutation({ mutationFn: actions.retire })
  const restore = useMutation({ mutationFn: actions.restore })
  const remove = useMutation({ mutationFn: actions.remove, onSettled: () => setAsked(null) })
  const move = useMutation({
    mutationFn: ({ field, to }: { field: Field; to: number }) => actions.move(field, to + 1),
  })
  function moveTo(from: number, to: number): void {
    const field = active[from]
    if (field === undefined || to < 0 || to >= active.length || from === to) return
    // Shown at once; the server's list follows.
    const order = active.toSpliced(from, 1).toSpliced(to, 0, field)
    const others = fields.filter(({ retired_at: at }) => at !== null)
    queryClient.setQueryData(queryKey, [...order, ...others])
    setMoved(`${field.name} is in place ${to + 1} of ${active.length}`)
    move.mutate({ field, to })
    movedId.current = field.id
  }
  const mayMerge = (field: Field) => onMerge !== undefined && countUsable(field) >= 2 && !isOfOthers(field)
  useEffect(() => {
    // The row is in its new place, and has lost the focus on the way.
    const index = fields.findIndex(({ id }) => id === movedId.current)
    movedId.current = null
    if (index !== -1) list.current?.children[index]?.querySelector('button')?.focus()
  }, [fields])
  if (active.length + retired.length === 0) {
    return (
      <EmptyState drawing="cases" title="No fields yet" help="custom-fields">
        {empty}
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
              removal={isOfOthers(field) ? 'Switch off' : 'Retire'}
              onMerge={mayMerge(field) ? () => onMerge?.(field) : undefined}
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
          <p className={styles.muted}>
            What has a value keeps it and shows it. Everything else no longer has these fields.
          </p>
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
                {isOfOthers(field) ? (
                  <p className={styles.muted}>Retired by the administrators of this instance</p>
                ) : (
                  <div className={styles.buttons} style={{ gap: 8, justifyContent: 'end' }}>
                    <Button onClick={() => restore.mutate(field)} aria-label={`Restore ${field.name}`}>
                      Restore
                    </Button>
                    <Button variant="danger" onClick={() => setAsked(field)} aria-label={`Delete ${field.name}`}>
                      Delete
                    </Button>
                  </div>
                )}
              </li>
            ))}
          </ul>
        </section>
      )}
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
          Its values are removed from everything that has some. This cannot be undone.
        </ConfirmDialog>
      )}
    </>
  )
}
