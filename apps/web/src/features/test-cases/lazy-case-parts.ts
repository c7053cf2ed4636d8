import { lazyPart } from '../../ui/lazy-part.tsx'

/* Parts of the panel and the page of a test case, which are loaded together. */
export const ArchivedNotice = lazyPart(async () => (await import('./case-parts.ts')).ArchivedNotice)
export const MergedNotice = lazyPart(async () => (await import('./case-parts.ts')).MergedNotice)
export const CaseMenu = lazyPart(async () => (await import('./case-parts.ts')).CaseMenu)
