/*
 * A WebdriverIO service: `services: [['@casebook/webdriverio', {}]]`. WebdriverIO makes the default export in each
 * worker and `launcher` in the process that starts them.
 */
export type { ReporterOptions } from '@casebook/reporter-core'
export { CasebookLauncher as launcher } from './launcher-service.ts'
export { CasebookWorker as default } from './worker-service.ts'
