import { Loading, Skeleton, SkeletonRows } from '../../ui/skeleton.tsx'
import styles from './run-loading.module.css'

/** The shape of a run's pages while the run loads. */
export const RunLoading = ({ label }: { label: string }) => (
  <Loading label={label}>
    <div className={styles.head}>
      <Skeleton width={220} height={18} />
      <Skeleton width="40%" />
    </div>
    <SkeletonRows count={14} />
  </Loading>
)
