import conflictStyles from '../test-cases/case-conflict.module.css'
import {
  describeGroupDiff,
  diffGroups,
  findGroup,
  type GroupDiff,
  type StepGroup,
  type VersionSteps,
} from './diff-groups.ts'
import { type DiffStep, diffSteps, type StepDiff } from './diff-steps.ts'
import { MarkedWords } from './marked-words.tsx'
import { Part } from './version-part.tsx'

/** Aligns the steps of two versions, and the shared steps among them. */
export function compareSteps(before: VersionSteps, after: VersionSteps) {
  const steps = diffSteps(before.steps, after.steps)
  const groups = diffGroups(before, after, steps)
  return {
    steps,
    groups,
    before,
    after,
    /** What became of the shared steps, as sentences. */
    sentences: groups.map(describeGroupDiff).filter((sentence) => sentence !== null),
    hasChangedSteps: steps.some(({ kind }) => kind !== 'unchanged'),
  }
}

/** What differs in the steps of two versions: what became of shared steps, and the steps themselves. */
export const StepsDiff = ({ compared }: { compared: ReturnType<typeof compareSteps> }) => (
  <>
    {compared.sentences.length > 0 && (
      <Part title="Shared steps">
        <ul className={conflictStyles.text} style={{ overflowWrap: 'anywhere' }}>
          {compared.sentences.map((sentence, index) => (
            // oxlint-disable-next-line react/no-array-index-key -- the same can happen twice
            <li key={index}>{sentence}</li>
          ))}
        </ul>
      </Part>
    )}
    {compared.hasChangedSteps && (
      <Part title="Steps">
        <StepTable sections={splitSections(compared)} />
      </Part>
    )}
  </>
)

interface Section {
  readonly key: string
  /** The shared step that the rows come from; null for the test case's own steps. */
  readonly heading: string | null
  readonly rows: readonly StepDiff[]
}

/** Splits the aligned steps at shared steps. A removed step belongs to what its shared step has become. */
function splitSections({ steps, groups, before, after }: ReturnType<typeof compareSteps>): Section[] {
  const sections: { key: string; heading: string | null; rows: StepDiff[] }[] = []
  let last: GroupDiff | null | undefined
  for (const row of steps) {
    const diff = findDiff(row, groups, before, after)
    if (diff !== last) {
      const heading = diff === null ? null : formatHeading(diff, row)
      sections.push({ key: `${row.before?.position ?? ''} ${row.after?.position ?? ''}`, heading, rows: [] })
    }
    last = diff
    sections.at(-1)?.rows.push(row)
  }
  return sections
}

function findDiff(
  { before: one, after: other }: StepDiff,
  groups: readonly GroupDiff[],
  before: VersionSteps,
  after: VersionSteps,
): GroupDiff | null {
  const find = (group: StepGroup | undefined, side: 'before' | 'after') =>
    (group === undefined ? undefined : groups.find((diff) => diff[side] === group)) ?? null
  if (other !== null) return find(findGroup(after.step_groups, other.position), 'after')
  return one === null ? null : find(findGroup(before.step_groups, one.position), 'before')
}

function formatHeading({ kind, before, after }: GroupDiff, row: StepDiff): string {
  if (kind === 'kept' && before.version !== after.version) {
    return `${after.title} (shared, v${before.version} → v${after.version})`
  }
  const { title, version } = (row.after === null ? before : after) ?? after ?? before
  return `${title} (shared, v${version})`
}

const marks = { unchanged: '', moved: '↕', changed: '~', added: '+', removed: '−' } as const
const words = {
  unchanged: 'Unchanged',
  moved: 'Moved',
  changed: 'Changed',
  added: 'Added',
  removed: 'Removed',
} as const
const tints: Partial<Record<StepDiff['kind'], string>> = {
  added: 'var(--passed-tint)',
  removed: 'var(--failed-tint)',
}

/** A table, so that screen readers can go through its columns. */
const StepTable = ({ sections }: { sections: readonly Section[] }) => (
  <table style={{ width: '100%', borderCollapse: 'collapse' }} className={conflictStyles.text}>
    <thead>
      <tr className={conflictStyles.name}>
        <HeadCell width="6.5rem">Change</HeadCell>
        <HeadCell width="auto">Action</HeadCell>
        <HeadCell width="45%">Expected</HeadCell>
      </tr>
    </thead>
    {sections.map(({ key, heading, rows }) => (
      <tbody key={key} style={heading === null ? undefined : { borderInlineStart: '2px solid var(--line)' }}>
        {heading !== null && (
          <tr>
            <th scope="rowgroup" colSpan={3} style={{ ...cell, textAlign: 'start' }}>
              {heading}
            </th>
          </tr>
        )}
        {rows.map((step) => (
          <StepRow key={`${step.before?.position ?? ''} ${step.after?.position ?? ''}`} {...step} />
        ))}
      </tbody>
    ))}
  </table>
)

const cell = {
  padding: '6px 8px',
  borderBlockEnd: '1px solid var(--line)',
  verticalAlign: 'top',
  overflowWrap: 'anywhere',
} as const

const HeadCell = ({ width, children }: { width: string; children: string }) => (
  <th scope="col" style={{ ...cell, width, textAlign: 'start', font: 'inherit' }}>
    {children}
  </th>
)

const empty: DiffStep = { position: 0, action: '', expected: '' }

function StepRow({ kind, before, after }: StepDiff) {
  // Only the texts of a changed step are compared: all words of an added one are new.
  const one = kind === 'changed' ? before : (after ?? before)
  const other = after ?? before ?? empty
  return (
    <tr style={{ background: tints[kind], color: kind === 'unchanged' ? 'var(--muted)' : undefined }}>
      <td style={{ ...cell, whiteSpace: 'nowrap' }}>
        {marks[kind]} {kind === 'moved' ? `${words.moved} ${before.position} → ${after.position}` : words[kind]}
        {kind !== 'moved' && ` ${other.position}`}
      </td>
      <td style={cell}>
        <MarkedWords before={one?.action ?? ''} after={other.action} />
      </td>
      <td style={cell}>
        <MarkedWords before={one?.expected ?? ''} after={other.expected} />
      </td>
    </tr>
  )
}
