import styles from './avatar.module.css'
import { getInitials } from './get-initials.ts'

interface AvatarProps {
  name: string
  /** 20 px in rows, 28 in headers and lists of people. */
  size?: 20 | 28
  /** Whether the name stands beside it, and is not to be read twice. */
  isNamed?: boolean
}

/** The initials of a person. */
export const Avatar = ({ name, size = 20, isNamed = true }: AvatarProps) => (
  <span
    className={styles.avatar}
    // Drawn by the stylesheet: initials are no part of the name of a button around them (WCAG 2.5.3).
    data-initials={getInitials(name)}
    style={{ width: size, height: size, fontSize: size * 0.4 }}
    {...(isNamed ? { role: 'img', 'aria-label': name, title: name } : { 'aria-hidden': true })}
  />
)
