import { Button, CopyButton, Group, Text, TextInput } from '@mantine/core'

/** A secret that nobody can read again. */
export function SecretShown({ secret, onClose }: { secret: string; onClose(): void }) {
  return (
    <>
      <Text mb="md">
        The receiver needs the secret to know that a message is from here. Give it to nobody else.
      </Text>
      <TextInput
        label="Secret"
        description="Shown this once: copy it now. A new one can be made at any time."
        value={secret}
        readOnly
        data-autofocus
        onFocus={(event) => event.currentTarget.select()}
      />
      <Group justify="flex-end" mt="lg">
        <CopyButton value={secret}>
          {({ copied, copy }) => (
            <Button variant={copied ? 'default' : 'filled'} onClick={copy}>
              {copied ? 'Copied' : 'Copy the secret'}
            </Button>
          )}
        </CopyButton>
        <Button variant="default" onClick={onClose}>
          Done
        </Button>
      </Group>
    </>
  )
}
