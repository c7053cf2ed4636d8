const CONTENT = 'It edits the content of a project, which is what Caseward is for. Deletions are recorded.'
const UPLOAD = 'Results are the content of a run, and recording them would slow down uploads.'
const EARLIER = 'What it deletes is kept as an earlier value of its result.'
const CANCELED = 'It cancels what is being sent. Files that are attached stay.'
const LINK = 'It removes an address that can be added again. Nothing changes there.'
const COMMENT = 'It deletes what its author has written. Deleting the comment of someone else is recorded.'
const PLAN = 'It changes nothing in the project but the import itself. Applying and undoing it are recorded.'
const VIEW = 'A view is only a filter with a name. Nothing that it showed changes.'
const REPORT = 'It only decides which emails the user gets.'
const READ = 'It only says what the user has read.'
const RESET_REQUEST =
  'Anyone can request a reset of any account, any number of times. Setting the password is recorded.'
const PENDING_FACTOR = 'It is not in use before its first code, which is recorded.'
const CHALLENGE = 'It only creates a challenge for an authenticator, which expires. What the answer does is recorded.'
const SIGN_OUT = 'It ends only the session that sends it. The sign-in is recorded.'

/** The requests that change data and leave no entry in the audit log, each with the reason. */
export const unrecordedChanges: Readonly<Record<string, string>> = {
  'GET /v1/runs/:runId/evaluation': 'It only derives what the outcomes of the run mean.',
  'POST /v1/projects/:projectId/folders': CONTENT,
  'PATCH /v1/projects/:projectId/folders/:id': CONTENT,
  'POST /v1/projects/:projectId/imports': PLAN,
  'POST /v1/projects/:projectId/imports/:id/plan': PLAN,
  'POST /v1/projects/:projectId/imports/:id/conflicts': CONTENT,
  'POST /v1/projects/:projectId/imports/:id/cancel': PLAN,
  'POST /v1/projects/:projectId/imports/:id/resume': PLAN,
  'POST /v1/projects/:projectId/test-cases': CONTENT,
  'POST /v1/projects/:projectId/test-cases/bulk': CONTENT,
  'POST /v1/projects/:projectId/test-cases/bulk-update': CONTENT,
  'POST /v1/projects/:projectId/test-cases/move': CONTENT,
  'POST /v1/projects/:projectId/test-cases/bulk-copy': CONTENT,
  'POST /v1/projects/:projectId/test-cases/:id/copies': CONTENT,
  'POST /v1/projects/:projectId/test-cases/import': CONTENT,
  'PATCH /v1/projects/:projectId/test-cases/:id': CONTENT,
  'PUT /v1/projects/:projectId/test-cases/:id': CONTENT,
  'POST /v1/projects/:projectId/test-cases/:id/versions/:version/restore': CONTENT,
  'POST /v1/projects/:projectId/shared-steps/:id/detach': CONTENT,
  'POST /v1/projects/:projectId/runs': CONTENT,
  'PATCH /v1/runs/:runId': CONTENT,
  'POST /v1/runs/:runId/reruns': CONTENT,
  'POST /v1/runs/:runId/test-cases': CONTENT,
  'POST /v1/runs/:runId/shards/:name/done': CONTENT,
  'PUT /v1/runs/:runId/results/:id': UPLOAD,
  'PATCH /v1/runs/:runId/results/:id': UPLOAD,
  'POST /v1/runs/:runId/results/assign': CONTENT,
  'POST /v1/runs/:runId/results/bulk': UPLOAD,
  'PUT /v1/runs/:runId/results/:id/combinations/:place': UPLOAD,
  'DELETE /v1/runs/:runId/results/:id/combinations/:place': EARLIER,
  'POST /v1/results': UPLOAD,
  'POST /v1/runs/:runId/reports': UPLOAD,
  'PUT /v1/projects/:projectId/test-cases/:id/aliases': CONTENT,
  'POST /v1/projects/:projectId/test-cases/:id/links': CONTENT,
  'DELETE /v1/projects/:projectId/test-cases/:id/links/:linkId': LINK,
  'POST /v1/runs/:runId/results/:id/links': CONTENT,
  'DELETE /v1/runs/:runId/results/:id/links/:linkId': LINK,
  'POST /v1/projects/:projectId/test-cases/:id/comments': CONTENT,
  'POST /v1/runs/:runId/comments': CONTENT,
  'POST /v1/runs/:runId/results/:id/comments': CONTENT,
  'PATCH /v1/projects/:projectId/comments/:id': CONTENT,
  'DELETE /v1/projects/:projectId/comments/:id': COMMENT,
  'POST /v1/projects/:projectId/tests/:id/continue': CONTENT,
  'PUT /v1/projects/:projectId/report-subscription': REPORT,
  'DELETE /v1/projects/:projectId/report-subscription': REPORT,
  'POST /v1/projects/:projectId/views': VIEW,
  'PATCH /v1/projects/:projectId/views/:viewId': VIEW,
  'DELETE /v1/projects/:projectId/views/:viewId': VIEW,
  'PUT /v1/projects/:projectId/views/default': VIEW,
  'POST /v1/me/mentions/read': READ,
  'POST /v1/runs/:runId/attachments': CONTENT,
  'POST /v1/runs/:runId/results/:id/attachments': CONTENT,
  'POST /v1/projects/:projectId/test-cases/:id/attachments': CONTENT,
  'PATCH /v1/projects/:projectId/attachments/:id': CONTENT,
  'PUT /v1/runs/:runId/files/:sha256': UPLOAD,
  'POST /v1/projects/:projectId/file-uploads': CONTENT,
  'PUT /v1/projects/:projectId/file-uploads/:id': CONTENT,
  'DELETE /v1/projects/:projectId/file-uploads/:id': CANCELED,
  'PATCH /v1/projects/:projectId/tests/:id': CONTENT,
  'POST /v1/projects/:projectId/tests/create-test-cases': CONTENT,
  'POST /v1/projects/:projectId/milestones': CONTENT,
  'PATCH /v1/projects/:projectId/milestones/:id': CONTENT,
  'POST /v1/password-resets': RESET_REQUEST,
  'POST /reset': RESET_REQUEST,
  'POST /v1/me/second-factors/totp': PENDING_FACTOR,
  'POST /sign-in/set-up-second-factor': PENDING_FACTOR,
  'POST /v1/me/second-factors/passkey': CHALLENGE,
  'POST /v1/session/passkey-options': CHALLENGE,
  'POST /v1/session/second-factor/passkey-options': CHALLENGE,
  'POST /v1/session/confirm/passkey-options': CHALLENGE,
  'DELETE /v1/session': SIGN_OUT,
  'POST /sign-out': SIGN_OUT,
}
