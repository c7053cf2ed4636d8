import X from 'lucide-react/icons/x'

import { IconButton } from './icon-button.tsx'
import styles from './tags.module.css'

interface TagsProps {
  tags: readonly string[]
  /** How many are shown before `+47`. */
  limit?: number
  onRemove?: (tag: string) => void
}

/** The tags of a test case on one line. Those that have no place are counted, and listed on hover. */
export function Tags({ tags, limit = tags.length, onRemove }: TagsProps) {
  if (tags.length === 0) return null
  const rest = tags.slice(limit)
  return (
    <ul className={styles.tags}>
      {tags.slice(0, limit).map((tag) => (
        <li key={tag} className={styles.tag}>
          <span className={styles.name} title={tag}>
            {tag}
          </span>
          {onRemove !== undefined && (
            <IconButton
              className={styles.remove}
              label={`Remove the tag ${tag}`}
              icon={<X />}
              onClick={() => onRemove(tag)}
            />
          )}
        </li>
      ))}
      {rest.length > 0 && (
        <li className={styles.rest} title={rest.join(', ')}>
          +{rest.length}
        </li>
      )}
    </ul>
  )
}
