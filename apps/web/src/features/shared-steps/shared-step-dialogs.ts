/* The dialogs of a test case, which are loaded together. */
export { InsertSharedStepDialog } from './insert-shared-step-dialog.tsx'
export { MakeSharedDialog } from './make-shared-dialog.tsx'
