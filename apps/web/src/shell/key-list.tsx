import { keyPlaces, type KeyDefinition, type KeyId, type KeyPlace, listKeys } from '../keys.ts'
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

const showAll = () => true

/** The keys of some places with what they do. */
export function KeyList({ places, headingLevel, isShown = showAll }: KeyListProps) {
  const Heading = headingLevel === 2 ? 'h2' : 'h3'
  return (
    <div className={styles.groups}>
      {places.map((place) => (
        <section key={place} className={styles.group} aria-label={keyPlaces[place]}>
          <Heading className={styles.heading}>{keyPlaces[place]}</Heading>
          <dl>
            {listKeys(place)
              .filter(({ id, definition }) => isShown(id, definition))
              .map(({ id, definition: { bindings, words } }) => (
                <div key={id} className={styles.row}>
                  <dt className={styles.words}>{words}</dt>
                  <dd>
                    <Kbd keys={bindings[0] ?? ''} />
                    <VisuallyHidden>{formatKeys(bindings[0] ?? '', isMac).join(' ')}</VisuallyHidden>
                  </dd>
                </div>
              ))}
          </dl>
        </section>
      ))}
    </div>
  )
}
