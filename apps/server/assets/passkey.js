// Completes a sign-in with a passkey, on the page of the second factor.
const section = document.getElementById('passkey')
const button = section?.querySelector('button')
const alert = section?.querySelector('[role=alert]')

async function post(path, body) {
  const init = body === undefined ? {} : { headers: { 'content-type': 'application/json' }, body: JSON.stringify(body) }
  const response = await fetch(path, { method: 'POST', ...init })
  const answer = await response.json()
  if (!response.ok) throw new Error(answer.errors?.[0]?.message ?? answer.detail)
  return answer.data
}

async function signIn() {
  const { options } = await post('/v1/session/second-factor/passkey-options')
  const publicKey = PublicKeyCredential.parseRequestOptionsFromJSON(options)
  const credential = await navigator.credentials.get({ publicKey }).catch(() => {
    throw new Error('The passkey was not used. Try again, or enter a code.')
  })
  await post('/v1/session/second-factor', { passkey: credential.toJSON() })
}

async function handleClick() {
  button.disabled = true
  alert.textContent = ''
  try {
    await signIn()
    location.assign(section.dataset.next)
  } catch (error) {
    alert.textContent = error instanceof TypeError ? 'The server cannot be reached. Try again.' : error.message
    button.disabled = false
    button.focus()
  }
}

// Without this function, the browser is too old; the field for codes still works.
if (section && typeof window.PublicKeyCredential?.parseRequestOptionsFromJSON === 'function') {
  section.hidden = false
  button.addEventListener('click', () => void handleClick())
}
