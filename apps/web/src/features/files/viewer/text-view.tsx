import { type KeyboardEvent, useDeferredValue, useMemo, useRef, useState } from 'react'

import { keys } from '../../../keys.ts'
import { describeFailure } from '../../../problems.ts'
import { Button } from '../../../ui/button.tsx'
import { classNames } from '../../../ui/class-names.ts'
import { ErrorMessage } from '../../../ui/error-message.tsx'
import { TextField } from '../../../ui/field.tsx'
import { formatWholeNumber } from '../../../ui/format-count.ts'
import { LineList } from '../../../ui/line-list.tsx'
import type { OpenableFile } from '../shown-file.ts'
import type { AnsiLook } from './ansi.ts'
import { JsonView, MAX_JSON_BYTES } from './json-view.tsx'
import { cutParts, findMatches, type TextLine, type TextMatch } from './text-lines.ts'
import styles from './text-view.module.css'
import { useTextFile } from './use-text-file.ts'
import { useViewerKeys } from './use-viewer-keys.ts'

/** A text of any size: its lines, a search in what is loaded, and JSON as a tree. */
export function TextView({ projectId, file }: { projectId: string; file: OpenableFile }) {
  const text = useTextFile(projectId, file)
  const { lines, error } = text
  // Nobody scrolls sideways on a phone.
  const [isWrapped, setIsWrapped] = useState(() => matchMedia('(width < 700px)').matches)
  const [isFolded, setIsFolded] = useState(false)
  const [searched, setSearched] = useState('')
  const [chosen, setChosen] = useState(0)
  // Whoever goes to an end of the text sees it, and its matches again with the next step of the search.
  const [isAtJump, setIsAtJump] = useState(false)
  const search = useRef<HTMLInputElement>(null)
  const needle = useDeferredValue(searched)
  const matches = useMemo(() => findMatches(lines, needle), [lines, needle])
  const current = matches[chosen % Math.max(1, matches.length)]
  const found = useMemo(() => (current === undefined ? null : { index: current.line }), [current])
  const byLine = useMemo(() => groupByLine(matches), [matches])
  const canFold = file.byte_count <= MAX_JSON_BYTES && /^\s*[[{]/.test(lines[0]?.text ?? '')
  useViewerKeys({ searchText: () => search.current?.focus() })
  const next = (by: number) => {
    setIsAtJump(false)
    setChosen((chosen + by + matches.length) % Math.max(1, matches.length))
  }
  const jump = (go: () => void) => () => {
    setIsAtJump(true)
    go()
  }

  function handleKey(event: KeyboardEvent): void {
    if (event.key === 'Enter') next(event.shiftKey ? -1 : 1)
    if (event.key !== 'Escape') return
    // Leaves the field first; the next one closes the viewer.
    event.stopPropagation()
    search.current?.blur()
  }
  if (lines.length === 0 && error !== null) {
    return (
      <ErrorMessage title="The text could not be loaded." onRetry={text.retry}>
        {describeFailure(error, { noun: 'file' }).message}
      </ErrorMessage>
    )
  }
  const digits = String(lines.findLast(({ number }) => number !== null)?.number ?? '').length
  return (
    <>
      {file.byte_count === 0 && <p className={styles.empty}>The file is empty.</p>}
      {isFolded ? (
        <JsonView file={file} />
      ) : (
        <LineList
          label="Text"
          count={lines.length}
          isWrapped={isWrapped}
          target={isAtJump ? text.target : (found ?? text.target)}
          onReachEnd={text.loadMore}
          renderLine={(index) => {
            const line = lines[index]
            return line === undefined ? null : (
              <Line line={line} digits={digits} matches={byLine.get(index) ?? noMatches} chosen={chosen} />
            )
          }}
        />
      )}
      <div className={styles.tools}>
        {!isFolded && (
          <>
            <TextField
              ref={search}
              label="Search the text"
              isLabelHidden
              placeholder="Search"
              aria-keyshortcuts={keys.searchText.bindings[0]}
              value={searched}
              onChange={({ target: { value } }) => {
                setSearched(value)
                setChosen(0)
                setIsAtJump(false)
              }}
              onKeyDown={handleKey}
            />
            <span className={styles.count} role="status">
              {needle !== '' && describeMatches(matches.length, chosen, text.isAtStart && text.isAtEnd)}
            </span>
            <Button aria-pressed={isWrapped} onClick={() => setIsWrapped(!isWrapped)}>
              Wrap lines
            </Button>
          </>
        )}
        {canFold && (
          <Button aria-pressed={isFolded} onClick={() => setIsFolded(!isFolded)}>
            Fold JSON
          </Button>
        )}
        {!(text.isAtStart && text.isAtEnd) && !isFolded && (
          <>
            {!text.isAtStart && <Button onClick={jump(text.goToStart)}>Start</Button>}
            {!text.isAtStart && <Button onClick={text.goBack}>Earlier</Button>}
            {text.isFull && !text.isAtEnd && <Button onClick={text.goOn}>Go on</Button>}
            {!text.isAtEnd && <Button onClick={jump(text.goToEnd)}>End</Button>}
            <span className={styles.count}>{`${text.percent} %`}</span>
          </>
        )}
        {error !== null && (
          <span className={styles.failure} role="alert">
            {describeFailure(error, { noun: 'file' }).message}
            <Button variant="quiet" onClick={text.retry}>
              Try again
            </Button>
          </span>
        )}
      </div>
    </>
  )
}

type IndexedMatch = TextMatch & { readonly index: number }
const noMatches: readonly IndexedMatch[] = []

function groupByLine(matches: readonly TextMatch[]): ReadonlyMap<number, readonly IndexedMatch[]> {
  const byLine = new Map<number, IndexedMatch[]>()
  for (const [index, match] of matches.entries()) {
    byLine.set(match.line, [...(byLine.get(match.line) ?? []), { ...match, index }])
  }
  return byLine
}

function describeMatches(count: number, chosen: number, isWhole: boolean): string {
  const scope = isWhole ? '' : ' in what is loaded'
  return count === 0 ? `Not found${scope}` : `${formatWholeNumber(chosen + 1)} of ${formatWholeNumber(count)}${scope}`
}

interface LineProps {
  line: TextLine
  /** Of the largest number, so that the text begins in one column. */
  digits: number
  matches: readonly IndexedMatch[]
  /** The index of the match that is shown. */
  chosen: number
}

function Line({ line, digits, matches, chosen }: LineProps) {
  return (
    <>
      {digits > 0 && (
        <span
          className={styles.number}
          style={{ width: `${digits}ch` }}
          data-number={line.number ?? ''}
          aria-hidden="true"
        />
      )}
      <span className={styles.text}>
        {cutParts(line, matches).map(({ from, text, look, match }) =>
          match === null ? (
            <span key={from} className={getClassName(look)}>
              {text}
            </span>
          ) : (
            <mark key={from} className={classNames(styles.match, match === chosen && styles.chosen)}>
              {text}
            </mark>
          ),
        )}
      </span>
    </>
  )
}

/** Names of the styles by number: black to white, then the bright ones. */
const colors = ['black', 'red', 'green', 'yellow', 'blue', 'magenta', 'cyan', 'white'] as const

function getClassName(look: AnsiLook): string | undefined {
  const { color, background } = look
  const isBright = (color ?? 0) > 7 || look.isBold
  const names = classNames(
    color !== null && styles[colors[color % 8] ?? 'white'],
    background !== null && styles.filled,
    isBright && styles.bold,
    look.isDim && styles.dim,
    look.isItalic && styles.italic,
    look.isUnderlined && styles.underlined,
  )
  return names === '' ? undefined : names
}
