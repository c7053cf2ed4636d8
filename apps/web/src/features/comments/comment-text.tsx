import { type ComponentProps, createContext, useContext } from 'react'

import { paths } from '../../paths.ts'
import { ExternalLink, MarkdownContent } from '../../ui/markdown-content.tsx'
import { MarkdownImage } from '../../ui/markdown-image.tsx'
import type { ShownFile } from '../files/shown-file.ts'
import styles from './comments.module.css'

type Attachments = readonly Pick<ShownFile, 'id' | 'kind' | 'name' | 'url' | 'width' | 'height'>[]

interface Shown {
  projectId: string
  attachments: Attachments
  getName: (userId: string) => string | undefined
}

const ShownContext = createContext<Shown>({ projectId: '', attachments: [], getName: () => undefined })

const ID = /^(user|attachment):([0-9a-f-]{36})$/i

function parseReference(address: string | undefined): { kind: string; id: string } | null {
  const [, kind = '', id = ''] = ID.exec(address ?? '') ?? []
  return id === '' ? null : { kind: kind.toLowerCase(), id: id.toLowerCase() }
}

/** The attachment with this id, unless its content is not there. */
function findStored(attachments: Attachments, wanted: string) {
  const attachment = attachments.find(({ id }) => id === wanted)
  return attachment === undefined || attachment.url === null ? undefined : { ...attachment, url: attachment.url }
}

/** A mention, an attachment, or an address of the web. Everything else is text. */
function CommentLink({ href, children, ...props }: ComponentProps<'a'>) {
  const { projectId, attachments, getName } = useContext(ShownContext)
  const reference = parseReference(href)
  if (reference?.kind === 'user') {
    const name = getName(reference.id)
    return <span className={styles.mention}>{name === undefined ? children : `@${name}`}</span>
  }
  if (reference !== null) {
    const attachment = findStored(attachments, reference.id)
    if (attachment === undefined) return <>{children}</>
    return <a href={paths.file(projectId, attachment.id)}>{children}</a>
  }
  if (!/^(?:https?:|mailto:|\/|#)/i.test(href ?? '')) return <>{children}</>
  return (
    <ExternalLink {...props} href={href}>
      {children}
    </ExternalLink>
  )
}

/** A picture that is attached to the same place, or one of another address as in every text. */
function CommentImage(props: ComponentProps<'img'>) {
  const { projectId, attachments } = useContext(ShownContext)
  const { src, alt = '' } = props
  if (src?.startsWith('upload:') === true) return <span className={styles.meta}>{`On its way: ${alt}`}</span>
  const reference = parseReference(src)
  if (reference === null) return <MarkdownImage {...props} />
  const attachment = findStored(attachments, reference.id)
  if (attachment === undefined) return <span className={styles.meta}>{`Removed: ${alt === '' ? 'picture' : alt}`}</span>
  const { id, kind, name, url, width, height } = attachment
  const words = alt === '' ? name : alt
  return (
    <a href={paths.file(projectId, id)}>
      {kind === 'image' ? (
        <img
          className={styles.picture}
          src={url}
          alt={words}
          loading="lazy"
          {...(width === null || height === null ? {} : { width, height })}
        />
      ) : (
        words
      )}
    </a>
  )
}

const overrides = { a: CommentLink, img: CommentImage }

interface CommentTextProps extends Shown {
  text: string
}

/** The text of a comment: Markdown with mentions and attachments. */
export function CommentText({ text, ...shown }: CommentTextProps) {
  return (
    <ShownContext value={shown}>
      <MarkdownContent text={text.replaceAll(/@\[([^[\]\n]{1,255})\]\(user:/g, '[@$1](user:')} overrides={overrides} />
    </ShownContext>
  )
}
