import { useQuery } from '@tanstack/react-query'
import { useRef, useState } from 'react'

import { queries } from '../../api.ts'
import { paths } from '../../paths.ts'
import { Banner } from '../../ui/banner.tsx'
import { Button, ButtonLink } from '../../ui/button.tsx'
import { Dialog } from '../../ui/dialog.tsx'
import { TextField } from '../../ui/field.tsx'
import { FormDialog } from '../../ui/form-dialog.tsx'
import { formatNumberOf } from '../../ui/format-count.ts'
import { Select } from '../../ui/select.tsx'
import { FolderPicker } from '../test-cases/folder-picker.tsx'
import { CopyOutcome } from './copy-outcome.tsx'
import { type CopyResult, useCopies } from './use-copies.ts'
import casesStyles from '../test-cases/cases.module.css'

export interface CopyDialogProps {
  projectId: string
  ids: readonly string[]
  /** Where the test cases are; null for no folder. */
  initialFolderId: string | null
  /** Opens a copy in the same project. */
  onCopied: (id: string) => void
  onUndone: (ids: readonly string[]) => void
  onClose: () => void
}

/** The server makes so many copies of a test case with one request. */
const MAX_COPIES = 50
/** Stands for the folder that each test case is in. */
const SAME_FOLDERS = 'same'

/** Copies test cases to a folder, of their project or of another one, and says what the copies lack. */
export function CopyDialog({ projectId, ids, initialFolderId, onCopied, onUndone, onClose }: CopyDialogProps) {
  const { data: projects = [] } = useQuery(queries.projects())
  const [targetId, setTargetId] = useState(projectId)
  const folders = useQuery(queries.folders(targetId))
  const [folderId, setFolderId] = useState<string | null>(initialFolderId)
  const [way, setWay] = useState(ids.length === 1 ? 'chosen' : SAME_FOLDERS)
  const [count, setCount] = useState('1')
  const [copied, setCopied] = useState<number | null>(null)
  const [result, setResult] = useState<CopyResult | null>(null)
  const [failure, setFailure] = useState<string | null>(null)
  const copy = useCopies(projectId)
  const input = useRef<HTMLInputElement>(null)
  const button = useRef<HTMLButtonElement>(null)
  const targets = projects.filter(({ permissions }) => permissions.includes('test-cases:edit'))
  const isOther = targetId !== projectId
  const number = Number(count)
  const countError = Number.isInteger(number) && number >= 1 && number <= MAX_COPIES ? null : `From 1 to ${MAX_COPIES}.`
  const subject = ids.length === 1 ? String(ids[0]) : formatNumberOf(ids.length, 'test case')
  const projectName = isOther ? projects.find(({ id }) => id === targetId)?.name : undefined
  const keepsFolders = way === SAME_FOLDERS && !isOther

  async function submit(): Promise<void> {
    if (countError !== null || copied !== null) return
    setFailure(null)
    setCopied(0)
    const done = await copy(ids, {
      place: { ...(isOther ? { project_id: targetId } : {}), ...(keepsFolders ? {} : { folder_id: folderId }) },
      count: number,
      projectName,
      onProgress: setCopied,
      onUndone,
    })
    setCopied(null)
    const [first] = done.test_cases
    if (first === undefined) setFailure(done.failure)
    else if (isOther || done.skipped.length > 0 || done.failure !== null) setResult(done)
    else {
      onClose()
      if (ids.length === 1) onCopied(first.id)
    }
  }
  const chooseProject = (id: string) => {
    setTargetId(id)
    setFolderId(id === projectId ? initialFolderId : null)
  }
  if (result !== null) {
    const [first] = result.test_cases
    return (
      <Dialog
        isOpen
        onClose={onClose}
        title={`${formatNumberOf(result.test_cases.length, 'copy', 'copies')} of ${subject}`}
        footer={
          <>
            <Button size="form" onClick={onClose}>
              Close
            </Button>
            {isOther && first !== undefined && (
              <ButtonLink size="form" variant="primary" to={paths.case(targetId, first.id)}>
                Open {first.id}
              </ButtonLink>
            )}
            {!isOther && first !== undefined && (
              <Button
                size="form"
                variant="primary"
                onClick={() => {
                  onClose()
                  onCopied(first.id)
                }}
              >
                Open {first.id}
              </Button>
            )}
          </>
        }
      >
        <CopyOutcome {...{ projectId, result, projectName }} wanted={ids.length} />
      </Dialog>
    )
  }
  return (
    <FormDialog
      onClose={onClose}
      title={`Copy ${subject}`}
      // Several are mostly copied as they are: then Enter is enough.
      initialFocus={ids.length === 1 ? input : button}
      submitRef={button}
      submitLabel={copied !== null && ids.length > 1 ? `Copied ${copied} of ${ids.length}` : 'Copy'}
      isBusy={copied !== null}
      className={casesStyles.form}
      onSubmit={() => void submit()}
    >
      {failure !== null && (
        <Banner tone="error">
          <strong>Not copied.</strong> {failure}
        </Banner>
      )}
      {ids.length === 1 && (
        <TextField
          ref={input}
          style={{ maxWidth: 160 }}
          label="Copies"
          type="number"
          inputMode="numeric"
          min={1}
          max={MAX_COPIES}
          value={count}
          error={countError}
          hint={number > 1 && countError === null ? 'Their titles get a number: “(1)”, “(2)”, …' : undefined}
          onChange={({ target }) => setCount(target.value)}
        />
      )}
      {targets.length > 1 && (
        <Select
          label="Project"
          value={targetId}
          options={targets.map(({ id, name }) => ({ value: id, label: name }))}
          hint={
            isOther ? 'Steps of shared steps become steps of the copies. Fields are found by their keys.' : undefined
          }
          onChange={chooseProject}
        />
      )}
      {ids.length > 1 && !isOther && (
        <Select
          label="Folder"
          value={way}
          options={[
            { value: SAME_FOLDERS, label: 'Beside each test case' },
            { value: 'chosen', label: 'One folder for all' },
          ]}
          onChange={setWay}
        />
      )}
      {!keepsFolders && (
        <FolderPicker
          key={targetId}
          folders={folders.data ?? []}
          noneLabel="No folder"
          value={folderId}
          onChange={setFolderId}
        />
      )}
    </FormDialog>
  )
}
