export { formatCount, formatNumberOf, formatShare, formatWholeNumber } from '@caseward/matching/format-amounts'
