import type { SharedStep } from '@caseward/client/endpoints'
import { useMutation, useQuery } from '@tanstack/react-query'
import { useState } from 'react'

import { api } from '../../api.ts'
import { describeFailure } from '../../problems.ts'
import { request } from '../../request-failed.ts'
import { Banner } from '../../ui/banner.tsx'
import { Button } from '../../ui/button.tsx'
import { Checkbox } from '../../ui/checkbox.tsx'
import { Dialog } from '../../ui/dialog.tsx'
import { formatNumberOf } from '../../ui/format-count.ts'
import formStyles from '../../ui/form-page.module.css'
import { LoadedPart } from '../../ui/loaded-part.tsx'
import { Select } from '../../ui/select.tsx'
import { updateSharedStep } from './shared-step-endpoints.ts'
import { sharedStepUsesQuery, useRefreshSharedSteps } from './shared-step-queries.ts'
import { UsageFacts } from './usage-facts.tsx'

interface ApplyDialogProps {
  projectId: string
  /** The version that the change is based on. */
  sharedStep: SharedStep
  change: { title: string; steps: readonly { action: string; expected?: string }[] }
  onSaved: (sharedStep: SharedStep) => void
  onClose: () => void
}

/** So many test cases can be chosen one by one. */
const MAX_CHOSEN = 500

/** Asks which of the test cases that use a shared step get its new version. */
export function ApplyDialog({ projectId, sharedStep, change, onSaved, onClose }: ApplyDialogProps) {
  const query = useQuery(sharedStepUsesQuery(projectId, sharedStep.id))
  const [target, setTarget] = useState<'all' | 'some'>('all')
  const [left, setLeft] = useState<ReadonlySet<string>>(new Set())
  const refresh = useRefreshSharedSteps(projectId)
  const followers = query.data?.filter(({ follows }) => follows) ?? []
  const chosen = followers.filter(({ test_case_id: id }) => !left.has(id)).map(({ test_case_id: id }) => id)
  const update = useMutation({
    mutationFn: () =>
      request(api, updateSharedStep, {
        params: { project_id: projectId, shared_step_id: sharedStep.id },
        body: {
          title: change.title,
          steps: [...change.steps],
          ...(target === 'all' ? { apply_to: 'all' as const } : { test_case_ids: chosen }),
        },
        headers: { 'if-match': `"${sharedStep.version}"` },
      }),
    onSuccess({ data }) {
      onSaved(data.data)
      refresh()
      onClose()
    },
  })
  return (
    <Dialog
      isOpen
      onClose={onClose}
      title={`Save “${change.title.trim()}”`}
      footer={
        <>
          <Button size="form" onClick={onClose}>
            Cancel
          </Button>
          <Button
            variant="primary"
            size="form"
            disabled={query.data === undefined}
            isBusy={update.isPending}
            onClick={() => update.mutate()}
          >
            Save
          </Button>
        </>
      }
    >
      <div className={formStyles.form}>
        {update.isError && <Banner tone="error">{describeFailure(update.error).message}</Banner>}
        <LoadedPart query={query} noun="test cases">
          {() =>
            followers.length === 0 ? (
              <p className={formStyles.muted}>No test case changes.</p>
            ) : (
              <>
                <p className={formStyles.muted}>
                  {`${formatNumberOf(followers.length, 'test case')} will change with it. Each gets a new version; what was tested before stays as it was.`}
                </p>
                <UsageFacts projectId={projectId} sharedStepId={sharedStep.id} isInDialog />
                <Select
                  label="Change"
                  value={target}
                  options={[
                    { value: 'all', label: `All ${formatNumberOf(followers.length, 'test case')}` },
                    {
                      value: 'some',
                      label: 'Only those that I choose',
                      isDisabled: followers.length > MAX_CHOSEN,
                    },
                  ]}
                  hint={
                    followers.length > MAX_CHOSEN
                      ? `More than ${MAX_CHOSEN} cannot be chosen one by one: the API can.`
                      : 'The others stay at the version that they have, and no longer change with it.'
                  }
                  onChange={setTarget}
                />
                {target === 'some' && (
                  <ul aria-label="Test cases that change">
                    {followers.map(({ test_case_id: id, title }) => (
                      <li key={id}>
                        <Checkbox
                          label={`${id} ${title}`}
                          checked={!left.has(id)}
                          onChange={(isChecked) =>
                            setLeft((current) =>
                              isChecked
                                ? new Set([...current].filter((other) => other !== id))
                                : new Set([...current, id]),
                            )
                          }
                        />
                      </li>
                    ))}
                  </ul>
                )}
              </>
            )
          }
        </LoadedPart>
      </div>
    </Dialog>
  )
}
