import { type Requirement, testsIn } from './requirement.ts'

const folder = 'src/features/test-cases'
const create = testsIn(`${folder}/create-test-case.test.ts`, 'POST /v1/projects/:pid/test-cases')
const list = testsIn(`${folder}/list-test-cases.test.ts`, 'GET /v1/projects/:pid/test-cases')
const search = testsIn(`${folder}/list-test-cases.test.ts`, 'search')
const read = testsIn(`${folder}/read-test-case.test.ts`, 'GET /v1/projects/:pid/test-cases/:id')
const update = testsIn(`${folder}/update-test-case.test.ts`, '%s /v1/projects/:pid/test-cases/:id')
const remove = testsIn(`${folder}/update-test-case.test.ts`, 'DELETE /v1/projects/:pid/test-cases/:id')
const bulk = testsIn(`${folder}/bulk-create-test-cases.test.ts`, 'POST /v1/projects/:pid/test-cases/bulk')
const createFolder = testsIn('src/features/folders/create-folder.test.ts', 'POST /v1/projects/:project_id/folders')
const listFolders = testsIn('src/features/folders/list-folders.test.ts', 'GET /v1/projects/:project_id/folders')
const updateFolder = testsIn(
  'src/features/folders/update-folder.test.ts',
  'PATCH /v1/projects/:project_id/folders/:folder_id',
)
const deleteFolder = testsIn(
  'src/features/folders/delete-folder.test.ts',
  'DELETE /v1/projects/:project_id/folders/:folder_id',
)
const operation = testsIn('src/http/operations.test.ts', '%s %s')
const answers = testsIn('src/http/answers.test.ts', 'in every answer')
const lists = testsIn('src/http/lists.test.ts', 'the list of %s')

const asRead = read('shows all fields, with steps, tags, automation key and author')
const created = create('needs a title only, fills in the rest, and answers without tags, automation key and author')
const listed = list('shows exactly the spec’s fields: no tags, no created_by')
const refused = create('refuses %j and names every bad field')
const numbered = create('numbers steps from 1 in the order sent, whatever position they claim')
const changes = update('changes %s to %j and nothing else, and answers with that')
const asSingle = bulk('stores each item as a single creation would')
const isoTimes = answers('each timestamp is ISO 8601 in UTC, or null where there is none')

export const testCases: readonly Requirement[] = [
  ['id: string', asRead],
  ['title: required on create', refused],
  ['folder_id: optional', created, asRead],
  ['priority: critical, high, medium, low', create('takes the priority %s'), refused],
  ['priority: medium on create where nothing is said', created, asSingle],
  ['type: functional, smoke, regression; the others decided', create('takes the type %s'), refused],
  ['precondition: string', asRead, created],
  ['steps: position, action, expected', asRead, listed],
  ['steps: numbered from 1 in the order sent', numbered, update('replaces all steps and numbers the new ones')],
  ['expected_result: string', asRead],
  ['tags: strings, in the single read', asRead],
  ['tags: in the single read only', listed, created],
  ['created_by: user id, in the single read', asRead],
  ['created_by: in the single read only', listed, created],
  ['created_at: timestamp', created, listed, isoTimes],
  ['updated_at: timestamp', created, changes, isoTimes],
  [
    'fields and endpoints of folders: decided',
    createFolder('creates a folder with exactly the contract’s fields, at the top and last'),
    listFolders('lists each folder before what lies in it, siblings by position'),
    updateFolder('changes only the name when only that is sent'),
    deleteFolder('answers with a message'),
    deleteFolder('moves its test cases up to its parent, and its parent’s count with them'),
  ],
  ['methods: decided', operation('is there: without a token it is 401, not 404')],
  ['list: by folder_id', list('filters by folder, without its subfolders')],
  ['list: by priority', list('filters by the priority %s'), list('refuses ?%s')],
  ['list: by type', list('filters by priority, type and tag, each and together'), list('refuses ?%s')],
  [
    'list: search matches titles',
    search('finds %s in “%s”, upper or lower case, in any script'),
    search('looks at titles only'),
    search('takes %s literally'),
  ],
  [
    'list: paginated',
    list('lists by number, not by text, twenty to a page, with the true total'),
    lists('gives the page that is asked for'),
  ],
  ['list: items without tags and created_by', listed, list('shows the same fields when filtered')],
  ['retrieve: with steps, tags, created_by', asRead],
  ['create: title is required', refused],
  ['create: everything else is optional', created],
  ['create: folder_id, priority, type, precondition, steps, expected_result are kept', asRead],
  ['create: steps are action and expected', numbered, refused],
  ['create: answers the case with numbered steps and times', numbered, created],
  ['update: any of title, priority, type, precondition, steps, expected_result', changes],
  ['update: folder_id', update('moves a case between folders and to the top, and the folders’ counts with it')],
  ['update: steps replace all steps', update('replaces all steps and numbers the new ones'), changes],
  [
    'update: answers id, title, priority, updated_at and what changed',
    changes,
    update('answers with id, title, priority and updated_at alone when nothing is sent, and changes nothing'),
  ],
  ['delete: answers a message', remove('answers with a message, and the case is gone')],
  [
    'delete: results are kept, their reference is removed',
    remove('keeps its results with the title and status they had, and empties their reference'),
  ],
  ['bulk: up to 100', bulk('takes a hundred'), bulk('refuses a hundred and one')],
  [
    'bulk: items are shaped like the body of create',
    asSingle,
    bulk('names every bad field of every bad item, and creates nothing'),
  ],
  ['bulk: test_cases is an array', bulk('refuses test_cases %j')],
  [
    'bulk: answers created and id and title of each',
    bulk('creates all in order, and answers with how many and with their ids and titles'),
  ],
  [
    'bulk with invalid items: decided, all or nothing',
    bulk('names every bad field of every bad item, and creates nothing'),
    bulk('names every unknown folder, of whatever form, and creates nothing'),
    bulk('names every unknown folder and every field of a wrong form at once, in the order of the items'),
  ],
]
