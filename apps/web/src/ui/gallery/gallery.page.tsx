/** `/ui`, in development only: every component in every state. */
export function GalleryPage() {
  return (
    <main>
      <title>Components · Caseward</title>
      <h1>Components</h1>
    </main>
  )
}
