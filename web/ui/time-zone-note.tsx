import { Text } from '@mantine/core'
import { otherTimeZone } from './time-zone.ts'

/** Once per place with times, for readers in another time zone. */
export function TimeZoneNote() {
  const zone = otherTimeZone()
  return (
    zone && (
      <Text c="dimmed" size="sm">
        Times are in {zone}.
      </Text>
    )
  )
}
