import type { Priority, TestCaseType } from '@caseward/client/endpoints'
import FolderInput from 'lucide-react/icons/folder-input'
import Play from 'lucide-react/icons/play'
import SlidersHorizontal from 'lucide-react/icons/sliders-horizontal'
import Tag from 'lucide-react/icons/tag'
import Trash2 from 'lucide-react/icons/trash-2'

import { BulkBar } from '../../ui/bulk-bar.tsx'
import { Button } from '../../ui/button.tsx'
import { Menu, MenuGroup, MenuItem, MenuSeparator } from '../../ui/menu.tsx'
import { PriorityGlyph } from './priority-glyph.tsx'
import { priorityOptions, typeOptions } from './case-words.ts'

interface CaseBulkBarProps {
  count: number
  /** What the user may do. */
  mayEdit: boolean
  mayAddToRun: boolean
  onMove: () => void
  onPriority: (priority: Priority) => void
  onType: (type: TestCaseType) => void
  onTags: () => void
  onAddToRun: () => void
  onDelete: () => void
  onClear: () => void
}

/** What can be done with the selected test cases. */
export const CaseBulkBar = (props: CaseBulkBarProps) => (
  <BulkBar count={props.count} onClear={props.onClear}>
    {props.mayEdit && (
      <>
        <Button icon={<FolderInput />} shortcut="M" onClick={props.onMove}>
          Move
        </Button>
        <Menu trigger={<Button icon={<SlidersHorizontal />}>Edit</Button>}>
          <MenuGroup label="Priority">
            {priorityOptions.map(({ value, label }, index) => (
              <MenuItem
                key={value}
                icon={<PriorityGlyph priority={value} isNamed={false} />}
                shortcut={String(index + 1)}
                onSelect={() => props.onPriority(value)}
              >
                {label}
              </MenuItem>
            ))}
          </MenuGroup>
          <MenuSeparator />
          <MenuGroup label="Type">
            {typeOptions.map(({ value, label }) => (
              <MenuItem key={value} onSelect={() => props.onType(value)}>
                {label}
              </MenuItem>
            ))}
          </MenuGroup>
        </Menu>
        <Button icon={<Tag />} shortcut="T" onClick={props.onTags}>
          Tags
        </Button>
      </>
    )}
    {props.mayAddToRun && (
      <Button icon={<Play />} onClick={props.onAddToRun}>
        Add to run
      </Button>
    )}
    {props.mayEdit && (
      <Button variant="danger" icon={<Trash2 />} shortcut="Delete" onClick={props.onDelete}>
        Delete
      </Button>
    )}
  </BulkBar>
)
