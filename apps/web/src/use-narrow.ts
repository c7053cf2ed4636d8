import { useMediaQuery } from './ui/use-media-query.ts'

/** Returns whether the window has room for one part of a page only: a phone, a tablet, or a high zoom. */
export const useNarrow = (): boolean => useMediaQuery('(width < 900px)')
