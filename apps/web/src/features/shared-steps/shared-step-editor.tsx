import type { SharedStep } from '@caseward/client/endpoints'
import { useMutation, useQuery } from '@tanstack/react-query'
import { useRef, useState } from 'react'
import { Link, useNavigate } from 'react-router'

import { api } from '../../api.ts'
import { useLive } from '../../live/use-live.ts'
import { paths } from '../../paths.ts'
import { describeFailure } from '../../problems.ts'
import { request, RequestFailed } from '../../request-failed.ts'
import { Banner } from '../../ui/banner.tsx'
import { Button } from '../../ui/button.tsx'
import { ConfirmDialog } from '../../ui/confirm-dialog.tsx'
import { TextField } from '../../ui/field.tsx'
import { formatNumberOf } from '../../ui/format-count.ts'
import formStyles from '../../ui/form-page.module.css'
import { formatPageTitle } from '../../ui/format-page-title.ts'
import { lazySection } from '../../ui/lazy-section.tsx'
import { LoadedPart } from '../../ui/loaded-part.tsx'
import { TabLinks } from '../../ui/tab-links.tsx'
import { searchSchemas } from '../../search-schemas.ts'
import { useMay } from '../../use-may.ts'
import { useProject } from '../../use-project.ts'
import { useSearch } from '../../use-search.ts'
import { StepsEditor } from '../test-cases/steps-editor.tsx'
import { ApplyDialog } from './apply-dialog.tsx'
import { deleteSharedStep } from './shared-step-endpoints.ts'
import { SharedStepUses } from './shared-step-uses.tsx'
import { sharedStepQuery, useRefreshSharedSteps } from './shared-step-queries.ts'

const SharedStepVersions = lazySection(async () => (await import('./shared-step-versions.tsx')).SharedStepVersions)

/** One shared step, and the test cases that use it. */
export function SharedStepEditor({ projectId, sharedStepId }: { projectId: string; sharedStepId: string }) {
  const { project } = useProject(projectId)
  const query = useQuery(sharedStepQuery(projectId, sharedStepId))
  useLive({ projectId })
  return (
    <main className={formStyles.page}>
      <title>{formatPageTitle(query.data?.title, 'Shared steps', project?.name)}</title>
      <p>
        <Link to={paths.sharedSteps(projectId)}>Shared steps</Link>
      </p>
      <LoadedPart query={query} noun="shared step">
        {(sharedStep) => (
          <Loaded
            key={sharedStepId}
            projectId={projectId}
            sharedStep={sharedStep}
            isDeleted={isNotFound(query.error)}
          />
        )}
      </LoadedPart>
    </main>
  )
}

type Steps = readonly { action: string; expected?: string }[]
const toText = (steps: Steps) => JSON.stringify(steps.map(({ action, expected = '' }) => [action, expected]))

interface LoadedProps {
  projectId: string
  sharedStep: SharedStep
  /** Whether another user has deleted it since it was opened. */
  isDeleted: boolean
}

const isNotFound = (error: Error | null) =>
  error instanceof RequestFailed && error.reply.kind === 'problem' && error.reply.status === 404

