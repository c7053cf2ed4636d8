import Check from 'lucide-react/icons/check'

import { VisuallyHidden } from '../../ui/visually-hidden.tsx'
import styles from './import.module.css'

const steps = [
  { id: 'file', name: 'File' },
  { id: 'columns', name: 'Columns' },
  { id: 'preview', name: 'Preview' },
  { id: 'result', name: 'Result' },
] as const

/** Where the user is in an import. */
export function StepList({ step }: { step: (typeof steps)[number]['id'] }) {
  const current = steps.findIndex(({ id }) => id === step)
  return (
    <ol className={styles.steps} aria-label="Steps of the import">
      {steps.map(({ id, name }, index) => (
        <li key={id} className={styles.step} aria-current={id === step ? 'step' : undefined}>
          <span className={styles.stepMark} aria-hidden="true">
            {index < current ? <Check /> : index + 1}
          </span>
          {name}
          {index < current && <VisuallyHidden>, done</VisuallyHidden>}
        </li>
      ))}
    </ol>
  )
}
