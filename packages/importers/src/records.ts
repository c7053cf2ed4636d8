import type { ConfigurationRecord, MilestoneRecord, ResultRecord, RunRecord } from './history-records.ts'
import type { LossCode } from './losses.ts'
import type {
  CaseVersionRecord,
  CommentRecord,
  FieldRecord,
  OwnAttachmentRecord,
  OwnSharedStep,
  OwnSource,
  OwnValues,
  SharedStepVersionRecord,
  SourceRecord,
} from './own-records.ts'
import type {
  LeftOutRecord,
  QuarantineRecord,
  SuiteErrorRecord,
  TestOutcomeRecord,
  TestRecord,
} from './test-records.ts'
import type { StepRule } from './steps/step-rule.ts'

export type {
  CaseVersionRecord,
  CommentRecord,
  FieldRecord,
  OwnAttachmentRecord,
  OwnFieldValue,
  OwnSharedStep,
  OwnSource,
  OwnStepGroup,
  OwnValues,
  SharedStepVersionRecord,
  SourceRecord,
} from './own-records.ts'
export type {
  LeftOutRecord,
  OutcomePartRecord,
  QuarantineRecord,
  SuiteErrorRecord,
  TestAttemptRecord,
  TestOutcomeRecord,
  TestRecord,
} from './test-records.ts'
export type {
  CombinationRecord,
  ConfigurationRecord,
  MilestoneRecord,
  OwnStepResults,
  ResultRecord,
  RunConfigurationRecord,
  RunRecord,
  RunUploadRecord,
} from './history-records.ts'
import { readDuration } from './steps/durations.ts'

/*
 * The neutral model: what the readers of all formats make of a file, one object a record. Texts are as they are in the
 * source; `prepareCase` splits them into steps and converts them to Markdown.
 */

export type Markup = 'markdown' | 'html' | 'jira' | 'textile' | 'testrail' | 'plain'

/** A step with a structure of its own in the source. */
export interface StepRecord {
  readonly action: string
  readonly data?: string
  readonly expected: string
  /** Additional info, references, custom fields. */
  readonly notes?: readonly string[]
  /** The key of shared steps, instead of texts. */
  readonly shared?: string
}

/** A file of a test case whose content comes with it, by which its texts show a picture. */
export interface PictureRecord {
  /** What the source calls the file. */
  readonly id: string
  readonly name: string
  /** The key of the attachment. */
  readonly attachment: string
}

/** Steps that are in one text, or in one for all actions and one for all expected results. */
export interface StepText {
  readonly rule: StepRule
  readonly action: string
  readonly expected: string
  readonly data?: string
}

export interface LinkRecord {
  /** An address, or an id of another system. */
  readonly target: string
  readonly kind: 'requirement' | 'defect' | 'other'
  readonly label?: string
}

export interface AttachmentRecord {
  readonly name: string
  readonly url?: string
}

export interface FolderRecord {
  readonly kind: 'folder'
  readonly key: string
  readonly name: string
  readonly parent: string | null
  readonly position: number
  readonly description?: string
  readonly sources?: readonly OwnSource[]
}

export interface CaseRecord {
  readonly kind: 'case'
  /** What the source calls it; null if it has no ids. */
  readonly key: string | null
  readonly title: string
  readonly folder: string | null
  readonly position: number
  readonly template: 'steps' | 'text' | 'gherkin' | 'exploratory'
  /** The markup of its texts. */
  readonly markup: Markup
  readonly precondition: string
  /** Texts that go below the precondition, each with a heading: Description, Objective, … */
  readonly descriptions: readonly { readonly heading: string; readonly text: string }[]
  readonly postcondition: string
  readonly steps: readonly StepRecord[]
  readonly step_text: StepText | null
  readonly expected_result: string
  readonly priority: string
  readonly type: string
  readonly state: string
  readonly tags: readonly string[]
  /** Seconds. */
  readonly estimate: number | null
  readonly owner: string
  readonly automation_keys: readonly string[]
  /** Values without a place of their own, by the name of their field. */
  readonly fields: Readonly<Record<string, string>>
  readonly links: readonly LinkRecord[]
  readonly attachments: readonly AttachmentRecord[]
  /** Missing without any. */
  readonly pictures?: readonly PictureRecord[]
  readonly data_set: { readonly columns: readonly string[]; readonly rows: readonly (readonly string[])[] } | null
  readonly created_by: string
  readonly created_at: string
  readonly updated_by: string
  readonly updated_at: string
  readonly own?: OwnValues
}

