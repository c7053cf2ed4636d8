/*
 * A WebdriverIO service: `services: [['@caseward/webdriverio', {}]]`. WebdriverIO creates the default export in each
 * worker, and `launcher` in the process that starts the workers.
 */
export type { ReporterOptions } from '@caseward/reporter-core'
export { CasewardLauncher as launcher } from './launcher-service.ts'
export { CasewardWorker as default } from './worker-service.ts'
