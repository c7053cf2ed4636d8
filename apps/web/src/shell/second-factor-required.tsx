import { lazyPart } from '../ui/lazy-part.tsx'
import { useSetupRequired } from './session-state.ts'

const SecondFactorDialog = lazyPart(async () => (await import('./second-factor-dialog.tsx')).SecondFactorDialog, {
  isDialog: true,
})

/** Says that the instance has begun to require a second factor, which the user does not have. */
export const SecondFactorRequired = () => (useSetupRequired() ? <SecondFactorDialog /> : null)
