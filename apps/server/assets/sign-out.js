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
  const ids = keys.filter((key) => isUnsent(key, 'upload', '')).map((key) => key.slice(key.lastIndexOf(':') + 1))
  if (ids.length > 0) removeContents(ids)
}

/** Removes the contents of files that were to be attached, which are kept apart. */
function removeContents(ids) {
  const request = indexedDB.open('caseward-uploads')
  request.onsuccess = () => {
    const database = request.result
    if (database.objectStoreNames.contains('contents')) {
      const contents = database.transaction('contents', 'readwrite').objectStore('contents')
      for (const id of ids) contents.delete(id)
    }
    database.close()
  }
}

/** Whether a key contains what a user typed or chose and the server does not have. Without a user, that of every user. */
const isUnsent = (key, kind, user) => key.startsWith(`${APP_PREFIX}${kind}:${user === '' ? '' : `${user}:`}`)

function describe(results, texts, files) {
  const parts = [
    ...(results === 0 ? [] : [results === 1 ? '1 result' : `${results} results`]),
    ...(texts === 0 ? [] : [texts === 1 ? '1 text that you typed' : `${texts} texts that you typed`]),
    ...(files === 0 ? [] : [files === 1 ? '1 file' : `${files} files`]),
  ]
  const isOne = results + texts + files === 1
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
      files: keys.filter((key) => isUnsent(key, 'upload', user)),
    }
  }
  // What other users of this browser did not send stays for them.
  const isOfOthers = (key) =>
    user !== '' && ['outbox', 'draft', 'upload'].some((kind) => isUnsent(key, kind, '') && !isUnsent(key, kind, user))
  const removeAll = (kept) =>
    remove(readKeys().filter((key) => key !== PREFERENCES_KEY && !isOfOthers(key) && !kept.includes(key)))

  const { results, texts, files } = findUnsent()
  const unsentCount = results.length + texts.length + files.length
  if (unsentCount > 0) {
    document.getElementById('unsent').hidden = false
    document.getElementById('unsent-text').textContent = describe(results.length, texts.length, files.length)
    document.getElementById('keep').hidden = false
    form.querySelector('[data-removes]').textContent = 'Remove and sign out'
  }
  form.addEventListener('submit', (event) => {
    event.preventDefault()
    const unsent = findUnsent()
    const kept = event.submitter?.id === 'keep' ? Object.values(unsent).flat() : []
    for (const button of form.querySelectorAll('button')) button.disabled = true
    void signOut(() => removeAll(kept))
  })
  // Another site may lead here, too: then the user has to press the button.
  const isFromHere = document.referrer.startsWith(`${location.origin}/`)
  if (unsentCount === 0 && isFromHere) form.requestSubmit()
}

if (form === null) remove(readKeys().filter((key) => key.startsWith(SAVED_PREFIX)))
else prepare()