function Loaded({ projectId, sharedStep, isDeleted }: LoadedProps) {
  const mayEdit = useMay(projectId)('test-cases:edit')
  // What is edited, and the version that it is based on: a change by another user is noticed when it is saved.
  const [base, setBase] = useState(sharedStep)
  const [title, setTitle] = useState(sharedStep.title)
  const [steps, setSteps] = useState<Steps>(sharedStep.steps)
  const [isApplying, setIsApplying] = useState(false)
  const addButton = useRef<HTMLButtonElement>(null)
  const [{ panel }, changeSearch] = useSearch(searchSchemas.sharedStep)
  const isChanged = title.trim() !== base.title || toText(steps) !== toText(base.steps)
  function discard(next: SharedStep): void {
    setBase(next)
    setTitle(next.title)
    setSteps(next.steps)
  }
  /** Puts an earlier version into the fields: it becomes a new version when it is saved. */
  function restore(version: SharedStep): void {
    setTitle(version.title)
    setSteps(version.steps)
    changeSearch({ panel: 'steps' }, 'replace')
  }
  // Without changes of one's own, the page follows those of others.
  if (!isChanged && sharedStep.version > base.version) discard(sharedStep)
  return (
    <>
      <header className={formStyles.bar}>
        <h1 style={{ overflowWrap: 'anywhere' }}>{base.title}</h1>
        <span className={formStyles.muted}>
          {`v${base.version} · used in ${formatNumberOf(sharedStep.use_count, 'test case')}`}
        </span>
      </header>
      <div style={{ marginBlockStart: 12 }}>
        <TabLinks
          label="Shared step"
          isReplacing
          tabs={[
            { to: paths.sharedStep(projectId, base.id), label: 'Steps', isCurrent: panel === 'steps' },
            {
              to: paths.sharedStep(projectId, base.id, { panel: 'versions' }),
              label: 'Versions',
              isCurrent: panel === 'versions',
            },
          ]}
        />
      </div>
      {panel === 'versions' && (
        <SharedStepVersions projectId={projectId} sharedStepId={base.id} onRestore={mayEdit ? restore : undefined} />
      )}
      {panel === 'steps' && (
        <>
          <section className={formStyles.section} aria-label="Content">
            {isDeleted && (
              <Banner tone="warning">
                Somebody else has deleted this shared step. Test cases that used it keep its steps as their own.
              </Banner>
            )}
            {isChanged && sharedStep.version > base.version && (
              <Banner tone="warning">
                {`Somebody else has changed this shared step: it has version ${sharedStep.version} now. Discard your changes to see it.`}
              </Banner>
            )}
            {mayEdit && (
              <TextField
                label="Title"
                required
                maxLength={255}
                autoComplete="off"
                value={title}
                onChange={({ target }) => setTitle(target.value)}
              />
            )}
            <StepsEditor
              value={steps}
              mayEdit={mayEdit}
              addButton={addButton}
              onChange={setSteps}
              onLeave={() => undefined}
            />
            {mayEdit && (
              <div className={formStyles.buttons}>
                <Button
                  variant="primary"
                  size="form"
                  disabled={isDeleted || !isChanged || title.trim() === '' || steps.length === 0}
                  onClick={() => setIsApplying(true)}
                >
                  Save…
                </Button>
                {isChanged && (
                  <Button size="form" onClick={() => discard(sharedStep)}>
                    Discard changes
                  </Button>
                )}
                {!isDeleted && <DeleteButton projectId={projectId} sharedStep={sharedStep} />}
              </div>
            )}
          </section>
          {!isDeleted && <SharedStepUses projectId={projectId} sharedStepId={sharedStep.id} />}
        </>
      )}
      {isApplying && (
        <ApplyDialog
          projectId={projectId}
          sharedStep={base}
          change={{ title, steps }}
          onSaved={discard}
          onClose={() => setIsApplying(false)}
        />
      )}
    </>
  )
}

function DeleteButton({
  projectId,
  sharedStep: { id, title, use_count: count },
}: {
  projectId: string
  sharedStep: SharedStep
}) {
  const [isAsking, setIsAsking] = useState(false)
  const navigate = useNavigate()
  const refresh = useRefreshSharedSteps(projectId)
  const remove = useMutation({
    mutationFn: () =>
      request(api, deleteSharedStep, {
        params: { project_id: projectId, shared_step_id: id },
        query: count > 0 ? { detach: 'true' } : {},
      }),
    onSuccess() {
      void navigate(paths.sharedSteps(projectId), { replace: true })
      refresh()
    },
  })
  return (
    <>
      <Button variant="quiet" size="form" onClick={() => setIsAsking(true)}>
        Delete
      </Button>
      <ConfirmDialog
        isOpen={isAsking}
        onClose={() => setIsAsking(false)}
        title={`Delete “${title}”?`}
        confirmLabel="Delete shared step"
        isBusy={remove.isPending}
        onConfirm={() => remove.mutate()}
      >
        {count === 0
          ? 'No test case uses it.'
          : `${formatNumberOf(count, 'test case')} will keep its steps as their own.`}
        {remove.isError && (
          <p role="alert" className={formStyles.failed}>
            {describeFailure(remove.error).message}
          </p>
        )}
      </ConfirmDialog>
    </>
  )
}
