import { createDemoProject } from '@caseward/client/endpoints'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useNavigate } from 'react-router'

import { api } from '../../api.ts'
import { paths } from '../../paths.ts'
import { describeFailure } from '../../problems.ts'
import { queryKeys } from '../../query-keys.ts'
import { request } from '../../request-failed.ts'
import { Button } from '../../ui/button.tsx'
import { showToast } from '../../ui/toast.ts'

/** Creates the demo project and opens it. */
export function DemoButton() {
  const queryClient = useQueryClient()
  const navigate = useNavigate()
  const { mutate, isPending } = useMutation({
    mutationFn: async () => (await request(api, createDemoProject, {})).data.data,
    async onSuccess({ id }) {
      await queryClient.invalidateQueries({ queryKey: queryKeys.projects() })
      void navigate(paths.project(id))
    },
    onError: (error) => void showToast({ message: `Not created: ${describeFailure(error).message}` }),
  })
  return (
    <Button size="form" isBusy={isPending} onClick={() => mutate()}>
      See the demo
    </Button>
  )
}
