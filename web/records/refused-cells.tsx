import { SmallButton } from '#web/ui/small-button.tsx'
import classes from './refused-cells.module.css'
import { placeOf, titleOfCell, type UnsavedCells } from './unsaved-cells.ts'

type RefusedCellsProps = {
  mapId: string
  cells: UnsavedCells
}

export function RefusedCells({ mapId, cells }: RefusedCellsProps) {
  const refused = cells.all().filter((cell) => cell.mapId === mapId && cell.state === 'refused')
  return (
    <div className={classes.cells} role="status" aria-label={refused.length > 0 ? 'Not saved' : undefined}>
      {refused.map((cell) => (
        <p key={`${cell.feature.id} ${cell.column}`}>
          <span>
            {titleOfCell(cell)}, {cell.label}: not saved. {cell.problem}
          </span>
          <SmallButton
            size="compact-sm"
            aria-label={`Go to ${titleOfCell(cell)}, ${cell.label}`}
            onClick={() => cells.wanted.set({ ...placeOf(cell), isAsked: true })}
          >
            Go to cell
          </SmallButton>
          <SmallButton
            size="compact-sm"
            aria-label={`Discard ${titleOfCell(cell)}, ${cell.label}`}
            onClick={() => cells.drop([cell])}
          >
            Discard
          </SmallButton>
        </p>
      ))}
    </div>
  )
}
