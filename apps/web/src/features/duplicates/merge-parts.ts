/* What merges test cases, which is loaded when somebody wants to. */
export { MergeDialog } from './merge-dialog.tsx'
export { MergeTwo } from './merge-two.tsx'
