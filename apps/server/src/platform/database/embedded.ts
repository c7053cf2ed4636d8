import {
  type EmbeddedPostgres,
  type EmbeddedPostgresOptions,
  type ServiceDescription,
  startEmbeddedPostgres,
} from '@caseward/embedded-postgres'
import { openExistingPostgres } from '@caseward/embedded-postgres/open-existing-postgres'

const service: ServiceDescription = {
  id: 'caseward',
  name: 'Caseward',
  dataDirSetting: 'DATA_DIR',
  alternative: 'set DATABASE_URL to a PostgreSQL server of version 15 or later',
}

type EmbeddedDatabaseOptions = Omit<EmbeddedPostgresOptions, 'service' | 'systemDirectory' | 'packageDirectory'>

const systemDirectory = '/var/lib/caseward'

/** Starts the PostgreSQL that is included in Caseward. */
export const startEmbeddedDatabase = (options: EmbeddedDatabaseOptions): Promise<EmbeddedPostgres> =>
  startEmbeddedPostgres({ ...options, service, systemDirectory })

/** Connects to the embedded PostgreSQL of a service that is running, or starts it on an existing database. */
export const openExistingDatabase = (options: EmbeddedDatabaseOptions): Promise<EmbeddedPostgres> =>
  openExistingPostgres({ ...options, service, systemDirectory })
