import { QueryClient, QueryClientProvider } from '@tanstack/react-query'
import { StrictMode } from 'react'
import { createRoot } from 'react-dom/client'
import { RouterProvider } from 'react-router'

import { createRouter } from './routes.tsx'
import './ui/base.css'

const container = document.getElementById('app')
if (container === null) throw new Error('The page has no element with the id “app”.')

// The client of the API retries.
const queryClient = new QueryClient({ defaultOptions: { queries: { retry: false } } })

createRoot(container).render(
  <StrictMode>
    <QueryClientProvider client={queryClient}>
      <RouterProvider router={createRouter()} />
    </QueryClientProvider>
  </StrictMode>,
)
