import { lazyPart } from '../../ui/lazy-part.tsx'

/** The viewer over the page, whose code is loaded when a file is about to be opened. */
export const LazyViewer = lazyPart(async () => (await import('./viewer/viewer-dialog.tsx')).ViewerDialog)
