import { type Requirement, testsIn } from './requirement.ts'

const folder = 'src/features/milestones'
const create = testsIn(`${folder}/create-milestone.test.ts`, 'POST /v1/projects/:project_id/milestones')
const sub = testsIn(`${folder}/create-milestone.test.ts`, 'a sub-milestone')
const list = testsIn(`${folder}/list-milestones.test.ts`, 'GET /v1/projects/:project_id/milestones')
const one = testsIn(`${folder}/one-milestone.test.ts`, 'GET /v1/projects/:project_id/milestones/:milestone_id')
const remove = testsIn(`${folder}/one-milestone.test.ts`, 'DELETE /v1/projects/:project_id/milestones/:milestone_id')
const patch = testsIn(`${folder}/update-milestone.test.ts`, 'PATCH /v1/projects/:project_id/milestones/:milestone_id')
const derivedStatus = testsIn(`${folder}/sub-milestones.test.ts`, 'the status of a milestone with sub-milestones')
const derivedProgress = testsIn(`${folder}/sub-milestones.test.ts`, 'the progress of a milestone with sub-milestones')
const derivedDates = testsIn(`${folder}/sub-milestones.test.ts`, 'the dates of a milestone with sub-milestones')
const leafProgress = testsIn(
  `${folder}/milestone-progress.test.ts`,
  'the progress of a milestone without sub-milestones',
)
const phase = testsIn(`${folder}/milestone-progress.test.ts`, 'the phase')
const uploaded = testsIn(`${folder}/one-milestone.test.ts`, 'the moment an upload returns')
const oneRun = testsIn('src/features/runs/one-run.test.ts', 'GET /v1/runs/:run_id')
const answers = testsIn('src/http/answers.test.ts', 'in every answer')
const lists = testsIn('src/http/lists.test.ts', 'the list of %s')

const created = create('creates an active milestone with progress 0, at top level of the answer, with every field')
const takesEach = patch('takes %j alone, and keeps all other fields')
const refusals = create('refuses %s, and creates nothing')
const isoTimes = answers('each timestamp is ISO 8601 in UTC, or null where there is none')

export const milestones: readonly Requirement[] = [
  ['id: string', created, answers('each identifier is a string, or null where it refers to nothing')],
  ['name: string, required', created, refusals],
  ['description: string, not required', created, create('keeps what is sent')],
  ['start_date: timestamp, nullable', created, create('takes the date %s as %s'), patch('clears dates by null')],
  ['due_date: timestamp', create('takes the date %s as %s'), isoTimes],
  ['status: string', created],
  ['status is read-only with sub-milestones', derivedStatus('cannot be set to %s')],
  [
    'status is derived with sub-milestones',
    derivedStatus('is derived from theirs, in reads and in answers to changes'),
  ],
  [
    'parent: at most one level of nesting',
    sub('takes no sub-milestones itself'),
    sub('never goes below another, nor below nothing, whatever is created and deleted at the same time'),
  ],
  ['the parent is called parent_id in bodies', created, sub('names its parent, which then lists it')],
  [
    'parent_id is null at the top',
    created,
    list('lists the milestones of this project alone, the newest first, sub-milestones among them, in pages'),
  ],
  [
    'date_mode auto: dates derived from sub-milestones',
    derivedDates('are the earliest start and the latest due of theirs'),
  ],
  ['date_mode manual: dates set by hand', derivedDates('are set by hand from the start in mode manual')],
  [
    'date_mode is auto where nothing is said',
    created,
    derivedDates('are the earliest start and the latest due of theirs'),
  ],
  [
    'progress: percentage from 0 to 100',
    leafProgress('is, with %d of %d results tested, %d'),
    uploaded('progress, in the read and in the list, and the pass rate of the run are right'),
  ],
  [
    'progress is aggregated from sub-milestones',
    derivedProgress('is the mean of theirs, without its own runs, which it still lists'),
  ],
  ['created_at: timestamp', created, isoTimes],
  ['updated_at: timestamp', created, patch('changes only the fields sent, and updated_at')],
  [
    'the single read adds linked_runs of id, name, status, pass_rate',
    one('gives the milestone at top level with linked_runs and sub_milestones'),
  ],
  ['a linked run is in_progress or completed', one('lists the runs linked to it, the newest first, as they stand')],
  [
    'the pass rate is a percentage',
    one('lists the runs linked to it, the newest first, as they stand'),
    oneRun('gives the counts %j the pass rate %d'),
  ],
  [
    'the single read adds sub_milestones of id, name, status, progress',
    one('gives the milestone at top level with linked_runs and sub_milestones'),
    sub('names its parent, which then lists it'),
  ],
  [
    'upcoming, started, past_due, completed: decided, the phase',
    patch('shows the phase %s for %j'),
    patch('makes progress 100 and the phase completed with the status completed, and takes both back with active'),
    phase('of one that is %s, from %o to %o, is %s'),
  ],
  [
    'active, completed, archived filter the list',
    list('filters by the status that is shown, derived or not, with true totals'),
    list('refuses ?%s'),
  ],
  ['active, completed, archived are what an update takes', patch('moves a leaf from %s to %s'), patch('refuses %j')],
  ['a new milestone is active', created, create('ignores a status, a progress and fields that it does not know')],
  ['completing one without sub-milestones makes it completed', patch('moves a leaf from %s to %s')],
  [
    'completing makes progress 100',
    patch('makes progress 100 and the phase completed with the status completed, and takes both back with active'),
    takesEach,
  ],
  ['completing moves updated_at', patch('moves updated_at with the status')],
  ['with sub-milestones status cannot be set', derivedStatus('cannot be set to %s')],
  ['further transitions: decided, any to any', patch('moves a leaf from %s to %s')],
  ['GET all: 200', list('is empty where there are none')],
  [
    'GET all: status is active, completed or archived',
    list('filters by the status that is shown, derived or not, with true totals'),
    list('refuses ?%s'),
  ],
  [
    'GET all: paginated',
    lists('gives the page that is asked for'),
    list('lists the milestones of this project alone, the newest first, sub-milestones among them, in pages'),
  ],
  ['GET all: items carry exactly ten fields', list('gives items with exactly the fields of the specification')],
  [
    'GET one: 200, with linked_runs and sub_milestones',
    one('gives the milestone at top level with linked_runs and sub_milestones'),
  ],
  ['POST: name is required', refusals],
  ['POST: description, start_date, due_date', create('keeps what is sent'), refusals],
  ['POST: parent_id makes a sub-milestone', sub('names its parent, which then lists it')],
  ['POST: 201', created],
  ['POST: status active and progress 0', created],
  ['POST: start_date is null when not sent', created],
  ['PATCH: 200 with the milestone', takesEach],
  [
    'PATCH: name, description, dates and status, each optional',
    takesEach,
    patch('changes nothing when nothing that it knows is sent'),
  ],
  ['PATCH: status is active, completed or archived', patch('moves a leaf from %s to %s'), patch('refuses %j')],
  [
    'deleting a milestone: decided',
    remove('answers 204 without a body, and the milestone is gone'),
    remove('lets go of its runs, which keep their results'),
    remove('lets its sub-milestones move to the top with their own status, dates and runs'),
  ],
]
