import { Table } from '../../ui/table/table.tsx'
import { formatPath } from './split-path.ts'
import { projectTestColumns, runTestColumns } from './test-columns.tsx'
import type { TestRow } from './test-row.ts'
import { TestsEmpty } from './tests-empty.tsx'
import type { TestsArea } from './use-tests-area.ts'

const getId = ({ id }: TestRow) => id
const getLabel = (test: TestRow) => formatPath(test)

/** The tests in the order in which the project got to know them. */
export const TestTable = ({ area }: { area: TestsArea }) => (
  <Table
    name={area.run === null ? 'tests' : 'run-tests'}
    label="Automated tests"
    columns={area.run === null ? projectTestColumns : runTestColumns}
    rows={area.list.rows}
    total={area.list.total}
    getId={getId}
    getLabel={getLabel}
    openId={area.openId}
    onOpen={area.open}
    onActivate={area.activate}
    getInitialId={area.getActiveId}
    onReachEnd={area.list.loadMore}
    {...(area.mayEdit ? { selection: area.selection, onSelect: area.setSelection } : {})}
    empty={!area.list.isOutdated && <TestsEmpty area={area} />}
  />
)
