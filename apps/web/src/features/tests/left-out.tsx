import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'

import { Button } from '../../ui/button.tsx'
import { lazyPart } from '../../ui/lazy-part.tsx'
import type { LeftOutProps } from './left-out-dialog.tsx'
import { testQueries } from './test-queries.ts'

const LeftOutDialog = lazyPart(async () => (await import('./left-out-dialog.tsx')).LeftOutDialog, { isDialog: true })

/** How much was left out of a run, so that no failure is hidden; opens the list. */
export function LeftOutButton(props: LeftOutProps) {
  const { data = [] } = useQuery(testQueries.leftOut(props.runId))
  const [isOpen, setIsOpen] = useState(false)
  if (data.length === 0) return null
  return (
    <>
      <Button variant="quiet" onClick={() => setIsOpen(true)}>
        {data.length} left out
      </Button>
      {isOpen && <LeftOutDialog {...props} items={data} onClose={() => setIsOpen(false)} />}
    </>
  )
}
