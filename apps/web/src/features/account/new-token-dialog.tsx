import { TokenForm } from '../tokens/token-form.tsx'
import { TokenSecret } from '../tokens/token-secret.tsx'
import { useCreateToken } from './use-tokens.ts'

/** Creates a personal token, then shows its secret once. */
export function NewTokenDialog({ onClose }: { onClose: () => void }) {
  const create = useCreateToken()
  return create.data === undefined ? (
    <TokenForm
      create={create}
      title="New token"
      hint="For example, the program that uses it."
      initialDays="90"
      onClose={onClose}
    />
  ) : (
    <TokenSecret token={create.data} onClose={onClose} />
  )
}
