import { Slider } from '@mantine/core'
import { IconLayoutSidebar, IconMap } from '@tabler/icons-react'
import classes from './split-slider.module.css'

export const splits = [0, 1, 2] as const
export type Split = (typeof splits)[number]
const names: Record<Split, string> = { 0: 'Configuration', 1: 'Balanced', 2: 'Map' }
const nameOf = (value: number) => names[value as Split] ?? ''

type SplitSliderProps = { isStacked: boolean; value: Split; onChange(split: Split): void }

export function SplitSlider({ isStacked, value, onChange }: SplitSliderProps) {
  return (
    <div className={classes.split}>
      <IconLayoutSidebar size={18} aria-hidden="true" />
      <Slider
        className={classes.slider}
        min={0}
        max={2}
        step={1}
        marks={splits.map((split) => ({ value: split }))}
        value={value}
        label={null}
        thumbLabel={`${isStacked ? 'Height' : 'Width'} of panel and map`}
        thumbValueText={nameOf(value)}
        onChange={(chosen) => onChange(chosen as Split)}
      />
      <IconMap size={18} aria-hidden="true" />
      <span className={classes.name}>{nameOf(value)}</span>
    </div>
  )
}
