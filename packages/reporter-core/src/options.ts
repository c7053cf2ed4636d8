/** What a user may set in the framework's configuration. Each has an environment variable that is read where it is not set. */
export interface ReporterOptions {
  /** Address of the Caseward server (`SERVICE_URL`). */
  readonly url?: string | undefined
  /** CI token with write access (`SERVICE_TOKEN`). Better left to the environment than written into a file. */
  readonly token?: string | undefined
  /** The run to upload into (`SERVICE_RUN_ID`). */
  readonly runId?: string | undefined
  /** Without a run: the project in which the run of this build is found or made (`SERVICE_PROJECT_ID`). */
  readonly projectId?: string | undefined
  /** What all jobs of a build have in common (`SERVICE_RUN_KEY`); by default the CI system's own build id. */
  readonly runKey?: string | undefined
  /** What the run is called if it has to be made (`SERVICE_RUN_NAME`). */
  readonly runName?: string | undefined
  /** This job's name among those that share the run (`SERVICE_SHARD`). */
  readonly shard?: string | undefined
  /** How many jobs share the run; when all have reported, it is completed (`SERVICE_EXPECTED_SHARDS`). */
  readonly expectedShards?: number | undefined
  /** Fail the suite when a result could not be stored (`SERVICE_STRICT=1`). By default nothing here ever does. */
  readonly strict?: boolean | undefined
}
