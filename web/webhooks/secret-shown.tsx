import { Button, Group, Text } from '@mantine/core'
import { ShownSecret } from '#web/ui/shown-secret.tsx'

export function SecretShown({ secret, onClose }: { secret: string; onClose(): void }) {
  return (
    <>
      <Text mb="md">
        The receiver needs the secret to know that a message is from here. Give it to nobody else, and copy it
        now: it is not shown again. A new one can be made at any time.
      </Text>
      <ShownSecret label="Secret" value={secret} />
      <Group justify="flex-end">
        <Button variant="default" onClick={onClose}>
          Done
        </Button>
      </Group>
    </>
  )
}
