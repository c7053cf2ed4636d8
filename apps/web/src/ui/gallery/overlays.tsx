import Copy from 'lucide-react/icons/copy'
import Ellipsis from 'lucide-react/icons/ellipsis'
import FolderInput from 'lucide-react/icons/folder-input'
import Trash2 from 'lucide-react/icons/trash-2'
import { useState } from 'react'

import { Button } from '../button.tsx'
import { ConfirmDialog } from '../confirm-dialog.tsx'
import { Dialog } from '../dialog.tsx'
import { TextField } from '../field.tsx'
import { IconButton } from '../icon-button.tsx'
import { Menu, MenuCheckbox, MenuGroup, MenuItem, MenuLink, MenuRadioGroup, MenuSeparator } from '../menu.tsx'
import { Popover } from '../popover.tsx'
import { showToast } from '../toast.ts'
import { Row, Section } from './section.tsx'

export const OverlaysSection = () => (
  <Section title="Overlays">
    <Row>
      <Dialogs />
      <ActionsMenu />
      <FilterMenu />
      <TagsPopover />
      <Button onClick={() => showToast({ message: 'Moved 3 test cases to Payment', onUndo: () => {} })}>
        Show a toast
      </Button>
    </Row>
  </Section>
)

function Dialogs() {
  const [open, setOpen] = useState<'dialog' | 'confirm' | 'typed' | null>(null)
  const close = () => setOpen(null)
  return (
    <>
      <Button onClick={() => setOpen('dialog')}>Open a dialog</Button>
      <Button onClick={() => setOpen('confirm')}>Ask first</Button>
      <Button onClick={() => setOpen('typed')}>Ask for the name</Button>
      <Dialog
        isOpen={open === 'dialog'}
        onClose={close}
        title="New project"
        description="You are its first administrator."
        footer={
          <>
            <Button size="form" onClick={close}>
              Cancel
            </Button>
            <Button size="form" variant="primary" onClick={close}>
              Create project
            </Button>
          </>
        }
      >
        <TextField label="Name" />
        <TextField label="Prefix" hint="Test cases are called WEB-1, WEB-2, and so on. It cannot be changed later." />
      </Dialog>
      <ConfirmDialog
        isOpen={open === 'confirm'}
        onClose={close}
        title="Delete this run?"
        confirmLabel="Delete run"
        onConfirm={close}
      >
        Its 568 results are deleted with it. This cannot be undone.
      </ConfirmDialog>
      <ConfirmDialog
        isOpen={open === 'typed'}
        onClose={close}
        title="Delete the project?"
        confirmLabel="Delete project"
        mustType="Web shop"
        onConfirm={close}
      >
        312 test cases, 12 runs and all of their results are deleted. This cannot be undone.
      </ConfirmDialog>
    </>
  )
}

const ActionsMenu = () => (
  <Menu trigger={<IconButton label="More actions" icon={<Ellipsis />} />}>
    <MenuItem icon={<Copy />} shortcut="$mod+D" onSelect={() => {}}>
      Duplicate
    </MenuItem>
    <MenuItem icon={<FolderInput />} shortcut="M" onSelect={() => {}}>
      Move to…
    </MenuItem>
    <MenuLink to="?page">Open the full page</MenuLink>
    <MenuItem onSelect={() => {}} isDisabled hint="Its folder was deleted.">
      Restore
    </MenuItem>
    <MenuSeparator />
    <MenuItem icon={<Trash2 />} shortcut="Delete" isDanger onSelect={() => {}}>
      Delete
    </MenuItem>
  </Menu>
)

function FilterMenu() {
  const [shown, setShown] = useState(['critical'])
  const [order, setOrder] = useState<'position' | 'updated'>('position')
  const toggle = (id: string) => (isOn: boolean) =>
    setShown(isOn ? [...shown, id] : shown.filter((other) => other !== id))
  return (
    <Menu trigger={<Button>Priority</Button>}>
      <MenuGroup label="Priority">
        <MenuCheckbox checked={shown.includes('critical')} onChange={toggle('critical')} detail={12}>
          Critical
        </MenuCheckbox>
        <MenuCheckbox checked={shown.includes('high')} onChange={toggle('high')} detail={340}>
          High
        </MenuCheckbox>
      </MenuGroup>
      <MenuSeparator />
      <MenuRadioGroup
        value={order}
        options={[
          { value: 'position', label: 'In the order of the tree' },
          { value: 'updated', label: 'Last changed first' },
        ]}
        onChange={setOrder}
      />
    </Menu>
  )
}

function TagsPopover() {
  const [isOpen, setIsOpen] = useState(false)
  return (
    <Popover label="Tags" isOpen={isOpen} onOpenChange={setIsOpen} trigger={<Button>Tags</Button>}>
      <TextField label="Find or add a tag" />
    </Popover>
  )
}
