import { useQuery } from '@tanstack/react-query'
import { useEffect, useRef } from 'react'
import { useLocation } from 'react-router'

import { FullDialog } from '../../../ui/full-dialog.tsx'
import { useHiddenIds } from '../../../undo/use-undo.ts'
import { filesOf } from '../file-queries.ts'
import { isOpenable, toShownFile } from '../shown-file.ts'
import { type ViewedFile, viewFile } from '../viewed-file.ts'
import { Viewer } from './viewer.tsx'

/** The viewer over the page. */
export function ViewerDialog({ viewed: { place, id } }: { viewed: ViewedFile }) {
  const stage = useRef<HTMLDivElement>(null)
  const { data } = useQuery(filesOf(place))
  const hiddenIds = useHiddenIds()
  const files = (data ?? []).map(toShownFile).filter((file) => !hiddenIds.has(file.id))
  const { pathname } = useLocation()
  const openedAt = useRef(pathname)
  useEffect(() => {
    // Back leads to another page.
    if (pathname !== openedAt.current) viewFile(null)
  }, [pathname])
  const close = () => viewFile(null)
  return (
    <FullDialog label="Viewer" onClose={close} initialFocus={stage}>
      <Viewer
        projectId={place.projectId}
        files={files.filter(isOpenable)}
        openId={id}
        onOpen={(next) => viewFile({ place, id: next })}
        onClose={close}
        stage={stage}
      />
    </FullDialog>
  )
}
