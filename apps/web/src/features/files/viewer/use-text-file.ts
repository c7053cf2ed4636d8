import { getFileText } from '@caseward/client/endpoints'
import { useCallback, useEffect, useRef, useState } from 'react'

import { api } from '../../../api.ts'
import { request } from '../../../request-failed.ts'
import type { OpenableFile } from '../shown-file.ts'
import { plainLook } from './ansi.ts'
import { splitLines, type TextEnd, type TextLine, textStart } from './text-lines.ts'

/** What is loaded of a text: from a place in the file on. */
interface LoadedText {
  readonly lines: readonly TextLine[]
  /** In bytes. */
  readonly from: number
  readonly to: number
  readonly end: TextEnd
  /** The line to show after a jump: the last one of the end of the file, else the first one. */
  readonly target: { readonly index: number } | null
}

/** Bytes that are kept at once, so that a file of any size stays usable. */
const MAX_LOADED_BYTES = 8 * 1024 * 1024
const PART_BYTES = 256 * 1024

const startAt = (from: number, end: TextEnd): LoadedText => ({ lines: [], from, to: from, end, target: null })

/** Reads a text in parts. */
export function useTextFile(projectId: string, { file_id, byte_count: byteCount }: OpenableFile) {
  const [loaded, setLoaded] = useState<LoadedText>(() => startAt(0, textStart))
  const [error, setError] = useState<unknown>(null)
  const isLoading = useRef(false)
  const loads = useRef(0)
  const current = useRef(loaded)
  const isFull = loaded.to - loaded.from >= MAX_LOADED_BYTES
  const isAtEnd = loaded.to >= byteCount

  const load = useCallback(
    async (start: LoadedText, shows: 'first' | 'last' | null = null): Promise<void> => {
      // What follows can wait for what is being loaded; a jump replaces it.
      if (shows === null && isLoading.current) return
      isLoading.current = true
      loads.current += 1
      const number = loads.current
      const isReplaced = () => number !== loads.current
      setError(null)
      try {
        const params = { project_id: projectId, file_id }
        const { data } = (await request(api, getFileText, { params, query: { from: start.to } })).data
        if (isReplaced()) return
        const isInMiddle = start.lines.length === 0 && start.end.nextNumber === null
        const { lines, end } = splitLines(isInMiddle ? dropPartOfLine(data.text) : data.text, start.end)
        const target = shows === null ? start.target : { index: shows === 'first' ? 0 : lines.length - 1 }
        current.current = { lines: [...start.lines, ...lines], from: start.from, to: data.to, end, target }
        setLoaded(current.current)
      } catch (caught) {
        if (!isReplaced()) setError(caught)
      } finally {
        if (!isReplaced()) isLoading.current = false
      }
    },
    [projectId, file_id],
  )
  useEffect(() => {
    if (byteCount > 0) void load(startAt(0, textStart))
  }, [load, byteCount])

  const loadMore = useCallback(() => {
    const { from, to } = current.current
    if (to < byteCount && to > from && to - from < MAX_LOADED_BYTES) void load(current.current)
  }, [load, byteCount])
  const jump = (from: number, { shows = 'first', end }: { shows?: 'first' | 'last'; end?: TextEnd } = {}) =>
    void load(startAt(from, end ?? { look: plainLook, nextNumber: from === 0 ? 1 : null, isOpen: false }), shows)

  return {
    lines: loaded.lines,
    target: loaded.target,
    error,
    isAtEnd,
    isAtStart: loaded.from === 0,
    /** Whether the next part replaces what is loaded. */
    isFull,
    /** The share of the file that is loaded, with what is before it, in percent. */
    percent: byteCount === 0 ? 100 : Math.floor((loaded.to / byteCount) * 100),
    loadMore,
    retry: () => void load(current.current),
    goToStart: () => jump(0),
    goToEnd: () => jump(Math.max(0, byteCount - PART_BYTES), { shows: 'last' }),
    /** Replaces what is loaded by what follows. */
    goOn: () => jump(loaded.to, { end: loaded.end }),
    /** Replaces what is loaded by what is before it. */
    goBack: () => jump(Math.max(0, loaded.from - MAX_LOADED_BYTES / 8)),
  }
}

/** A part that begins anywhere begins within a line. */
const dropPartOfLine = (text: string): string => text.slice(text.indexOf('\n') + 1)
