import type { Link } from '@caseward/client/endpoints'
import { useQueryClient } from '@tanstack/react-query'
import Bug from 'lucide-react/icons/bug'
import LinkIcon from 'lucide-react/icons/link'
import Plus from 'lucide-react/icons/plus'
import X from 'lucide-react/icons/x'
import { type ReactNode, useRef, useState } from 'react'

import { describeFailure } from '../../problems.ts'
import { Button } from '../../ui/button.tsx'
import { IconButton } from '../../ui/icon-button.tsx'
import { showToast } from '../../ui/toast.ts'
import { VisuallyHidden } from '../../ui/visually-hidden.tsx'
import { undoStack } from '../../undo/use-undo.ts'
import { AddLinkForm, useAddressDraft } from './add-link-form.tsx'
import type { LinkPlace, NewLink } from './link-places.ts'
import { linkKindNames } from './link-words.ts'
import styles from './links.module.css'

interface LinkListProps {
  place: LinkPlace
  links: readonly Link[]
  mayChange: boolean
  /** The heading, where the place does not say what they are. */
  heading?: ReactNode
}

/** The links of a test case or result. Nothing at all for users who may not add the first one. */
export function LinkList({ place, links, mayChange, heading }: LinkListProps) {
  const queryClient = useQueryClient()
  const { isDraft } = useAddressDraft(place)
  const [isAdding, setIsAdding] = useState(isDraft)
  const [wasAsked, setWasAsked] = useState(false)
  const addButton = useRef<HTMLButtonElement>(null)
  if (links.length === 0 && !mayChange) return null

  async function add(link: NewLink): Promise<void> {
    const added = await place.add(link)
    place.show(queryClient, (shown) => [...shown.filter(({ id }) => id !== added.id), added])
  }
  async function remove(link: Link): Promise<void> {
    try {
      await place.remove(link)
      place.show(queryClient, (shown) => shown.filter(({ id }) => id !== link.id))
      const { url, kind, label } = link
      undoStack.push({ words: `Link “${label}” removed`, undo: () => add({ url, kind, label }) })
      addButton.current?.focus()
    } catch (error) {
      showToast({ message: `Not removed: ${describeFailure(error, { noun: 'link' }).message}` })
    }
  }
  function open(): void {
    setIsAdding(true)
    setWasAsked(true)
  }
  function close(): void {
    setIsAdding(false)
    // Once the button is there again.
    requestAnimationFrame(() => addButton.current?.focus())
  }
  return (
    <section className={styles.section} aria-label="Links">
      {heading}
      {links.length > 0 && (
        <ul className={styles.links}>
          {links.map((link) => (
            <li key={link.id} className={styles.link}>
              {link.kind === 'defect' ? <Bug aria-hidden /> : <LinkIcon aria-hidden />}
              <a
                className={styles.label}
                href={link.url}
                title={link.url}
                target="_blank"
                rel="noopener noreferrer nofollow"
              >
                <VisuallyHidden>{linkKindNames[link.kind]} </VisuallyHidden>
                {link.label}
              </a>
              {mayChange && (
                <IconButton label={`Remove link ${link.label}`} icon={<X />} onClick={() => void remove(link)} />
              )}
            </li>
          ))}
        </ul>
      )}
      {isAdding ? (
        <AddLinkForm place={place} onAdd={add} onClose={close} takesFocus={wasAsked} />
      ) : (
        mayChange && (
          <div>
            <Button ref={addButton} variant="quiet" icon={<Plus />} onClick={open}>
              Add link
            </Button>
          </div>
        )
      )}
    </section>
  )
}
