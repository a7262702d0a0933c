import { ActionIcon, Tooltip } from '@mantine/core'
import {
  IconCircle,
  IconCircleDot,
  IconLine,
  IconMapPin,
  IconPencil,
  IconPolygon,
  IconRectangle,
  IconTrash,
  type TablerIcon,
} from '@tabler/icons-react'
import { type DrawingTool, drawingTools } from '#domain/map-configuration/map-constants.ts'
import classes from './drawing-toolbar.module.css'
import { toolLabels } from './drawn-shape.ts'

export type ActivityName = DrawingTool | 'edit' | 'delete'

const toolIcons: Record<DrawingTool, TablerIcon> = {
  polyline: IconLine,
  polygon: IconPolygon,
  rectangle: IconRectangle,
  circle: IconCircle,
  marker: IconMapPin,
  circlemarker: IconCircleDot,
}

type DrawingToolbarProps = {
  tools: readonly DrawingTool[]
  active: ActivityName | null
  /** What has been changed must be saved or cancelled first. */
  isLocked: boolean
  hasShapes: boolean
  onChange(active: ActivityName | null, isByKeyboard: boolean): void
}

/** Section 2 of the specification: at the top left of the viewer. */
export function DrawingToolbar({ tools, active, isLocked, hasShapes, onChange }: DrawingToolbarProps) {
  const buttons = [
    ...drawingTools
      .filter((tool) => tools.includes(tool))
      .map((tool) => ({ name: tool, label: `Draw: ${toolLabels[tool]}`, Icon: toolIcons[tool] })),
    { name: 'edit', label: 'Edit shapes', Icon: IconPencil },
    { name: 'delete', label: 'Delete shapes', Icon: IconTrash },
  ] as const
  return (
    <div className={classes.toolbar} role="toolbar" aria-label="Drawing">
      {buttons.map(({ name, label, Icon }) => {
        const isActive = active === name
        const needsShapes = name === 'edit' || name === 'delete'
        return (
          <Tooltip key={name} label={label} position="right">
            <ActionIcon
              variant={isActive ? 'filled' : 'default'}
              size={36}
              aria-label={label}
              aria-pressed={isActive}
              disabled={isLocked || (needsShapes && !hasShapes)}
              // A press of a key counts no clicks.
              onClick={(event) => onChange(isActive ? null : name, event.detail === 0)}
            >
              <Icon size={18} />
            </ActionIcon>
          </Tooltip>
        )
      })}
    </div>
  )
}