export interface SharedStepsRecord {
  readonly kind: 'shared_steps'
  readonly key: string
  readonly title: string
  readonly markup: Markup
  readonly steps: readonly StepRecord[]
  readonly own?: OwnSharedStep
}

export interface PersonRecord {
  readonly kind: 'person'
  readonly key: string
  readonly name: string
  readonly email?: string
  /** Of an export of Caseward: the tool that the person came from. */
  readonly imported_from?: string
}

export interface PlanRecord {
  readonly kind: 'plan'
  readonly key: string
  readonly name: string
  readonly cases: readonly string[]
}

export interface RelationRecord {
  readonly kind: 'relation'
  readonly from: string
  readonly to: string
  readonly relation: string
}

export type ImportRecord =
  | SourceRecord
  | FieldRecord
  | TestRecord
  | TestOutcomeRecord
  | SuiteErrorRecord
  | QuarantineRecord
  | LeftOutRecord
  | CaseVersionRecord
  | CommentRecord
  | OwnAttachmentRecord
  | FolderRecord
  | CaseRecord
  | SharedStepsRecord
  | SharedStepVersionRecord
  | PersonRecord
  | PlanRecord
  | RelationRecord
  | MilestoneRecord
  | ConfigurationRecord
  | RunRecord
  | ResultRecord

/** The field of an estimate that cannot be read as a time, such as a number without a unit. */
const ESTIMATE_FIELD = 'Estimate'
const NO_TIME = /^(?:[0:.\s]|[hms]|PT)*$/i

/** An estimate as a tool writes it. */
interface WrittenEstimate {
  readonly text: string
  /** Of a bare number; missing if the tool does not say it. */
  readonly unitSeconds?: number
}

type KnownCase = Partial<CaseRecord> & Pick<CaseRecord, 'title'> & { readonly written_estimate?: WrittenEstimate }

/** A case with the defaults of what a format does not have. An estimate that cannot be read becomes a field. */
export function createCase({ written_estimate: written, ...known }: KnownCase): CaseRecord {
  const record = fillCase(known)
  if (written === undefined) return record
  const text = written.text.trim()
  const estimate = readDuration(text, written.unitSeconds)
  if (estimate !== null || NO_TIME.test(text)) return { ...record, estimate }
  return { ...record, fields: { ...record.fields, [ESTIMATE_FIELD]: text } }
}

const fillCase = (known: Partial<CaseRecord> & Pick<CaseRecord, 'title'>): CaseRecord => ({
  kind: 'case',
  key: null,
  folder: null,
  position: 0,
  template: 'steps',
  markup: 'markdown',
  precondition: '',
  descriptions: [],
  postcondition: '',
  steps: [],
  step_text: null,
  expected_result: '',
  priority: '',
  type: '',
  state: '',
  tags: [],
  estimate: null,
  owner: '',
  automation_keys: [],
  fields: {},
  links: [],
  attachments: [],
  data_set: null,
  created_by: '',
  created_at: '',
  updated_by: '',
  updated_at: '',
  ...known,
})

export interface Step {
  readonly action: string
  readonly expected: string
}

/** A case as it can be stored: steps and texts in Markdown. */
export interface PreparedCase extends Omit<
  CaseRecord,
  'markup' | 'descriptions' | 'postcondition' | 'steps' | 'step_text' | 'pictures'
> {
  readonly steps: readonly Step[]
  readonly losses: readonly LossCode[]
}
