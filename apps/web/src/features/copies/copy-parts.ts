/* What copies need, which is loaded when somebody copies. */
export { copyCase } from './copy-case.ts'
export { CopyDialog } from './copy-dialog.tsx'
