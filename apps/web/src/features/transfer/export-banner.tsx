import { lazyPart } from '../../ui/lazy-part.tsx'
import type { Export } from './use-export.ts'

const ExportState = lazyPart(async () => (await import('./export-state.tsx')).ExportState)

/** Says how far an export is, or why it failed. */
export const ExportBanner = ({ transfer }: { transfer: Export }) =>
  transfer.failure === null && transfer.progress === null ? null : <ExportState transfer={transfer} />
