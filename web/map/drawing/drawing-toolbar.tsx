import { ActionIcon, Tooltip } from '@mantine/core'
import {
  IconCircle,
  IconCircleDot,
  IconLine,
  IconMapPin,
  IconPolygon,
  IconRectangle,
  type TablerIcon,
} from '@tabler/icons-react'
import { type DrawingTool, drawingTools } from '#domain/map-configuration/map-constants.ts'
import classes from './drawing-toolbar.module.css'
import { toolLabels } from './drawn-shape.ts'

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
  active: DrawingTool | null
  onChange(active: DrawingTool | null): void
  status: string | null
  problem: string | null
}

/** Section 2 of the specification: at the top left of the viewer. */
export function DrawingToolbar({ tools, active, onChange, status, problem }: DrawingToolbarProps) {
  return (
    <>
      <div className={classes.toolbar} role="toolbar" aria-label="Drawing">
        {drawingTools
          .filter((tool) => tools.includes(tool))
          .map((tool) => (
            <ToolButton
              key={tool}
              label={`Draw: ${toolLabels[tool]}`}
              Icon={toolIcons[tool]}
              isActive={active === tool}
              onClick={() => onChange(active === tool ? null : tool)}
            />
          ))}
      </div>
      <section
        className={classes.bar}
        aria-label="Drawing status"
        data-open={status !== null || problem !== null || undefined}
      >
        <p role="status">{status}</p>
        {problem !== null && (
          <p className={classes.problem} role="alert">
            {problem}
          </p>
        )}
      </section>
    </>
  )
}

type ToolButtonProps = { label: string; Icon: TablerIcon; isActive: boolean; onClick(): void }

function ToolButton({ label, Icon, isActive, onClick }: ToolButtonProps) {
  return (
    <Tooltip label={label} position="right">
      <ActionIcon
        className={classes.tool}
        variant={isActive ? 'filled' : 'default'}
        size={36}
        aria-label={label}
        aria-pressed={isActive}
        onClick={onClick}
      >
        <Icon size={18} />
      </ActionIcon>
    </Tooltip>
  )
}
