import { Button, Text } from '@mantine/core'
import { FormFooter } from '#web/ui/form-frame.tsx'
import { ShownSecret } from '#web/ui/shown-secret.tsx'

export function SecretShown({ secret, onClose }: { secret: string; onClose(): void }) {
  return (
    <>
      <Text mb="md">
        The receiver uses this secret to verify messages. Copy it now: it will not be shown again. You can
        change it at any time.
      </Text>
      <ShownSecret label="Secret" value={secret} />
      <FormFooter>
        <Button onClick={onClose}>Done</Button>
      </FormFooter>
    </>
  )
}
