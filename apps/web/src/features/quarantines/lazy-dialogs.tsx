import { lazyPart } from '../../ui/lazy-part.tsx'

/* The dialogs of quarantines, which pages load when they are opened. */

export const LazyQuarantineDialog = lazyPart(async () => (await import('./quarantine-dialog.tsx')).QuarantineDialog, {
  isDialog: true,
})

export const LazyEndQuarantineDialog = lazyPart(
  async () => (await import('./end-quarantine-dialog.tsx')).EndQuarantineDialog,
  { isDialog: true },
)
