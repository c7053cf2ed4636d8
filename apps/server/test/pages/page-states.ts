import { accountPageStates } from './account-page-states.ts'
import { authPageStates } from './auth-page-states.ts'
import { type PageState, visit } from './page-state.ts'
import { runPageStates } from './run-page-states.ts'

/** All pages in all states. */
export const pageStates: PageState[] = [
  ...authPageStates,
  ...accountPageStates,
  ...runPageStates,
  { name: 'not-found', status: 404, open: visit('/nothing/here') },
]
