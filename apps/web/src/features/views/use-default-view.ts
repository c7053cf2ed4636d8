import type { View } from '@caseward/client/endpoints'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useEffect, useEffectEvent, useRef } from 'react'
import { useLocation } from 'react-router'

import { describeFailure } from '../../problems.ts'
import { queryKeys } from '../../query-keys.ts'
import { showToast } from '../../ui/toast.ts'
import { useProject } from '../../use-project.ts'
import { openPageWith, type ViewPage } from './view-queries.ts'

/** The view that a page opens with for the user; null for none. The list of projects says so, without a further request. */
export function useDefaultViewId(projectId: string, page: ViewPage): string | null {
  const defaults = useProject(projectId).project?.default_views ?? []
  return defaults.find((view) => view.page === page)?.view_id ?? null
}

/** Shows the view when the page opens at an address that says nothing else; not when filters are removed later. */
export function useShowDefault(view: View | undefined, isLoaded: boolean, show: (view: View) => void): void {
  const { pathname, search } = useLocation()
  const arrived = useRef<string | null>(null)
  const arrive = useEffectEvent(() => {
    if (arrived.current === pathname) return
    if (search !== '') arrived.current = pathname
    else if (isLoaded) {
      arrived.current = pathname
      if (view !== undefined) show(view)
    }
  })
  useEffect(() => arrive(), [pathname, isLoaded])
}

/** Changes with which view the page opens. */
export function useSetDefault(projectId: string, page: ViewPage) {
  const queryClient = useQueryClient()
  return useMutation({
    mutationFn: (view: View | null) => openPageWith(projectId, page, view?.id ?? null),
    async onSuccess(_, view) {
      showToast({ message: view === null ? 'The page opens without a view' : `The page opens with “${view.name}”` })
      await queryClient.invalidateQueries({ queryKey: queryKeys.projects() })
    },
    onError: (error) => showToast({ message: `Not saved: ${describeFailure(error, { noun: 'view' }).message}` }),
  })
}
