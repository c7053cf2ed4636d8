import { useQuery } from '@tanstack/react-query'
import { useRef, useState } from 'react'

import { queries } from '../../api.ts'
import { describeFailure } from '../../problems.ts'
import { Banner } from '../../ui/banner.tsx'
import { Checkbox } from '../../ui/checkbox.tsx'
import { FormDialog } from '../../ui/form-dialog.tsx'
import { formatNumberOf } from '../../ui/format-count.ts'
import { FolderPicker } from '../test-cases/folder-picker.tsx'
import { SimilarForTests } from './similar-for-tests.tsx'
import type { TestRow } from './test-row.ts'
import styles from './tests-dialogs.module.css'
import { useSimilarForTests } from './use-similar-for-tests.ts'
import { type NotLinked, useTestActions } from './use-test-actions.ts'
import type { TestsArea } from './use-tests-area.ts'

interface CreateCasesDialogProps {
  area: TestsArea
  /** Null for all unmatched tests of the run. */
  tests: readonly TestRow[] | null
}

/** Creates test cases for tests that match none: asks where. */
export function CreateCasesDialog({ area, tests }: CreateCasesDialogProps) {
  const { projectId, run, canAddToRun, closeDialog, setSelection } = area
  const actions = useTestActions(projectId)
  const { data: folders = [] } = useQuery(queries.folders(projectId))
  const [folderId, setFolderId] = useState<string | null>(null)
  const [isAdding, setIsAdding] = useState(true)
  const [isBusy, setIsBusy] = useState(false)
  const [error, setError] = useState<unknown>(null)
  const input = useRef<HTMLInputElement>(null)
  const [count] = useState(tests?.length ?? run?.test_stats.unmatched ?? 0)
  const testIds = tests?.map(({ id }) => id) ?? null
  const similar = useSimilarForTests(projectId, testIds, run?.id ?? null)
  const [notLinked, setNotLinked] = useState<readonly NotLinked[]>([])
  const [linkedCount, setLinkedCount] = useState(0)
  const createCount = count - linkedCount - similar.links.length

  async function create(): Promise<void> {
    setIsBusy(true)
    setError(null)
    try {
      const addToRunId = canAddToRun && isAdding ? (run?.id ?? null) : null
      if (similar.links.length > 0 && !(await link(addToRunId))) return
      if (createCount > 0) await actions.create({ testIds, ofRunId: run?.id ?? null, folderId, addToRunId })
      setSelection(new Set())
      closeDialog()
    } catch (reason) {
      setError(reason)
    } finally {
      setIsBusy(false)
    }
  }
  /** Links the tests for which a test case was chosen. Unless all are linked, nothing is created: they would get new ones. */
  async function link(addToRunId: string | null): Promise<boolean> {
    const failed = await actions.linkEach(similar.links, addToRunId)
    const failedIds = new Set(failed.map(({ test }) => test.id))
    setNotLinked(failed)
    setLinkedCount(linkedCount + similar.links.length - failed.length)
    similar.keep(similar.links.filter(({ test }) => failedIds.has(test.id)))
    return failed.length === 0
  }
  const subject = formatNumberOf(count, 'test')
  const title = count === 1 ? 'Create a test case' : `Create test cases for ${tests === null ? 'all ' : ''}${subject}`
  return (
    <FormDialog
      onClose={closeDialog}
      title={title}
      initialFocus={input}
      description="Titles and folders come from the names of the tests. Tests that differ only in their variant share a test case."
      submitLabel={similar.links.length === 0 ? 'Create' : createCount > 0 ? 'Create and link' : 'Link'}
      isBusy={isBusy}
      className={styles.form}
      onSubmit={() => void create()}
    >
      {error !== null && (
        <Banner tone="error">
          <strong>Not all test cases were created.</strong> {describeFailure(error, { noun: 'folder or run' }).message}
        </Banner>
      )}
      {notLinked.length > 0 && (
        <Banner tone="error">
          <strong>{`${formatNumberOf(notLinked.length, 'test')} not linked, and nothing created yet.`}</strong>{' '}
          {notLinked[0]?.message}
        </Banner>
      )}
      <div>
        <p className={styles.label}>Create in</p>
        <FolderPicker folders={folders} noneLabel="Top level" value={folderId} onChange={setFolderId} input={input} />
      </div>
      {canAddToRun && (
        <Checkbox
          label="Add them to this run"
          hint="Their results are those of the tests."
          checked={isAdding}
          onChange={setIsAdding}
        />
      )}
      <SimilarForTests projectId={projectId} choices={similar} />
    </FormDialog>
  )
}
