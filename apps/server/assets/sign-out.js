// Removes what the web app has stored in this browser: on the page that signs out, after a question when something of it
// was never sent; on the sign-in page, the results that were saved, because a session may have ended without that page.
const APP_PREFIX = 'caseward:'
const PREFERENCES_KEY = 'caseward:preferences'
const SAVED_PREFIX = 'caseward:outbox-saved:'
/** The app leaves its page when it sees this key. */
const SIGNED_OUT_KEY = 'caseward:signed-out'

const form = document.getElementById('sign-out')

function readKeys() {
  try {
    return Object.keys(localStorage).filter((key) => key.startsWith(APP_PREFIX))
  } catch {
    // The browser allows no storage, so that there is nothing in it.
    return []
  }
}

function remove(keys) {
  for (const key of keys) localStorage.removeItem(key)
}

/** Whether a key contains what a user typed or chose and the server does not have. Without a user, that of every user. */
const isUnsent = (key, kind, user) => key.startsWith(`${APP_PREFIX}${kind}:${user === '' ? '' : `${user}:`}`)

function describe(results, texts) {
  const parts = [
    ...(results === 0 ? [] : [results === 1 ? '1 result' : `${results} results`]),
    ...(texts === 0 ? [] : [texts === 1 ? '1 text that you typed' : `${texts} texts that you typed`]),
  ]
  const isOne = results + texts === 1
  return `${parts.join(' and ')} ${isOne ? 'is' : 'are'} not saved on the server, only in this browser.`
}

/** Ends the session first: the tabs of the app, which are told then, would otherwise open their page again. */
async function signOut(removeStored) {
  const response = await fetch(form.action, { method: 'POST' }).catch(() => null)
  removeStored()
  try {
    localStorage.setItem(SIGNED_OUT_KEY, '1')
    localStorage.removeItem(SIGNED_OUT_KEY)
    sessionStorage.clear()
  } catch {
    // As above.
  }
  if (response?.ok) location.replace(response.url)
  else form.submit()
}

function prepare() {
  const user = encodeURIComponent(form.dataset.user)
  const findUnsent = () => {
    const keys = readKeys()
    return {
      results: keys.filter((key) => isUnsent(key, 'outbox', user)),
      texts: keys.filter((key) => isUnsent(key, 'draft', user)),
    }
  }
  // What other users of this browser did not send stays for them.
  const isOfOthers = (key) =>
    user !== '' && ['outbox', 'draft'].some((kind) => isUnsent(key, kind, '') && !isUnsent(key, kind, user))
  const removeAll = (kept) =>
    remove(readKeys().filter((key) => key !== PREFERENCES_KEY && !isOfOthers(key) && !kept.includes(key)))

  const { results, texts } = findUnsent()
  if (results.length + texts.length > 0) {
    document.getElementById('unsent').hidden = false
    document.getElementById('unsent-text').textContent = describe(results.length, texts.length)
    document.getElementById('keep').hidden = false
    form.querySelector('[data-removes]').textContent = 'Remove and sign out'
  }
  form.addEventListener('submit', (event) => {
    event.preventDefault()
    const unsent = findUnsent()
    const kept = event.submitter?.id === 'keep' ? [...unsent.results, ...unsent.texts] : []
    for (const button of form.querySelectorAll('button')) button.disabled = true
    void signOut(() => removeAll(kept))
  })
  // Another site may lead here, too: then the user has to press the button.
  const isFromHere = document.referrer.startsWith(`${location.origin}/`)
  if (results.length + texts.length === 0 && isFromHere) form.requestSubmit()
}

if (form === null) remove(readKeys().filter((key) => key.startsWith(SAVED_PREFIX)))
else prepare()
