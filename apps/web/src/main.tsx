import { QueryClientProvider } from '@tanstack/react-query'
import { StrictMode } from 'react'
import { createRoot } from 'react-dom/client'
import { RouterProvider } from 'react-router'

import { applyPreferences } from './use-preferences.ts'
import { createQueryClient } from './query-client.ts'
import { queryKeys } from './query-keys.ts'
import { createRouter } from './routes.tsx'
import { setSessionEnded } from './shell/session-state.ts'
import './ui/base.css'

const container = document.getElementById('app')
if (container === null) throw new Error('The page has no element with the id “app”.')

const queryClient = createQueryClient({
  onSessionEnded: () => setSessionEnded(true),
  onForbidden: () => void queryClient.invalidateQueries({ queryKey: queryKeys.projects() }),
})

applyPreferences()

createRoot(container).render(
  <StrictMode>
    <QueryClientProvider client={queryClient}>
      <RouterProvider router={createRouter()} />
    </QueryClientProvider>
  </StrictMode>,
)
