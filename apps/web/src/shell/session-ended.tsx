import { useOutbox } from '../outbox/use-outbox.ts'
import { lazyPart } from '../ui/lazy-part.tsx'
import { useSessionEnded } from './session-state.ts'

const SignInAgain = lazyPart(async () => (await import('./sign-in-again.tsx')).SignInAgain, {
  isOptional: true,
})

/** Says that the session has ended. */
export function SessionEnded() {
  const [, { phase }] = useOutbox()
  const hasEnded = useSessionEnded()
  return hasEnded || phase === 'session-ended' ? <SignInAgain /> : null
}
