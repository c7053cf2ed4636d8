import { keyPlaces, keyWords } from '../key-words.ts'
import { type KeyDefinition, type KeyId, type KeyPlace, listKeys } from '../keys.ts'
import { formatKeys } from '../ui/format-keys.ts'
import { isMac, Kbd } from '../ui/kbd.tsx'
import { VisuallyHidden } from '../ui/visually-hidden.tsx'
import styles from './key-list.module.css'

interface KeyListProps {
  places: readonly KeyPlace[]
  headingLevel: 2 | 3
  /** Leaves keys out. */
  isShown?: (id: KeyId, definition: KeyDefinition) => boolean
}

/** The keys of some places with what they do. */
export function KeyList({ places, headingLevel, isShown }: KeyListProps) {
  const Heading = headingLevel === 2 ? 'h2' : 'h3'
  return (
    <div className={styles.groups}>
      {places.map((place) => (
        <section key={place} className={styles.group} aria-label={keyPlaces[place]}>
          <Heading className={styles.heading}>{keyPlaces[place]}</Heading>
          <dl>
            {listKeys(place)
              .filter(({ id, definition }) => isShown?.(id, definition) ?? true)
              .map(({ id, definition }) => (
                <div key={id} className={styles.row}>
                  <dt className={styles.words}>{keyWords[id]}</dt>
                  <dd>
                    <Kbd keys={getShownKeys(definition)} />
                    <VisuallyHidden>{formatKeys(getShownKeys(definition), isMac).join(' ')}</VisuallyHidden>
                  </dd>
                </div>
              ))}
          </dl>
        </section>
      ))}
    </div>
  )
}

/** The arrow keys belong together; of other bindings, the first is enough. */
const getShownKeys = ({ bindings }: KeyDefinition): string =>
  bindings.every((binding) => binding.startsWith('Arrow')) ? bindings.join(' ') : (bindings[0] ?? '')
