import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { Link, useNavigate } from 'react-router'

import { refreshQueries } from '../../live/refresh-queries.ts'
import { paths } from '../../paths.ts'
import { describeFailure } from '../../problems.ts'
import { queryKeys } from '../../query-keys.ts'
import { useMay } from '../../use-may.ts'
import { Banner } from '../../ui/banner.tsx'
import { Checkbox } from '../../ui/checkbox.tsx'
import { Dialog } from '../../ui/dialog.tsx'
import { TextField } from '../../ui/field.tsx'
import { FormDialog } from '../../ui/form-dialog.tsx'
import { formatNumberOf } from '../../ui/format-count.ts'
import { ButtonLink } from '../../ui/button.tsx'
import { MAX_NAME_LENGTH, suggestRunName } from '../runs/new-run-name.ts'
import { sendReports, type UploadedReports } from './send-reports.ts'

interface UploadReportsProps {
  projectId: string
  onClose: () => void
}

/** A request may have 10 MB. */
const MAX_BYTES = 9_500_000
const SHOWN_ERRORS = 20

/** Makes a run of JUnit reports that somebody has as files. */
export function UploadReports({ projectId, onClose }: UploadReportsProps) {
  const [files, setFiles] = useState<readonly File[]>([])
  const [name, setName] = useState(() => suggestRunName('Uploaded results', new Date(), []))
  const [createsTestCases, setCreatesTestCases] = useState(false)
  const may = useMay(projectId)
  const navigate = useNavigate()
  const queryClient = useQueryClient()
  const upload = useMutation({
    mutationFn: () => sendReports(projectId, name.trim(), files, createsTestCases),
    onSuccess: ({ run, testCount, matchedCount, errors }) => {
      refreshQueries(queryClient, queryKeys.allRuns(projectId))
      refreshQueries(queryClient, queryKeys.projects())
      // What needs no word is there at once.
      if (run !== null && errors.length === 0 && matchedCount === testCount) void navigate(paths.run(run.id))
    },
  })
  const { data: uploaded, error } = upload
  const isTooLarge = files.reduce((sum, { size }) => sum + size, 0) > MAX_BYTES
  if (uploaded !== undefined && uploaded.run !== null) return <Uploaded uploaded={uploaded} onClose={onClose} />
  return (
    <FormDialog
      onClose={onClose}
      title="Upload results"
      description="A run is created with what JUnit reports contain. Tests find their test cases by ids in their names, also those of other tools, and by automation keys."
      submitLabel="Upload"
      isBusy={upload.isPending}
      isDisabled={files.length === 0 || name.trim() === '' || isTooLarge}
      onSubmit={() => upload.mutate()}
    >
      <div style={{ display: 'grid', gap: 16 }}>
        <TextField
          label="JUnit XML files"
          hint="Choose one or several, or drop them here."
          type="file"
          multiple
          accept=".xml,text/xml,application/xml"
          onChange={({ target }) => {
            upload.reset()
            setFiles([...(target.files ?? [])])
          }}
        />
        {isTooLarge && (
          <Banner tone="error">
            The files have more than 9.5 MB together. Upload them one after the other, or with the command{' '}
            <code>caseward upload</code>.
          </Banner>
        )}
        {error !== null && <Banner tone="error">{describeFailure(error, { noun: 'project' }).message}</Banner>}
        {uploaded !== undefined && (
          <Banner tone="error">
            <ErrorList errors={uploaded.errors} />
          </Banner>
        )}
        <TextField
          label="Name of the run"
          value={name}
          maxLength={MAX_NAME_LENGTH}
          onChange={({ target }) => setName(target.value)}
        />
        {may('test-cases:edit') && (
          <Checkbox
            label="Create a test case for each test that has none"
            hint="Otherwise, these tests are stored with the run, and can be linked later."
            checked={createsTestCases}
            onChange={setCreatesTestCases}
          />
        )}
      </div>
    </FormDialog>
  )
}

/** Says which tests have no test case, and what was not stored. */
function Uploaded({ uploaded, onClose }: { uploaded: UploadedReports; onClose: () => void }) {
  const { run, testCount, matchedCount, errors } = uploaded
  const unmatched = testCount - matchedCount
  if (run === null || (errors.length === 0 && unmatched === 0)) return null
  return (
    <Dialog
      isOpen
      onClose={onClose}
      title={errors.length === 0 ? 'Results are uploaded' : 'Some results are missing'}
      footer={
        <ButtonLink size="form" variant="primary" to={matchedCount === 0 ? paths.runTests(run.id) : paths.run(run.id)}>
          Open the run
        </ButtonLink>
      }
    >
      <p>
        {formatNumberOf(testCount, 'test')} {testCount === 1 ? 'is' : 'are'} stored, {matchedCount} of them with a test
        case.{' '}
        {unmatched > 0 && (
          <Link to={paths.runTests(run.id, { match: 'unmatched' })}>
            {formatNumberOf(unmatched, 'test')} without one
          </Link>
        )}
      </p>
      <ErrorList errors={errors} />
    </Dialog>
  )
}

function ErrorList({ errors }: { errors: readonly string[] }) {
  if (errors.length === 0) return null
  return (
    <>
      <ul style={{ margin: 0, paddingLeft: 20, overflowWrap: 'anywhere' }}>
        {errors.slice(0, SHOWN_ERRORS).map((text, index) => (
          // oxlint-disable-next-line react/no-array-index-key
          <li key={index}>{text}</li>
        ))}
      </ul>
      {errors.length > SHOWN_ERRORS && <p>and {formatNumberOf(errors.length - SHOWN_ERRORS, 'more error')}</p>}
    </>
  )
}
