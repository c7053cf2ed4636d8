import { useQueryClient } from '@tanstack/react-query'
import { useEffect, useRef, useState } from 'react'

import { applyLiveEvent, refreshAfterGap } from './apply-event.ts'
import { connectLive, type LiveBrowser, type LiveState, liveWords } from './live-connection.ts'
import { showLiveState } from './shown-live-state.ts'

const browser: LiveBrowser = {
  createSource: (url) => new EventSource(url),
  // Undefined on HTTP, which the types do not know.
  locks: (navigator as Partial<Navigator>).locks,
  createChannel: (name) => new BroadcastChannel(name),
  isVisible: () => document.visibilityState === 'visible',
  visibility: document,
}

/** What a page shows: a project, or a run. The project of a run may be unknown until the run is loaded. */
export type LiveSubject =
  | { readonly projectId: string }
  | { readonly runId: string; readonly projectId: string | undefined }

/**
 * Keeps the cache current while the page is mounted. The header shows the state.
 * @returns the state
 */
export function useLive(subject: LiveSubject): { state: LiveState; words: string } {
  const queryClient = useQueryClient()
  const [state, setState] = useState<LiveState>('connecting')
  const { projectId } = subject
  const runId = 'runId' in subject ? subject.runId : undefined
  // A run's stream stays open when its project becomes known.
  const project = useRef(projectId)
  useEffect(() => {
    project.current = projectId
  }, [projectId])
  const path =
    runId === undefined ? `projects/${encodeURIComponent(projectId ?? '')}` : `runs/${encodeURIComponent(runId)}`
  useEffect(
    () =>
      connectLive({
        url: `/v1/${path}/events`,
        browser,
        onEvent: (event) => applyLiveEvent(queryClient, project.current, event),
        onGap: (quietMs) => refreshAfterGap(queryClient, project.current, runId, quietMs),
        onState: setState,
      }),
    [queryClient, path, runId],
  )
  useEffect(() => showLiveState(state), [state])
  useEffect(() => () => showLiveState(null), [])
  return { state, words: liveWords[state] }
}
