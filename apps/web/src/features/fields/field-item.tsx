import type { Field } from '@caseward/client/endpoints'
import Ellipsis from 'lucide-react/icons/ellipsis'
import GripVertical from 'lucide-react/icons/grip-vertical'
import { useEffect, useEffectEvent, useRef } from 'react'

import { Button } from '../../ui/button.tsx'
import formStyles from '../../ui/form-page.module.css'
import { IconButton } from '../../ui/icon-button.tsx'
import { formatNumberOf } from '../../ui/format-count.ts'
import { Menu, MenuItem, MenuSeparator } from '../../ui/menu.tsx'
import { statusNames } from '../../ui/status/statuses.ts'
import { makeStepDraggable } from '../test-cases/drag-steps.ts'
import styles from '../test-cases/steps-editor.module.css'
import { formatFieldValue, typeNames } from './field-words.ts'

interface FieldItemProps {
  field: Field
  /** From 0. */
  index: number
  count: number
  onEdit: () => void
  onMove: (from: number, to: number) => void
  /** What taking it out of use is called. */
  removal: 'Retire' | 'Switch off'
  onRetire: () => void
  /** Missing if there are no two options to merge. */
  onMerge: (() => void) | undefined
}

/** A field in use: its number is its handle, with which it is moved by drag or by keys. */
export function FieldItem({ field, index, count, onEdit, onMove, removal, onRetire, onMerge }: FieldItemProps) {
  const row = useRef<HTMLLIElement>(null)
  const drop = useEffectEvent((from: number, edge: 'top' | 'bottom') => {
    const gap = edge === 'top' ? index : index + 1
    onMove(from, from < gap ? gap - 1 : gap)
  })
  const getIndex = useEffectEvent(() => index)
  useEffect(() => {
    if (row.current === null) return undefined
    return makeStepDraggable(
      row.current,
      index,
      (_key, edge, from) => drop(from, edge),
      () => getIndex(),
    )
  }, [index])
  return (
    <li ref={row} className={styles.step} style={{ alignItems: 'center', padding: '8px 12px 8px 4px', gap: 8 }}>
      <IconButton
        className={styles.handle}
        label={`Move ${field.name}, place ${index + 1} of ${count}`}
        shortcut="Alt+ArrowUp"
        aria-keyshortcuts="Alt+ArrowUp Alt+ArrowDown"
        icon={
          <>
            <span className={styles.number}>{index + 1}</span>
            <GripVertical className={styles.grip} />
          </>
        }
        onKeyDown={(event) => {
          const step = event.key === 'ArrowUp' ? -1 : event.key === 'ArrowDown' ? 1 : 0
          if (!event.altKey || step === 0) return
          event.preventDefault()
          onMove(index, index + step)
        }}
      />
      <div className={formStyles.text}>
        <p className={formStyles.name} style={{ overflowWrap: 'anywhere' }}>
          {field.name}
        </p>
        <p className={formStyles.muted} style={{ overflowWrap: 'anywhere' }}>
          {describeField(field)}
        </p>
      </div>
      <Button onClick={onEdit} aria-label={`Change ${field.name}`}>
        Change
      </Button>
      <Menu align="end" trigger={<IconButton label={`More about ${field.name}`} icon={<Ellipsis />} />}>
        <MenuItem isDisabled={index === 0} onSelect={() => onMove(index, index - 1)}>
          Move up
        </MenuItem>
        <MenuItem isDisabled={index === count - 1} onSelect={() => onMove(index, index + 1)}>
          Move down
        </MenuItem>
        <MenuSeparator />
        {onMerge !== undefined && <MenuItem onSelect={onMerge}>Merge options…</MenuItem>}
        <MenuItem onSelect={onRetire}>{removal}</MenuItem>
      </Menu>
    </li>
  )
}

/** The labels of so many options are named. */
const NAMED_OPTIONS = 4

const shorten = (text: string) => (text.length > 40 ? `${text.slice(0, 39)}…` : text)

/** A field; of the instance, in its administration, with the number of its projects. */
type DescribedField = Field & { readonly project_count?: number }

/** What kind of field it is, in one line. */
export function describeField(field: DescribedField): string {
  const usable = (field.options ?? []).filter(({ is_retired: isRetired }) => !isRetired).map(({ label }) => label)
  const rest = usable.length - NAMED_OPTIONS
  const names = usable.slice(0, NAMED_OPTIONS).map(shorten).join(', ') + (rest > 0 ? ` and ${rest} more` : '')
  const { min, max } = field
  const range = [...(min === null ? [] : [`from ${min}`]), ...(max === null ? [] : [`to ${max}`])].join(' ')
  const start = formatFieldValue(field, field.default, () => '')
  return [
    typeNames[field.type] + (names === '' ? '' : `: ${names}`),
    range,
    field.is_required ? 'required' : '',
    field.required_on.length === 0
      ? ''
      : `needed for ${field.required_on.map((status) => statusNames[status].toLowerCase()).join(', ')}`,
    start === '' ? '' : `default ${shorten(start)}`,
    describeScope(field),
    field.key,
  ]
    .filter((part) => part !== '')
    .join(' · ')
}

function describeScope({ scope, project_count: count }: DescribedField): string {
  if (count !== undefined) return formatNumberOf(count, 'project')
  return scope === 'instance' ? 'of this instance' : ''
}
