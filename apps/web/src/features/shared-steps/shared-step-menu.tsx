import type { TestCase } from '@caseward/client/endpoints'
import Layers from 'lucide-react/icons/layers'
import { useState } from 'react'

import { lazyPart } from '../../ui/lazy-part.tsx'
import { Button } from '../../ui/button.tsx'
import { Menu, MenuItem } from '../../ui/menu.tsx'

interface SharedStepMenuProps {
  projectId: string
  state: { readonly saved: TestCase; readonly status: string }
}

const InsertDialog = lazyPart(async () => (await import('./shared-step-dialogs.ts')).InsertSharedStepDialog)
const MakeDialog = lazyPart(async () => (await import('./shared-step-dialogs.ts')).MakeSharedDialog)

/** Inserts a shared step into a test case, or makes one of its steps. */
export function SharedStepMenu({ projectId, state: { saved, status } }: SharedStepMenuProps) {
  const [open, setOpen] = useState<'insert' | 'make' | null>(null)
  const close = () => setOpen(null)
  // The requests are about the steps that the server has.
  const isSaved = status === 'saved'
  return (
    <>
      <div>
        <Menu
          trigger={
            <Button variant="quiet" icon={<Layers />}>
              Shared steps
            </Button>
          }
        >
          <MenuItem isDisabled={!isSaved} onSelect={() => setOpen('insert')}>
            Insert a shared step
          </MenuItem>
          <MenuItem isDisabled={!isSaved || saved.steps.length === 0} onSelect={() => setOpen('make')}>
            Make steps shared
          </MenuItem>
        </Menu>
      </div>
      {open === 'insert' && <InsertDialog projectId={projectId} testCase={saved} onClose={close} />}
      {open === 'make' && <MakeDialog projectId={projectId} testCase={saved} onClose={close} />}
    </>
  )
}
