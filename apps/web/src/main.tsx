import { QueryClientProvider } from '@tanstack/react-query'
import { StrictMode } from 'react'
import { createRoot } from 'react-dom/client'
import { RouterProvider } from 'react-router/dom'

import { applyPreferences } from './use-preferences.ts'
import { createQueryClient } from './query-client.ts'
import { queryKeys } from './query-keys.ts'
import { onRefused } from './request-failed.ts'
import { createRouter } from './routes.tsx'
import { setSessionEnded, setSetupRequired } from './shell/session-state.ts'
import { lazyPart } from './ui/lazy-part.tsx'
import './ui/base.css'

/** What most visits need later is not loaded before the page. */
const ToastRegion = lazyPart(async () => (await import('./ui/toast-region.tsx')).ToastRegion, { isOptional: true })

const container = document.getElementById('app')
if (container === null) throw new Error('The page has no element with the id “app”.')

const queryClient = createQueryClient()
onRefused((status, code) => {
  if (status === 401) setSessionEnded(true)
  // Reading again what is refused as well would lead here again.
  if (code === 'second_factor_setup_required') return setSetupRequired(true)
  // The permissions of the user may have changed.
  if (status === 403) {
    void queryClient.invalidateQueries({ queryKey: queryKeys.projects() })
    void queryClient.invalidateQueries({ queryKey: queryKeys.me() })
  }
})

applyPreferences()
void import('./guard-double-clicks.ts').then(({ guardDoubleClicks }) => guardDoubleClicks(document))

createRoot(container).render(
  <StrictMode>
    <QueryClientProvider client={queryClient}>
      <RouterProvider router={createRouter()} />
      <ToastRegion />
    </QueryClientProvider>
  </StrictMode>,
)
