/** Options in the framework's configuration. An option that is not set is read from its environment variable. */
export interface ReporterOptions {
  /** URL of the Caseward server (`SERVICE_URL`). */
  readonly url?: string | undefined
  /** CI token with write access (`SERVICE_TOKEN`). Use the environment variable to keep it out of your repository. */
  readonly token?: string | undefined
  /** Id of the run to upload to (`SERVICE_RUN_ID`). */
  readonly runId?: string | undefined
  /**
   * Id or prefix of the project in which to find or create the run of this CI build, if no run is set
   * (`SERVICE_PROJECT_ID`).
   */
  readonly projectId?: string | undefined
  /** Name by which all jobs of a build find the same run (`SERVICE_RUN_KEY`). Default: the id of the CI build. */
  readonly runKey?: string | undefined
  /** Name of the run if it is created (`SERVICE_RUN_NAME`). */
  readonly runName?: string | undefined
  /** Name of this job among the jobs that share the run (`SERVICE_SHARD`). */
  readonly shard?: string | undefined
  /** Number of jobs that share the run. When all have reported, the run is completed (`SERVICE_EXPECTED_SHARDS`). */
  readonly expectedShards?: number | undefined
  /**
   * Create a test case for each test that matches none (`SERVICE_CREATE_CASES=1`). Requires a token with the grant
   * `cases:create`. Default: false.
   */
  readonly createCases?: boolean | undefined
  /**
   * Add test cases that match a test to the run (`SERVICE_ADD_TO_RUN=1`). Default: as the run says; one that a reporter
   * has created does.
   */
  readonly addToRun?: boolean | undefined
  /** Fail the suite when a result could not be stored (`SERVICE_STRICT=1`). Default: false. */
  readonly strict?: boolean | undefined
}
