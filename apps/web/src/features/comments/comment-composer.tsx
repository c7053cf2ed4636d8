import type { Comment, Person } from '@caseward/client/endpoints'
import { findAttachmentIds, findMentions } from '@caseward/matching/comment-references'
import { useQuery } from '@tanstack/react-query'
import { type KeyboardEvent, useEffect, useEffectEvent, useId, useRef, useState } from 'react'
import { flushSync } from 'react-dom'

import { useDraft } from '../../drafts/use-draft.ts'
import { useDrafts } from '../../drafts/use-drafts.ts'
import { describeFailure } from '../../problems.ts'
import { Avatar } from '../../ui/avatar.tsx'
import { Banner } from '../../ui/banner.tsx'
import { Button } from '../../ui/button.tsx'
import { classNames } from '../../ui/class-names.ts'
import { TextArea } from '../../ui/text-area.tsx'
import { useMediaQuery } from '../../ui/use-media-query.ts'
import { useKeys } from '../../use-keys.ts'
import { commentItem, formatUpload } from '../../uploads/comment-files.ts'
import { filesOf } from '../files/file-queries.ts'
import { toShownFile } from '../files/shown-file.ts'
import type { CommentPlace, WrittenComment } from './comment-queries.ts'
import { CommentText } from './comment-text.tsx'
import styles from './comments.module.css'
import { takeEarlyKey } from './early-comment-key.ts'
import { cleanName, toStored, toTyped } from './mention-text.ts'
import { PastedFilesLines } from './pasted-files-lines.tsx'
import { useMentionList } from './use-mention-list.ts'
import { usePastedFiles } from './use-pasted-files.ts'

const MAX_LENGTH = 65_536

interface CommentComposerProps {
  place: CommentPlace
  people: readonly Person[]
  /** Whether its key acts on the page. */
  hasKeys?: boolean
  /** The comment that is changed; missing for a new one. */
  comment?: Comment
  onSend: (written: WrittenComment) => Promise<void>
  /** Ends a change. */
  onCancel?: () => void
}

