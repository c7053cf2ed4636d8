import { useQuery } from '@tanstack/react-query'
import Camera from 'lucide-react/icons/camera'
import Paperclip from 'lucide-react/icons/paperclip'
import { type ReactNode, useCallback, useRef, useState } from 'react'

import { keys } from '../../keys.ts'
import { describeFailure } from '../../problems.ts'
import { Button } from '../../ui/button.tsx'
import { ErrorMessage } from '../../ui/error-message.tsx'
import { formatWholeNumber } from '../../ui/format-count.ts'
import { useMediaQuery } from '../../ui/use-media-query.ts'
import { useHiddenIds } from '../../undo/use-undo.ts'
import { type FilePlace, getPlaceKey } from '../../uploads/upload-entry.ts'
import { useUploads } from '../../uploads/use-uploads.ts'
import { useKeys } from '../../use-keys.ts'
import { describeUploads } from './describe-uploads.ts'
import { DropHighlight } from './drop-highlight.tsx'
import { useFileDrop } from './file-drop.ts'
import { filesOf } from './file-queries.ts'
import { FileTile } from './file-tile.tsx'
import { namePasted } from './file-words.ts'
import styles from './files.module.css'
import { LazyViewer } from './lazy-viewer.ts'
import { isOpenable, type ShownFile, toShownFile } from './shown-file.ts'
import { UploadTile } from './upload-tile.tsx'
import { useFileActions } from './use-file-actions.ts'
import { viewFile } from './viewed-file.ts'

/** Tiles that are shown at first. */
const MAX_TILES = 24

export interface FilesSectionProps {
  place: FilePlace
  mayAdd: boolean
  /** The heading, with the look of its place. */
  renderHeading: (text: string) => ReactNode
  /** What files are dropped on: `WEB-12`. */
  target: string
  /** Whether its keys act on the page: there is one such section. */
  hasKeys?: boolean
  /** Whether the place is known to have no files, so that nothing is read. */
  isEmpty?: boolean
  /** What users see who may not add the first file; nothing by default. */
  empty?: string
}

/** The files of a place, and how others are added. Nothing at all for users who may not add the first one. */
export function FilesSection({
  place,
  mayAdd,
  renderHeading,
  target,
  hasKeys = false,
  isEmpty,
  empty,
}: FilesSectionProps) {
  const found = useQuery({
    ...filesOf(place),
    enabled: isEmpty !== true,
    // What is attached here is added to it. It is read once the place is known to have files.
    ...(isEmpty === true ? { initialData: [], initialDataUpdatedAt: 0 } : {}),
  })
  const [uploads, { entries, progress, ...state }] = useUploads()
  const hiddenIds = useHiddenIds()
  const actions = useFileActions(place)
  const [showsAll, setShowsAll] = useState(false)
  const section = useRef<HTMLElement>(null)
  const input = useRef<HTMLInputElement>(null)
  const camera = useRef<HTMLInputElement>(null)
  const isTouched = useMediaQuery('(pointer: coarse)')
  const getArea = useCallback(() => section.current?.closest('[data-takes-files],main') ?? null, [])
  const area = useFileDrop(mayAdd, getArea, (files, isPasted) => add(files, isPasted))
  const combination = place.kind === 'result' ? place.combination : undefined
  const files = (found.data ?? [])
    .map(toShownFile)
    .filter((file) => !hiddenIds.has(file.id) && (combination === undefined || file.place === combination))
  const waiting = entries.filter((entry) => getPlaceKey(entry.place) === getPlaceKey(place))
  const firstOpenable = files.find(isOpenable)
  const isKnown = found.data !== undefined
  const open = ({ id }: ShownFile) => viewFile({ place, id })
  useKeys(hasKeys && mayAdd ? { addFiles: () => input.current?.click() } : {})
  useKeys(hasKeys && firstOpenable !== undefined ? { viewFiles: () => open(firstOpenable) } : {})

  function add(added: readonly File[], isPasted = false): void {
    uploads.add(
      place,
      isPasted ? added.map((file) => new File([file], namePasted(file, new Date()), { type: file.type })) : added,
    )
  }
  if (!isKnown && found.error !== null) {
    return (
      <ErrorMessage title="The files could not be loaded." onRetry={() => void found.refetch()}>
        {describeFailure(found.error, { noun: 'list of files' }).message}
      </ErrorMessage>
    )
  }
  // Users who may add files have the place at once, so that nothing below it moves.
  if (files.length + waiting.length === 0 && !mayAdd) {
    return isKnown && empty !== undefined ? <p className={styles.hint}>{empty}</p> : null
  }
  const shown = showsAll ? files : files.slice(0, MAX_TILES)
  const message = describeUploads(waiting, progress, state)
  const chooser = (ref: typeof input, label: string, isCamera: boolean) => (
    <input
      ref={ref}
      className={styles.input}
      type="file"
      multiple={!isCamera}
      tabIndex={-1}
      aria-label={label}
      {...(isCamera ? { accept: 'image/*', capture: 'environment' as const } : {})}
      onChange={({ currentTarget }) => {
        add([...(currentTarget.files ?? [])])
        // The same file can be chosen again.
        currentTarget.value = ''
      }}
    />
  )
  return (
    <section ref={section} className={styles.section} aria-label="Files">
      <div className={styles.head}>
        {renderHeading(files.length === 0 ? 'Files' : `Files (${formatWholeNumber(files.length)})`)}
        {mayAdd && (
          <span className={styles.buttons}>
            {isTouched && (
              <Button variant="quiet" icon={<Camera />} onClick={() => camera.current?.click()}>
                Photo
              </Button>
            )}
            <Button
              variant="quiet"
              icon={<Paperclip />}
              shortcut={hasKeys ? keys.addFiles.bindings[0] : undefined}
              onClick={() => input.current?.click()}
            >
              Add files
            </Button>
          </span>
        )}
      </div>
      {files.length + waiting.length === 0 && !isTouched && (
        <p className={styles.hint}>Paste a screenshot, or drop files.</p>
      )}
      {shown.length + waiting.length > 0 && (
        <ul className={styles.tiles}>
          {shown.map((file) => (
            <FileTile
              key={file.id}
              file={file}
              actions={actions}
              onOpen={() => open(file)}
              onApproach={LazyViewer.preload}
            />
          ))}
          {waiting.map((entry) => (
            <UploadTile key={entry.id} entry={entry} uploads={uploads} progress={progress.get(entry.id)} />
          ))}
        </ul>
      )}
      {shown.length < files.length && (
        <div>
          <Button variant="quiet" onClick={() => setShowsAll(true)}>
            {`Show all ${formatWholeNumber(files.length)}`}
          </Button>
        </div>
      )}
      <p className={message === null ? styles.silent : styles.message} role="status">
        {message?.text}
        {message?.canRetry === true && (
          <Button variant="quiet" onClick={uploads.retryNow}>
            Try now
          </Button>
        )}
      </p>
      {mayAdd && chooser(input, 'Files to attach', false)}
      {mayAdd && isTouched && chooser(camera, 'Photo to attach', true)}
      {area !== null && <DropHighlight area={area} words={`Drop to attach to ${target}`} />}
    </section>
  )
}
