import { Banner } from '../../ui/banner.tsx'
import { Button } from '../../ui/button.tsx'
import type { Export } from './use-export.ts'

/** Says how far an export is, or why it failed. */
export function ExportState({ transfer: { progress, failure, retry, dismiss } }: { transfer: Export }) {
  if (failure !== null) {
    return (
      <Banner
        tone="error"
        actions={
          <>
            <Button onClick={retry}>Try again</Button>
            <Button onClick={dismiss}>Close</Button>
          </>
        }
      >
        Not exported. {failure}
      </Banner>
    )
  }
  return (
    <Banner actions={<Button onClick={dismiss}>Cancel</Button>}>
      {/* Screen readers would read every step. */}
      Exporting… <span aria-hidden="true">{Math.round((progress ?? 0) * 100)} %</span>
    </Banner>
  )
}
