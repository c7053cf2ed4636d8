import { buildWeb } from './build-web.ts'

/** Builds the app once before the tests, which are about its sources: a build of yesterday must not make them pass. */
export default async function buildApp(): Promise<void> {
  await buildWeb()
}
