import type { ReactNode } from 'react'

import { keys } from '../../keys.ts'
import { Button } from '../../ui/button.tsx'
import { Checkbox } from '../../ui/checkbox.tsx'
import styles from '../../ui/form-page.module.css'
import { formatPath } from '../tests/split-path.ts'
import type { TestVerdict } from './failure-queries.ts'
import type { Quarantining } from './use-quarantining.tsx'

interface QuarantinableItemProps {
  test: TestVerdict
  quarantining: Quarantining | null
  children: ReactNode
}

/** An entry of a list of tests that can be selected and quarantined, unless nothing is there to excuse. */
export function QuarantinableItem({ test, quarantining, children }: QuarantinableItemProps) {
  const named = { id: test.id, name: formatPath(test) }
  const isDone = quarantining?.doneIds.has(test.id) === true
  const canQuarantine = !isDone && test.quarantine === null && test.verdict !== 'fixed' && test.verdict !== 'missing'
  return (
    // oxlint-disable-next-line jsx-a11y/no-noninteractive-element-interactions -- follows the focus of what is in it
    <li
      style={{
        display: 'flex',
        gap: 8,
        alignItems: 'start',
        padding: '6px 12px',
        borderBlockStart: '1px solid var(--line)',
      }}
      onFocus={() => canQuarantine && quarantining?.activate(named)}
    >
      {quarantining !== null && canQuarantine && (
        <Checkbox
          label={`Select ${named.name}`}
          isLabelHidden
          checked={quarantining.selected.has(test.id)}
          onChange={(isSelected) => quarantining.select(named, isSelected)}
        />
      )}
      <div style={{ display: 'grid', flex: 1, gap: 2, minWidth: 0 }}>{children}</div>
      {isDone && <span className={styles.warning}>Quarantined from the next run on</span>}
      {quarantining !== null && canQuarantine && (
        <Button
          variant="quiet"
          aria-label={`Quarantine ${named.name}`}
          title={`Quarantine ${keys.quarantine.bindings[0].toUpperCase()}`}
          onClick={() => quarantining.open([named])}
        >
          Quarantine
        </Button>
      )}
    </li>
  )
}
