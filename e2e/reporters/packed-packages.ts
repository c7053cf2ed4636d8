import { fetchPrepared } from '@caseward/test-support/serve-prepared'
import { inject } from 'vitest'

import type { PackedPackages } from './pack-packages.ts'

let packed: Promise<PackedPackages> | undefined

/** Returns the packages as they are published, which are packed with the first call of all test files. */
export const getPackedPackages = (): Promise<PackedPackages> => (packed ??= fetchPrepared(inject('packedPackagesUrl')))
