import { VisuallyHidden } from '../visually-hidden.tsx'

interface FiguresTableProps {
  /** What the chart shows. */
  caption: string
  heads: readonly string[]
  rows: readonly (readonly (string | number)[])[]
}

/** The figures of a chart as a table for screen readers. */
export const FiguresTable = ({ caption, heads, rows }: FiguresTableProps) => (
  <VisuallyHidden>
    <table>
      <caption>{caption}</caption>
      <thead>
        <tr>
          {heads.map((head) => (
            <th key={head} scope="col">
              {head}
            </th>
          ))}
        </tr>
      </thead>
      <tbody>
        {rows.map((row) => (
          <tr key={row.join(' ')}>
            {row.map((cell, index) => (
              <td key={heads[index]}>{cell}</td>
            ))}
          </tr>
        ))}
      </tbody>
    </table>
  </VisuallyHidden>
)
