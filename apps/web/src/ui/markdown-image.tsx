import type { Me } from '@caseward/client/endpoints'
import { useQueryClient } from '@tanstack/react-query'
import ImageIcon from 'lucide-react/icons/image'
import { type ComponentProps, createContext, useContext, useState } from 'react'

import { queryKeys } from '../query-keys.ts'
import { AttachedImage } from './attached-image.tsx'
import { choosePlace } from './choose-image-place.ts'
import styles from './markdown-content.module.css'

/** Whether what is rendered is within a link, which must not contain another one. */
export const IsInLink = createContext(false)

/**
 * An image of this server or of one that the operator names. Another server is not asked before the user wants it: it would
 * learn who reads the text, and when.
 */
export function MarkdownImage(props: ComponentProps<'img'>) {
  const [isWanted, setIsWanted] = useState(false)
  const isInLink = useContext(IsInLink)
  const sources = useQueryClient().getQueryData<Me>(queryKeys.me())?.image_sources ?? []
  const { src = '', alt = '' } = props
  const attachmentId = /^attachment:([0-9a-f-]{36})$/i.exec(src)?.[1]
  const { place, host } = choosePlace(src, location.origin, sources)
  if (attachmentId !== undefined) return <AttachedImage {...props} attachmentId={attachmentId.toLowerCase()} />
  if (place === 'here' || isWanted) {
    // Loaded when it comes into sight; other servers are not told the address of the page.
    // oxlint-disable-next-line jsx-a11y/alt-text -- the text has it
    return <img {...props} loading="lazy" referrerPolicy="no-referrer" />
  }
  const label = (
    <>
      <ImageIcon aria-hidden />
      {alt === '' ? 'Image' : `Image: ${alt}`} <span className={styles.host}>{host}</span>
    </>
  )
  if (isInLink || host === '') return <span className={styles.image}>{label}</span>
  if (place === 'after-click') {
    return (
      <button type="button" className={styles.image} title={`Load it from ${host}`} onClick={() => setIsWanted(true)}>
        {label}
      </button>
    )
  }
  return (
    <a className={styles.image} href={src} target="_blank" rel="noreferrer" title={`Open it at ${host} in a new tab`}>
      {label}
    </a>
  )
}
