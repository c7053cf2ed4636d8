/* Parts of the panel and the page of a test case that are loaded at the same time. */
export { ArchivedNotice, MergedNotice } from './archived-notice.tsx'
export { CaseMenu } from './case-menu.tsx'
