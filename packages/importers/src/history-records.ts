import type { OwnFieldValue, OwnSource } from './own-records.ts'

/*
 * The neutral model of what was tested: milestones, runs and results.
 */

export interface MilestoneRecord {
  readonly kind: 'milestone'
  readonly key: string
  readonly name: string
  readonly description?: string
  /** The key of the milestone that it is part of. */
  readonly parent?: string | null
  /** Times as the source writes them; empty for none. */
  readonly start?: string
  readonly due?: string
  readonly is_completed?: boolean
  /** What only exports of Caseward say. */
  readonly own?: {
    readonly status: 'active' | 'completed' | 'archived'
    readonly date_mode: 'auto' | 'manual'
    readonly created_at: string
    readonly sources: readonly OwnSource[]
  }
}

export interface ConfigurationRecord {
  readonly kind: 'configuration'
  readonly key: string
  readonly group: string
  readonly value: string
  /** What only exports of Caseward say. */
  readonly own?: {
    readonly group_key: string
    readonly value_key: string
    readonly variants: readonly string[]
    readonly position: number
    /** Null for one in use. */
    readonly retired_at: string | null
  }
}

/** What test cases of a run are tested with, as it was when the run got it. */
export interface RunConfigurationRecord {
  /** From 1; never given again within a run. */
  readonly place: number
  readonly name: string
  /** Whether test cases that join the run get it, too. */
  readonly for_all: boolean
  readonly values: readonly {
    /** The key of the configuration. */
    readonly id: string
    readonly group_key: string
    readonly group_name: string
    readonly key: string
    readonly name: string
    readonly variants: readonly string[]
  }[]
}

/** The result of a test case with one of the configurations of its run. */
export interface CombinationRecord {
  readonly place: number
  /** The place in the run; null in an earlier value, which has the place only. */
  readonly configuration: number | null
  readonly status: string
  readonly note: string
  readonly elapsed_seconds: number | null
  readonly person: string
  readonly at: string
  /** Who is to test it; missing for nobody. */
  readonly assigned_to?: string
  /** Missing without any. */
  readonly own_steps?: OwnStepResults
}

export interface RunRecord {
  readonly kind: 'run'
  readonly key: string
  readonly name: string
  readonly description?: string
  /** The key of its milestone. */
  readonly milestone?: string | null
  /** Keys of configurations. */
  readonly configurations?: readonly string[]
  /** Times as the source writes them; empty if it does not say. */
  readonly created_at: string
  readonly completed_at?: string
  readonly created_by?: string
  /** Whether it goes on, which only exports of Caseward say: runs of other tools come completed. */
  readonly is_open?: boolean
  /** What its test cases are tested with, which only exports of Caseward say. */
  readonly run_configurations?: readonly RunConfigurationRecord[]
  /** The greatest place that it has, or has had. */
  readonly last_configuration_place?: number
  /** Whether results of CI add their test cases. */
  readonly adds_test_cases?: boolean
  /** The run that it repeats, the first one of its chain, and its number in there. */
  readonly rerun?: { readonly of: string; readonly root: string; readonly number: number } | null
  /** Who completed it. */
  readonly completed_by?: string
  /** Short texts by name. */
  readonly metadata?: Readonly<Record<string, string>>
  /** What other tools call it, which only exports of Caseward say. */
  readonly sources?: readonly OwnSource[]
  /** Values of custom fields by their keys, which only exports of Caseward say; missing without any. */
  readonly own_fields?: Readonly<Record<string, OwnFieldValue>>
  /** By which the jobs of a CI build find it, which only exports of Caseward say; missing without one. */
  readonly run_key?: string
  /** What CI has sent to it, which only exports of Caseward say; missing without any. */
  readonly uploads?: readonly RunUploadRecord[]
  /** The shards of its CI jobs, which only exports of Caseward say; missing without any. */
  readonly jobs?: readonly (ShardsRecord & { readonly job: string })[]
  /** The shards of the whole run; missing without any. */
  readonly expected_shards?: number
  readonly shards_done?: readonly string[]
}

interface ShardsRecord {
  readonly expected_shards: number | null
  readonly shards_done: readonly string[]
}

/** An upload of CI. */
export interface RunUploadRecord {
  /** From 1, in the order of time. */
  readonly number: number
  /** The number of its source in the run, by which parts of tests name it. */
  readonly source: number
  readonly job: string
  readonly instance: string
  readonly shard: string
  readonly variant: string
  readonly report: string
  readonly label: string
  readonly job_url: string
  readonly build_attempt: number | null
  readonly is_rerun: boolean
  readonly test_count: number
  readonly failed_count: number
  readonly executed_count: number | null
  readonly elapsed_ms: number | null
  /** Whether most of its tests failed. */
  readonly is_excluded: boolean
  /** Empty if it does not say. */
  readonly finished_at: string
  readonly at: string
}

/** Results of the steps of a test case. */
export interface OwnStepResults {
  readonly steps: readonly { readonly position: number; readonly status: string; readonly actual: string }[]
  /** Digests of the steps that the test case had then; empty for an earlier value. */
  readonly case_steps: string
}

export interface OwnResult {
  readonly id: string
  /** Null if nobody has tested. */
  readonly case_version: number | null
}

/** Several results of one test case in a run are its history: the newest one counts. */
export interface ResultRecord {
  readonly kind: 'result'
  /** What only exports of Caseward say: its id, which others name, and the version of the test case that was tested. */
  readonly own?: OwnResult
  readonly run: string
  readonly case: string
  /** The key of a configuration. */
  readonly configuration?: string
  readonly status: string
  readonly note: string
  readonly elapsed_seconds: number | null
  readonly person: string
  readonly at: string
  /** When another value took its place, which only exports of Caseward say. */
  readonly replaced_at?: string
  /** Addresses, or ids of another system. */
  readonly defects: readonly string[]
  readonly steps?: readonly { readonly status: string; readonly actual: string }[]
  /** Addresses with what they are of, which only exports of Caseward say. */
  readonly own_links?: readonly {
    readonly url: string
    readonly kind: 'defect' | 'requirement' | 'other'
    readonly label: string
  }[]
  /** Which only exports of Caseward say: by the positions that the steps had in the test case. */
  readonly own_steps?: OwnStepResults
  /** Of the configurations of the run; of an earlier value, those that were replaced. */
  readonly combinations?: readonly CombinationRecord[]
  /** Values of custom fields by their keys, which only exports of Caseward say; missing without any. */
  readonly own_fields?: Readonly<Record<string, OwnFieldValue>>
  /** Who is to test it, which only exports of Caseward say; missing for nobody. */
  readonly assigned_to?: string
}
