import { useSyncExternalStore } from 'react'

import type { FilePlace } from '../../uploads/upload-entry.ts'

/** A test in a run, whose attempts have files. Nobody attaches others to it. */
export interface TestPlace {
  readonly kind: 'test'
  readonly projectId: string
  readonly runId: string
  readonly testId: string
}

/** Whose files are shown. */
export type ShownPlace = FilePlace | TestPlace

/** The file that the viewer shows over the page. */
export interface ViewedFile {
  /** Whose files the arrow keys lead through. */
  readonly place: ShownPlace
  readonly id: string
}

let viewed: ViewedFile | null = null
const listeners = new Set<() => void>()

/**
 * Opens the viewer, shows another file in it, or closes it with null. The frame of the app has it, and not the part of the
 * page that opens it: in a window of another width, that part is another one.
 */
export function viewFile(file: ViewedFile | null): void {
  viewed = file
  listeners.forEach((listener) => listener())
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener)
  return () => listeners.delete(listener)
}

/** Returns the file that the viewer shows; null while it is closed. */
export const useViewedFile = (): ViewedFile | null => useSyncExternalStore(subscribe, () => viewed)
