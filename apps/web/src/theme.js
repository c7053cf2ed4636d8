// Sets the chosen theme before the first paint. Without a choice, the system decides.
try {
  const { theme } = JSON.parse(localStorage.getItem('caseward:preferences') ?? '{}')
  if (theme === 'light' || theme === 'dark') document.documentElement.dataset.theme = theme
} catch {
  // Storage is blocked or unreadable: the system decides.
}
