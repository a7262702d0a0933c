import { Text } from '@mantine/core'
import { otherTimeZone } from './time-zone.ts'

/** Once per place with times, for readers in another time zone. */
export function TimeZoneNote({ m }: { m?: number }) {
  const zone = otherTimeZone()
  return (
    zone && (
      <Text c="dimmed" size="sm" mt={8} {...(m === undefined ? {} : { m })}>
        Times are in {zone}.
      </Text>
    )
  )
}