/** Writes a comment. What is typed is kept in this browser until the server has it. */
export function CommentComposer(props: CommentComposerProps) {
  const { place, people, hasKeys = false, comment, onSend, onCancel } = props
  const item = commentItem(place, comment?.id ?? null)
  const draft = useDraft(useDrafts(), item, comment?.body ?? '')
  const [chosen, setChosen] = useState(() => findMentions(draft.text))
  const [isPreview, setIsPreview] = useState(false)
  const [isBusy, setIsBusy] = useState(false)
  const [error, setError] = useState<unknown>(null)
  const field = useRef<HTMLTextAreaElement>(null)
  const listId = useId()
  const typed = toTyped(draft.text)
  const type = (text: string, mentions = chosen) => {
    setError(null)
    draft.type(toStored(text, mentions))
  }
  const list = useMentionList(
    people.filter(({ is_member: isMember }) => isMember),
    field,
    ({ id: userId, name }, { before, after }) => {
      const mention = { userId, name: cleanName(name) }
      // Another user with the same name: the id tells them apart.
      const isTaken = chosen.some((other) => other.name === mention.name && other.userId !== userId)
      const mentions = isTaken ? chosen : [...chosen.filter((other) => other.userId !== userId), mention]
      setChosen(mentions)
      const text = isTaken ? `@[${mention.name}](user:${userId})` : `@${mention.name}`
      type(`${before}${text} ${after.replace(/^ /, '')}`, mentions)
    },
  )
  const files = usePastedFiles(place, item, draft.text, (entry) => {
    const area = field.current
    const caret = area?.selectionStart ?? typed.length
    const current = area?.value ?? typed
    type(`${current.slice(0, caret)}${formatUpload(entry)}${current.slice(caret)}`)
  })
  /** Whether it is to be sent when its pictures are. */
  const [isAwaited, setIsAwaited] = useState(false)
  useKeys(hasKeys ? { comment: write } : {})
  const resultId = place.kind === 'result' ? place.resultId : null
  useEffect(() => {
    if (hasKeys && resultId !== null && takeEarlyKey(resultId)) field.current?.focus()
  }, [hasKeys, resultId])
  // Touch screens have no keys.
  const isTouched = useMediaQuery('(pointer: coarse)')
  const isChange = comment !== undefined
  useEffect(() => {
    if (!isChange) return
    field.current?.focus()
    field.current?.setSelectionRange(field.current.value.length, field.current.value.length)
  }, [isChange])
  const failure = error === null ? null : describeFailure(error, { noun: 'comment' })
  const isEmpty = typed.trim() === ''

  /** The field has the focus at once: what is typed next must not act as keys of the page, which set results. */
  function write(): void {
    flushSync(() => setIsPreview(false))
    field.current?.focus()
  }
  function forget(): void {
    draft.forget()
    files.forget()
    setChosen([])
    setIsPreview(false)
  }
  async function send(): Promise<void> {
    if (isEmpty || isBusy || files.lostCount > 0) return
    if (files.isWaiting) return setIsAwaited(true)
    setIsAwaited(false)
    setIsBusy(true)
    setError(null)
    const { body, attachmentIds } = files.written
    try {
      await onSend({ body, attachment_ids: [...attachmentIds] })
      forget()
    } catch (caught) {
      setError(caught)
    }
    setIsBusy(false)
  }
  const sendLater = useEffectEvent(() => void send())
  const isReady = isAwaited && !files.isWaiting
  useEffect(() => {
    if (isReady) sendLater()
  }, [isReady])
  function cancel(): void {
    forget()
    onCancel?.()
  }
  function handleKey(event: KeyboardEvent<HTMLTextAreaElement>): void {
    if (list.handleKey(event)) return
    if (event.key === 'Enter' && (event.ctrlKey || event.metaKey)) {
      event.preventDefault()
      void send()
    }
    if (event.key !== 'Escape') return
    event.stopPropagation()
    if (isChange) cancel()
    else event.currentTarget.blur()
  }
  const { data: known = [] } = useQuery({
    ...filesOf(place),
    enabled: isPreview && findAttachmentIds(files.written.body).length > 0,
  })
  const names = new Map(people.map(({ id, name }) => [id, name]))
  return (
    <form
      className={styles.composer}
      aria-label={isChange ? 'Change the comment' : 'New comment'}
      noValidate
      onSubmit={(event) => {
        event.preventDefault()
        void send()
      }}
    >
      {failure !== null && <Banner tone="error">{failure.fields.get('body') ?? failure.message}</Banner>}
      {isPreview ? (
        <section className={styles.preview} aria-label="Preview">
          <CommentText
            text={files.written.body}
            projectId={place.projectId}
            attachments={[...(comment?.attachments ?? []), ...known.map(toShownFile)]}
            getName={(id) => names.get(id)}
          />
        </section>
      ) : (
        <div>
          <TextArea
            label={isChange ? 'Text of the comment' : 'Comment'}
            isLabelHidden
            inputRef={field}
            value={typed}
            minRows={2}
            maxRows={16}
            limit={MAX_LENGTH}
            {...(hasKeys ? { 'aria-keyshortcuts': 'M' } : {})}
            placeholder={`${hasKeys && !isTouched ? 'M writes' : 'Write'} a comment. @ mentions a member, and a pasted picture is attached.`}
            aria-autocomplete="list"
            aria-controls={list.people.length > 0 ? listId : undefined}
            aria-activedescendant={list.people.length > 0 ? `${listId}-${list.activeIndex}` : undefined}
            onChange={({ target }) => {
              type(target.value)
              list.look(target.value, target.selectionStart)
            }}
            onKeyDown={handleKey}
            onPaste={files.handlePaste}
            onBlur={list.close}
          />
          {list.people.length > 0 && (
            <div className={styles.suggestions} role="listbox" id={listId} aria-label="Members" tabIndex={-1}>
              {list.people.map((person, index) => (
                // oxlint-disable-next-line jsx-a11y/click-events-have-key-events -- the keys are those of the field
                <div
                  key={person.id}
                  id={`${listId}-${index}`}
                  className={classNames(styles.suggestion, index === list.activeIndex ? styles.active : undefined)}
                  role="option"
                  tabIndex={-1}
                  aria-selected={index === list.activeIndex}
                  // The field keeps the focus.
                  onPointerDown={(event) => event.preventDefault()}
                  onClick={() => list.choose(person)}
                >
                  <Avatar name={person.name} isNamed={false} />
                  {person.name}
                </div>
              ))}
            </div>
          )}
        </div>
      )}
      <PastedFilesLines files={files} isAwaited={isAwaited} />
      {(!isEmpty || isChange) && (
        <div className={styles.commentHead}>
          <Button
            type="submit"
            variant="primary"
            shortcut="$mod+Enter"
            isBusy={isBusy || isAwaited}
            disabled={isEmpty || files.lostCount > 0}
          >
            {isChange ? 'Save' : 'Comment'}
          </Button>
          <Button aria-pressed={isPreview} onClick={() => setIsPreview(!isPreview)}>
            {isPreview ? 'Write' : 'Preview'}
          </Button>
          <Button variant="quiet" onClick={cancel}>
            {isChange ? 'Cancel' : 'Discard'}
          </Button>
        </div>
      )}
    </form>
  )
}
