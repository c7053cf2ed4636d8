import { useQuery } from '@tanstack/react-query'
import { useNavigate, useParams } from 'react-router'

import { queries } from '../../api.ts'
import { paths } from '../../paths.ts'
import { describeFailure } from '../../problems.ts'
import { ButtonLink } from '../../ui/button.tsx'
import { ErrorMessage } from '../../ui/error-message.tsx'
import { formatPageTitle } from '../../ui/format-page-title.ts'
import { Loading, SkeletonRows } from '../../ui/skeleton.tsx'
import type { FilePlace } from '../../uploads/upload-entry.ts'
import styles from './file-page.module.css'
import { fileById, filesOf } from './file-queries.ts'
import { isOpenable, toShownFile } from './shown-file.ts'
import { Viewer } from './viewer/viewer.tsx'

/** `/files/:projectId/:attachmentId`: one file, and those beside it. */
export function FilePage() {
  const { projectId = '', attachmentId = '' } = useParams()
  const navigate = useNavigate()
  const project = useQuery(queries.project(projectId))
  const found = useQuery(fileById(projectId, attachmentId))
  const place = found.data === undefined ? null : toPlace(projectId, found.data)
  const beside = useQuery({
    ...filesOf(place ?? { kind: 'run', projectId, runId: '' }),
    enabled: place !== null,
  })
  const own = found.data === undefined ? [] : [toShownFile(found.data)]
  const files = (beside.data?.map(toShownFile) ?? own).filter(isOpenable)
  const name = files.find(({ id }) => id === attachmentId)?.name ?? found.data?.name ?? 'File'
  const title = formatPageTitle(name, project.data?.name)
  return (
    <main className={styles.page}>
      <title>{title}</title>
      {found.data === undefined && found.error === null && (
        <Loading label="Loading the file">
          <SkeletonRows count={4} />
        </Loading>
      )}
      {found.data === undefined && found.error !== null && (
        <ErrorMessage title="The file could not be opened." onRetry={() => void found.refetch()}>
          {describeFailure(found.error, { noun: 'file' }).message}
        </ErrorMessage>
      )}
      {found.data !== undefined && (
        <Viewer
          projectId={projectId}
          files={files}
          openId={attachmentId}
          onOpen={(id) => void navigate(paths.file(projectId, id), { replace: true })}
          heading={
            <>
              <h1 className={styles.name} title={name}>
                {name}
              </h1>
              <ButtonLink variant="quiet" to={getPlacePath(projectId, found.data)}>
                {describePlace(found.data)}
              </ButtonLink>
            </>
          }
        />
      )}
    </main>
  )
}

interface Placed {
  readonly test_case_id: string | null
  readonly run_id: string | null
  readonly result_id: string | null
}

function toPlace(projectId: string, { test_case_id: caseId, run_id: runId, result_id: resultId }: Placed): FilePlace {
  if (caseId !== null) return { kind: 'case', projectId, caseId }
  if (resultId !== null) return { kind: 'result', projectId, runId: runId ?? '', resultId }
  return { kind: 'run', projectId, runId: runId ?? '' }
}

function getPlacePath(projectId: string, { test_case_id: caseId, run_id: runId, result_id: resultId }: Placed): string {
  if (caseId !== null) return paths.case(projectId, caseId)
  return paths.run(runId ?? '', resultId === null ? {} : { result: resultId })
}

const describePlace = ({ test_case_id: caseId, result_id: resultId }: Placed): string =>
  caseId ?? (resultId === null ? 'Run' : 'Result')
