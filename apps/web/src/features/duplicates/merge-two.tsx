import { useState } from 'react'

import { Banner } from '../../ui/banner.tsx'
import { Button } from '../../ui/button.tsx'
import { Select } from '../../ui/select.tsx'
import { MergeEffects } from './merge-effects.tsx'
import { useMerge } from './use-merge.ts'

interface MergeTwoProps {
  projectId: string
  one: string
  other: string
}

/** Makes one of two test cases that are compared. */
export function MergeTwo({ projectId, one, other }: MergeTwoProps) {
  const [chosen, setChosen] = useState(one)
  const { isBusy, failure, merge } = useMerge(projectId)
  const kept = chosen === other ? other : one
  const merged = kept === one ? other : one
  return (
    <div style={{ display: 'grid', gap: 12, paddingBlock: 12 }}>
      {failure !== null && (
        <Banner tone="error">
          <strong>Not merged.</strong> {failure}
        </Banner>
      )}
      <div style={{ display: 'flex', flexWrap: 'wrap', alignItems: 'end', gap: 12 }}>
        <Select
          label="Keep"
          value={kept}
          options={[one, other].map((value) => ({ value, label: value }))}
          onChange={setChosen}
        />
        <Button size="form" isBusy={isBusy} onClick={() => void merge(merged, kept)}>
          Merge {merged} into {kept}
        </Button>
      </div>
      <p style={{ maxWidth: '42rem', color: 'var(--muted)' }}>
        <MergeEffects fromId={merged} intoId={kept} />
      </p>
    </div>
  )
}
