// Sets the chosen theme before the first paint. Without a choice, the system decides.
try {
  const { theme } = JSON.parse(localStorage.getItem('caseward:preferences') ?? '{}')
  if (theme === 'light' || theme === 'dark') document.documentElement.dataset.theme = theme
} catch {
  // Storage is blocked or unreadable: the system decides.
}

// The server may stop while the page is being loaded: without its code, nothing else could load it again.
addEventListener(
  'error',
  ({ target }) => {
    if (!(target instanceof HTMLScriptElement)) return
    setInterval(() => {
      fetch(location.href, { method: 'HEAD', cache: 'no-store' }).then(
        ({ ok }) => ok && location.reload(),
        () => {},
      )
    }, 2000)
  },
  { capture: true, once: true },
)
