import { useMutation, useQuery } from '@tanstack/react-query'
import Plus from 'lucide-react/icons/plus'
import { useState } from 'react'
import { Link, useNavigate } from 'react-router'

import { api } from '../../api.ts'
import { keys } from '../../keys.ts'
import { useLive } from '../../live/use-live.ts'
import { paths } from '../../paths.ts'
import { describeFailure } from '../../problems.ts'
import { request } from '../../request-failed.ts'
import { Banner } from '../../ui/banner.tsx'
import { Button } from '../../ui/button.tsx'
import { EmptyState } from '../../ui/empty-state.tsx'
import { TextField } from '../../ui/field.tsx'
import { FormDialog } from '../../ui/form-dialog.tsx'
import { formatNumberOf } from '../../ui/format-count.ts'
import formStyles from '../../ui/form-page.module.css'
import { formatPageTitle } from '../../ui/format-page-title.ts'
import { LoadedPart } from '../../ui/loaded-part.tsx'
import { SearchField } from '../../ui/search-field.tsx'
import { TextArea } from '../../ui/text-area.tsx'
import { useKeys } from '../../use-keys.ts'
import { useMay } from '../../use-may.ts'
import { useProject } from '../../use-project.ts'
import { createSharedStep } from './shared-step-endpoints.ts'
import { sharedStepsQuery, useRefreshSharedSteps } from './shared-step-queries.ts'

/** `/projects/:projectId/shared-steps`: steps that several test cases use. */
export function SharedStepList({ projectId }: { projectId: string }) {
  const { project } = useProject(projectId)
  useLive({ projectId })
  return (
    <main className={formStyles.page}>
      <title>{formatPageTitle('Shared steps', project?.name)}</title>
      <SharedSteps key={projectId} projectId={projectId} />
    </main>
  )
}

function SharedSteps({ projectId }: { projectId: string }) {
  const query = useQuery(sharedStepsQuery(projectId))
  const mayEdit = useMay(projectId)('test-cases:edit')
  const [isAdding, setIsAdding] = useState(false)
  const [search, setSearch] = useState('')
  const add = () => setIsAdding(true)
  useKeys(mayEdit ? { create: add } : {})
  const button = mayEdit && (
    <Button variant="primary" icon={<Plus />} shortcut={keys.create.bindings[0]} onClick={add}>
      New shared step
    </Button>
  )
  const isFound = ({ title }: { title: string }) => title.toLowerCase().includes(search.trim().toLowerCase())
  return (
    <>
      <header className={formStyles.bar}>
        <h1>Shared steps</h1>
        <Link to={paths.cases(projectId)}>Test cases</Link>
      </header>
      <section className={formStyles.section} aria-label="Shared steps">
        <LoadedPart query={query} noun="shared steps">
          {(sharedSteps) =>
            sharedSteps.length === 0 ? (
              <EmptyState drawing="cases" title="No shared steps yet" help="shared-steps" actions={button}>
                Steps that several test cases begin with, such as signing in, change in one place.
              </EmptyState>
            ) : (
              <>
                <div className={formStyles.bar}>
                  <SearchField label="Search shared steps" value={search} onChange={setSearch} />
                  {button}
                </div>
                <ul className={formStyles.list}>
                  {sharedSteps.filter(isFound).map(({ id, title, version, step_count: steps, use_count: uses }) => (
                    <li key={id} className={formStyles.item}>
                      <div className={formStyles.text} style={{ overflowWrap: 'anywhere' }}>
                        <Link className={formStyles.name} to={paths.sharedStep(projectId, id)}>
                          {title}
                        </Link>
                        <div className={formStyles.muted}>
                          {`v${version} · ${formatNumberOf(steps, 'step')} · ${uses === 0 ? 'not used' : `used in ${formatNumberOf(uses, 'test case')}`}`}
                        </div>
                      </div>
                    </li>
                  ))}
                </ul>
                {!sharedSteps.some(isFound) && (
                  <p className={formStyles.muted}>No shared step has this in its title.</p>
                )}
              </>
            )
          }
        </LoadedPart>
      </section>
      {isAdding && <NewSharedStepDialog projectId={projectId} onClose={() => setIsAdding(false)} />}
    </>
  )
}

/** Asks for a title and a first step; further steps are added on its page. */
function NewSharedStepDialog({ projectId, onClose }: { projectId: string; onClose: () => void }) {
  const navigate = useNavigate()
  const refresh = useRefreshSharedSteps(projectId)
  const [title, setTitle] = useState('')
  const [action, setAction] = useState('')
  const create = useMutation({
    mutationFn: () =>
      request(api, createSharedStep, { params: { project_id: projectId }, body: { title, steps: [{ action }] } }),
    onSuccess({ data }) {
      refresh()
      void navigate(paths.sharedStep(projectId, data.data.id))
    },
  })
  const failure = create.isError ? describeFailure(create.error) : null
  const isComplete = title.trim() !== '' && action.trim() !== ''
  function submit(): void {
    if (isComplete) create.mutate()
  }
  return (
    <FormDialog
      onClose={onClose}
      title="New shared step"
      submitLabel="Create"
      isBusy={create.isPending}
      isDisabled={!isComplete}
      className={formStyles.form}
      onSubmit={submit}
    >
      {failure !== null && !failure.fields.has('title') && <Banner tone="error">{failure.message}</Banner>}
      <TextField
        label="Title"
        required
        maxLength={255}
        autoComplete="off"
        value={title}
        hint="Such as Sign in."
        error={failure?.fields.get('title') ?? null}
        onChange={({ target }) => setTitle(target.value)}
      />
      <TextArea label="Action of the first step" value={action} onChange={({ target }) => setAction(target.value)} />
    </FormDialog>
  )
}
