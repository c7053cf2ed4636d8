/** What a merge does, before it is done. */
export const MergeEffects = ({ fromId, intoId }: { fromId: string; intoId: string }) => (
  <>
    Automation keys, automated tests, links, files and comments of {fromId} move to {intoId}. Its text, versions and
    results stay with {fromId}, which is archived. Its id then leads to {intoId}, and so do later results of CI.
  </>
)
