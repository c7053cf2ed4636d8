// Signs in with a passkey, or adds one, on the pages of the server. Each of them works without it.
const section = document.getElementById('passkey')
const button = section?.querySelector('button')
const alert = section?.querySelector('[role=alert]')

const UNREACHABLE = 'The server cannot be reached. Try again.'

async function post(path, body) {
  const init = body === undefined ? {} : { headers: { 'content-type': 'application/json' }, body: JSON.stringify(body) }
  const response = await fetch(path, { method: 'POST', ...init }).catch(() => null)
  // A proxy may answer in place of the server, with a page.
  const answer = await response?.json().catch(() => null)
  if (!answer) throw new Error(UNREACHABLE)
  if (!response.ok) throw new Error(describeProblem(answer))
  return answer.data
}

/** A message about a field continues its name, which the page does not show. */
function describeProblem({ errors, detail }) {
  const message = errors?.[0]?.message
  return message === undefined ? detail : `This ${message}.`
}

/** Waits for the browser, which asks the user. */
async function ask(question) {
  const credential = await question.catch(() => null)
  if (!credential) throw new Error(section.dataset.refusal)
  return credential.toJSON()
}

async function prove(optionsPath, answerPath) {
  const { options } = await post(optionsPath)
  const publicKey = PublicKeyCredential.parseRequestOptionsFromJSON(options)
  await post(answerPath, { passkey: await ask(navigator.credentials.get({ publicKey })) })
  location.assign(section.dataset.next)
}

async function create() {
  const { options } = await post('/v1/me/second-factors/passkey')
  const publicKey = PublicKeyCredential.parseCreationOptionsFromJSON(options)
  const credential = await ask(navigator.credentials.create({ publicKey }))
  const { name, next } = section.dataset
  const { recovery_codes: codes } = await post('/v1/me/second-factors/passkey/activate', { name, credential })
  // Another tab has added a factor meanwhile, and shows the codes.
  if (codes === null) location.assign(next)
  else showRecoveryCodes(codes)
}

function showRecoveryCodes(codes) {
  const template = document.getElementById('recovery-codes')
  const heading = document.querySelector('h1')
  const items = codes.map((text) => {
    const code = document.createElement('code')
    code.textContent = text
    const item = document.createElement('li')
    item.append(code)
    return item
  })
  template.content.querySelector('ul').append(...items)
  document.title = document.title.replace(heading.textContent, template.dataset.title)
  heading.textContent = template.dataset.title
  heading.tabIndex = -1
  heading.parentElement.replaceChildren(heading, template.content)
  heading.focus()
}

const isSupported = (method) => typeof window.PublicKeyCredential?.[method] === 'function'

const tasks = {
  'sign-in': {
    isPossible: () => isSupported('parseRequestOptionsFromJSON'),
    run: () => prove('/v1/session/passkey-options', '/v1/session/passkey'),
  },
  'second-factor': {
    isPossible: () => isSupported('parseRequestOptionsFromJSON'),
    run: () => prove('/v1/session/second-factor/passkey-options', '/v1/session/second-factor'),
  },
  'set-up': { isPossible: () => isSupported('parseCreationOptionsFromJSON'), run: create },
}

async function handleClick(run) {
  button.disabled = true
  alert.textContent = ''
  try {
    await run()
  } catch (error) {
    alert.textContent = error.message
    button.disabled = false
    button.focus()
  }
}

const task = tasks[section?.dataset.task]
// Passkeys belong to the host of the public address. Without these functions, the browser is too old.
if (task?.isPossible() && location.hostname === section.dataset.host) {
  section.hidden = false
  button.addEventListener('click', () => void handleClick(task.run))
}
