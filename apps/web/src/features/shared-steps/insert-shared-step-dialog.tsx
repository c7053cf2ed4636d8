import { type TestCase, updateTestCase } from '@caseward/client/endpoints'
import { useMutation, useQuery } from '@tanstack/react-query'
import { useState } from 'react'

import { api } from '../../api.ts'
import { describeFailure } from '../../problems.ts'
import { request } from '../../request-failed.ts'
import { Banner } from '../../ui/banner.tsx'
import { Button } from '../../ui/button.tsx'
import { Dialog } from '../../ui/dialog.tsx'
import { formatNumberOf } from '../../ui/format-count.ts'
import formStyles from '../../ui/form-page.module.css'
import { LoadedPart } from '../../ui/loaded-part.tsx'
import { Select } from '../../ui/select.tsx'
import { sharedStepsQuery, useRefreshSharedSteps } from './shared-step-queries.ts'
import { toStepParts } from './to-step-items.ts'

interface InsertSharedStepDialogProps {
  projectId: string
  testCase: TestCase
  onClose: () => void
}

/** Asks which shared step comes where in a test case. */
export function InsertSharedStepDialog({ projectId, testCase, onClose }: InsertSharedStepDialogProps) {
  const query = useQuery(sharedStepsQuery(projectId))
  const parts = toStepParts(testCase)
  const [chosen, setChosen] = useState('')
  const [place, setPlace] = useState(String(parts.length))
  const refresh = useRefreshSharedSteps(projectId)
  const id = chosen === '' ? (query.data?.[0]?.id ?? '') : chosen
  const insert = useMutation({
    mutationFn: () =>
      request(api, updateTestCase, {
        params: { project_id: projectId, test_case_id: testCase.id },
        body: { steps: parts.map(({ item }) => item).toSpliced(Number(place), 0, { shared_step_id: id }) },
        headers: { 'if-match': `"${testCase.version}"` },
      }),
    onSuccess() {
      refresh()
      onClose()
    },
  })
  return (
    <Dialog
      isOpen
      onClose={onClose}
      title="Insert a shared step"
      footer={
        <>
          <Button size="form" onClick={onClose}>
            Cancel
          </Button>
          <Button
            variant="primary"
            size="form"
            disabled={id === ''}
            isBusy={insert.isPending}
            onClick={() => insert.mutate()}
          >
            Insert
          </Button>
        </>
      }
    >
      <div className={formStyles.form}>
        {insert.isError && <Banner tone="error">{describeFailure(insert.error).message}</Banner>}
        <LoadedPart query={query} noun="shared steps">
          {(sharedSteps) =>
            sharedSteps.length === 0 ? (
              <p className={formStyles.muted}>
                This project has no shared steps yet. Choose “Make steps shared” to make some of the steps of this test
                case shared.
              </p>
            ) : (
              <>
                <Select
                  label="Shared step"
                  value={id}
                  options={sharedSteps.map(({ id: value, title, step_count: count }) => ({
                    value,
                    label: `${title} (${formatNumberOf(count, 'step')})`,
                  }))}
                  onChange={setChosen}
                />
                <Select
                  label="Place"
                  value={place}
                  options={[
                    { value: '0', label: 'At the start' },
                    ...parts.map(({ last, label }, index) => ({
                      value: String(index + 1),
                      label: `After step ${last}: ${label.slice(0, 60)}`,
                    })),
                  ]}
                  onChange={setPlace}
                />
              </>
            )
          }
        </LoadedPart>
      </div>
    </Dialog>
  )
}
