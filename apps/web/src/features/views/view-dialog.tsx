import type { View } from '@caseward/client/endpoints'
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { type SubmitEvent, useId, useState } from 'react'

import { queries } from '../../api.ts'
import { describeFailure } from '../../problems.ts'
import { Banner } from '../../ui/banner.tsx'
import { Button } from '../../ui/button.tsx'
import { Checkbox } from '../../ui/checkbox.tsx'
import { Dialog } from '../../ui/dialog.tsx'
import { TextField } from '../../ui/field.tsx'
import { useMay } from '../../use-may.ts'
import { addView, changeView, removeView, type ViewPage, viewsOf } from './view-queries.ts'
import styles from '../../ui/form-page.module.css'

interface ViewDialogProps {
  projectId: string
  page: ViewPage
  /** Null for a new one. */
  view: View | null
  /** What a new view keeps. */
  query: string
  /** The columns that are shown; null for pages whose views do not keep them. */
  columns: readonly string[] | null
  onSaved: (view: View) => void
  onDeleted: () => void
  onClose: () => void
}

/** Names, shares and deletes a view. */
export function ViewDialog({ projectId, page, view, query, columns, onSaved, onDeleted, onClose }: ViewDialogProps) {
  const queryClient = useQueryClient()
  const { data: me } = useQuery(queries.me())
  const mayShare = useMay(projectId)('test-cases:edit')
  const [name, setName] = useState(view?.name ?? '')
  const [isShared, setIsShared] = useState(view?.is_shared ?? false)
  const [keepsColumns, setKeepsColumns] = useState(view !== null && view.columns !== null)
  const [isChecked, setIsChecked] = useState(false)
  const formId = useId()
  // A view that has columns keeps its own until it is saved with those of the list.
  const kept = view?.columns ?? columns
  const withColumns = columns === null ? {} : { columns: keepsColumns && kept !== null ? [...kept] : null }
  const refresh = () => queryClient.invalidateQueries({ queryKey: viewsOf(projectId, page).queryKey })
  const save = useMutation({
    mutationFn: () =>
      view === null
        ? addView(projectId, { page, name, query, is_shared: isShared, ...withColumns })
        : changeView(projectId, view.id, { name, is_shared: isShared, ...withColumns }),
    onSuccess: async (saved) => {
      await refresh()
      onSaved(saved)
    },
  })
  const remove = useMutation({
    mutationFn: (id: string) => removeView(projectId, id),
    onSuccess: async () => {
      await refresh()
      onDeleted()
    },
  })
  const error = save.error ?? remove.error
  const failure = error === null ? null : describeFailure(error, { noun: 'view' })
  const isEmpty = name.trim() === ''

  function submit(event: SubmitEvent): void {
    event.preventDefault()
    setIsChecked(true)
    if (!isEmpty && !save.isPending) save.mutate()
  }
  return (
    <Dialog
      isOpen
      onClose={onClose}
      title={view === null ? 'New view' : 'Change the view'}
      description={
        view === null
          ? 'It keeps the filters and the order of this list.'
          : 'Deleting it changes nothing that it shows.'
      }
      size="small"
      footer={
        <>
          {view !== null && (
            <Button size="form" variant="danger" isBusy={remove.isPending} onClick={() => remove.mutate(view.id)}>
              Delete
            </Button>
          )}
          <Button size="form" onClick={onClose}>
            Cancel
          </Button>
          <Button size="form" variant="primary" type="submit" form={formId} isBusy={save.isPending}>
            {view === null ? 'Create view' : 'Save'}
          </Button>
        </>
      }
    >
      <form id={formId} className={styles.form} noValidate onSubmit={submit}>
        {failure !== null && !failure.fields.has('name') && <Banner tone="error">{failure.message}</Banner>}
        <TextField
          label="Name"
          value={name}
          maxLength={255}
          required
          error={isChecked && isEmpty ? 'Enter a name.' : (failure?.fields.get('name') ?? null)}
          onChange={({ target }) => setName(target.value)}
        />
        {columns !== null && (
          <Checkbox label="Keep the columns, too" checked={keepsColumns} onChange={setKeepsColumns} />
        )}
        {mayShare && (view === null || view.owner_id === me?.id) && (
          <Checkbox label="All members of the project see it" checked={isShared} onChange={setIsShared} />
        )}
      </form>
    </Dialog>
  )
}
