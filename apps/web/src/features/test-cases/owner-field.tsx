import { Select } from '../../ui/select.tsx'
import { usePeople } from './use-people.ts'

interface OwnerFieldProps {
  projectId: string
  /** Null for nobody. */
  owner: string | null
  error?: string | null | undefined
  onChange: (owner: string | null) => void
}

/** Who keeps a test case up to date. A former member stays until somebody else is chosen. */
export function OwnerField({ projectId, owner, error, onChange }: OwnerFieldProps) {
  const { owners, getPerson } = usePeople(projectId)
  const others =
    owner === null || owners.some(({ id }) => id === owner) ? [] : [{ value: owner, label: getPerson(owner) }]
  return (
    <Select
      label="Owner"
      value={owner ?? ''}
      error={error}
      options={[
        { value: '', label: 'Nobody' },
        ...others,
        ...owners.map(({ id, name }) => ({ value: id, label: name })),
      ]}
      onChange={(id) => onChange(id === '' ? null : id)}
    />
  )
}
