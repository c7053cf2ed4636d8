import type { Priority, Template, TestCaseType } from '@caseward/client/endpoints'
import Archive from 'lucide-react/icons/archive'
import Copy from 'lucide-react/icons/copy'
import Ellipsis from 'lucide-react/icons/ellipsis'
import FolderInput from 'lucide-react/icons/folder-input'
import Play from 'lucide-react/icons/play'
import SlidersHorizontal from 'lucide-react/icons/sliders-horizontal'
import Tag from 'lucide-react/icons/tag'
import Trash2 from 'lucide-react/icons/trash-2'

import { BulkBar } from '../../ui/bulk-bar.tsx'
import { Button } from '../../ui/button.tsx'
import { IconButton } from '../../ui/icon-button.tsx'
import { Menu, MenuGroup, MenuItem, MenuSeparator } from '../../ui/menu.tsx'
import { PriorityGlyph } from './priority-glyph.tsx'
import { priorityOptions, typeOptions } from './case-words.ts'

interface CaseBulkBarProps {
  count: number
  /** What the user may do. */
  mayEdit: boolean
  mayAddToRun: boolean
  /** Whether there is little room. */
  isNarrow: boolean
  onMove: () => void
  onCopy: () => void
  onPriority: (priority: Priority) => void
  onType: (type: TestCaseType) => void
  onTemplate: (template: Template) => void
  onTags: () => void
  onOwner: () => void
  onEstimate: () => void
  /** Missing if the project has no custom fields. */
  onField: (() => void) | undefined
  onAddToRun: () => void
  onArchive: () => void
  onDelete: () => void
  onClear: () => void
}

/** What can be done with the selected test cases. Narrow windows have room for two buttons and a menu. */
export const CaseBulkBar = (props: CaseBulkBarProps) => {
  const { count, mayEdit, mayAddToRun, isNarrow, onClear } = props
  const addToRun = mayAddToRun && (
    <Button icon={<Play />} onClick={props.onAddToRun}>
      Add to run
    </Button>
  )
  if (!mayEdit) {
    return (
      <BulkBar count={count} onClear={onClear} isEscapeHandled>
        {addToRun}
      </BulkBar>
    )
  }
  return (
    <BulkBar count={count} onClear={onClear} isEscapeHandled>
      <Button
        icon={isNarrow ? undefined : <FolderInput />}
        shortcut={isNarrow ? undefined : 'M'}
        onClick={props.onMove}
      >
        Move
      </Button>
      {!isNarrow && (
        <Button icon={<Copy />} onClick={props.onCopy}>
          Copy
        </Button>
      )}
      {!isNarrow && (
        <Menu trigger={<Button icon={<SlidersHorizontal />}>Edit</Button>}>
          <FieldItems {...props} />
        </Menu>
      )}
      <Button icon={isNarrow ? undefined : <Tag />} shortcut={isNarrow ? undefined : 'T'} onClick={props.onTags}>
        Tags
      </Button>
      {isNarrow ? (
        <Menu align="end" trigger={<IconButton label="More" icon={<Ellipsis />} />}>
          {mayAddToRun && (
            <MenuItem icon={<Play />} onSelect={props.onAddToRun}>
              Add to run
            </MenuItem>
          )}
          <MenuItem icon={<Copy />} onSelect={props.onCopy}>
            Copy to…
          </MenuItem>
          <MenuItem icon={<Archive />} onSelect={props.onArchive}>
            Archive
          </MenuItem>
          <MenuItem icon={<Trash2 />} isDanger onSelect={props.onDelete}>
            Delete
          </MenuItem>
          <MenuSeparator />
          <FieldItems {...props} />
        </Menu>
      ) : (
        <>
          {addToRun}
          <Button icon={<Archive />} onClick={props.onArchive}>
            Archive
          </Button>
          <Button variant="danger" icon={<Trash2 />} shortcut="Delete" onClick={props.onDelete}>
            Delete
          </Button>
        </>
      )}
    </BulkBar>
  )
}

type FieldItemsProps = Pick<
  CaseBulkBarProps,
  'onPriority' | 'onType' | 'onTemplate' | 'onOwner' | 'onEstimate' | 'onField'
>

const FieldItems = ({ onPriority, onType, onTemplate, onOwner, onEstimate, onField }: FieldItemsProps) => (
  <>
    <MenuItem onSelect={onOwner}>Set the owner</MenuItem>
    <MenuItem onSelect={onEstimate}>Set the estimate</MenuItem>
    {onField !== undefined && <MenuItem onSelect={onField}>Set a field…</MenuItem>}
    <MenuItem onSelect={() => onTemplate('steps')}>Write as steps</MenuItem>
    <MenuItem onSelect={() => onTemplate('text')}>Write as text</MenuItem>
    <MenuSeparator />
    <MenuGroup label="Priority">
      {priorityOptions.map(({ value, label }, index) => (
        <MenuItem
          key={value}
          icon={<PriorityGlyph priority={value} isNamed={false} />}
          shortcut={String(index + 1)}
          onSelect={() => onPriority(value)}
        >
          {label}
        </MenuItem>
      ))}
    </MenuGroup>
    <MenuSeparator />
    <MenuGroup label="Type">
      {typeOptions.map(({ value, label }) => (
        <MenuItem key={value} onSelect={() => onType(value)}>
          {label}
        </MenuItem>
      ))}
    </MenuGroup>
  </>
)
