import type { UnknownOption } from '@caseward/case-files/custom-columns'
import type { Field } from '@caseward/client/endpoints'
import { useMutation } from '@tanstack/react-query'

import { Banner } from '../../ui/banner.tsx'
import { Button } from '../../ui/button.tsx'
import { formatNumberOf } from '../../ui/format-count.ts'
import { SaveMessage } from '../../ui/save-message.tsx'
import { suggestKey } from './field-draft.ts'
import { useFieldActions } from './use-field-actions.ts'
import { useFields } from './use-fields.ts'

interface AddOptionsProps {
  projectId: string
  options: readonly UnknownOption[]
  /** Called with the fields in use once they have the options. */
  onAdded: (fields: readonly Field[]) => void
}

/** So many labels are named. */
const NAMED = 5

/** Offers to add what a file names and the fields of the project do not have. */
export function AddOptions({ projectId, options, onAdded }: AddOptionsProps) {
  const { active } = useFields(projectId)
  const actions = useFieldActions(projectId)
  const missing = active.flatMap((field) => {
    const labels = [...new Set(options.filter(({ key }) => key === field.key).map(({ label }) => label))]
    // The options of a field of the instance are not for a project to add.
    return labels.length === 0 || field.scope === 'instance' ? [] : [{ field, labels }]
  })
  const count = missing.reduce((sum, { labels }) => sum + labels.length, 0)
  const add = useMutation({
    async mutationFn() {
      let fields = active
      for (const { field, labels } of missing) {
        const changed = await actions.update(field.id, { options: withLabels(field, labels) })
        fields = fields.map((item) => (item.id === changed.id ? changed : item))
      }
      return fields
    },
    onSuccess: onAdded,
  })
  if (count === 0) return null
  const names = missing.map(({ field, labels }) => {
    const rest = labels.length - NAMED
    return `${field.name}: ${labels.slice(0, NAMED).join(', ')}${rest > 0 ? ` and ${rest} more` : ''}`
  })
  return (
    <>
      <Banner
        tone="info"
        actions={
          <Button isBusy={add.isPending} onClick={() => add.mutate()}>
            Add {formatNumberOf(count, 'option')}
          </Button>
        }
      >
        Options that are not there yet: {names.join(' · ')}.
      </Banner>
      <SaveMessage mutation={add} success="" />
    </>
  )
}

function withLabels({ options }: Field, labels: readonly string[]) {
  const all = [...(options ?? [])]
  for (const label of labels) {
    const taken = all.map(({ key }) => key)
    all.push({ key: suggestKey(label, taken, 'option'), label, is_retired: false })
  }
  return all
}
