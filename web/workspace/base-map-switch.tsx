import { SegmentedControl } from '@mantine/core'
import { type BaseMap, baseMapLabels, baseMaps } from '#domain/map-configuration/map-constants.ts'

export type BaseMapChoiceProps = {
  offered: readonly BaseMap[]
  value: BaseMap
  onChange(baseMap: BaseMap): void
}

export function BaseMapSwitch({
  offered,
  value,
  onChange,
  isWide = false,
}: BaseMapChoiceProps & { isWide?: boolean }) {
  const inOrder = baseMaps.filter((baseMap) => offered.includes(baseMap))
  return (
    <SegmentedControl
      aria-label="Base map"
      size="sm"
      fullWidth={isWide}
      value={value}
      data={inOrder.map((baseMap) => ({ value: baseMap, label: baseMapLabels[baseMap] }))}
      onChange={onChange}
    />
  )
}
