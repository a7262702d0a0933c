import { Button, Text } from '@mantine/core'
import { useState } from 'react'
import { baseMapLabels, mainViewBaseMaps } from '#domain/map-configuration/map-constants.ts'
import { Confirmation } from '#web/ui/confirmation.tsx'
import classes from './configuration-panel.module.css'
import type { ConfigurationDraft } from './use-configuration-draft.ts'

type RemoveConfigurationProps = {
  draft: ConfigurationDraft
  /** Where the map opens without applied settings. */
  opensAt: string
  isPending: boolean
  onRemove(version: number): void
}

/** Removes the applied settings. It asks first, as all users see the change. */
export function RemoveConfiguration({ draft, opensAt, isPending, onRemove }: RemoveConfigurationProps) {
  // The version that the user confirms: a later one is not removed.
  const [asked, setAsked] = useState<number | null>(null)
  const { present, changes, isReadOnly } = draft
  if (isReadOnly || !present.isApplied) return null
  const offered = mainViewBaseMaps.map((baseMap) => baseMapLabels[baseMap]).join(', ')
  return (
    <div className={classes.removal}>
      <Button variant="default" size="xs" loading={isPending} onClick={() => setAsked(present.version)}>
        Back to nothing applied
      </Button>
      <Confirmation
        title="Take the applied settings away?"
        isOpen={asked !== null}
        stay="Cancel"
        onStay={() => setAsked(null)}
        go="Take away"
        onGo={() => {
          setAsked(null)
          if (asked !== null) onRemove(asked)
        }}
        advised="go"
      >
        {() => (
          <>
            <Text size="md">
              Everybody will see the map as if no settings had ever been applied: it opens at {opensAt},
              offers {offered}, has no bounds, and shows the public no personal data. Version {asked} stays in
              the list, and can be restored.
            </Text>
            {changes.length > 0 && (
              <Text size="md" mt="sm">
                What you have changed and not applied is thrown away.
              </Text>
            )}
          </>
        )}
      </Confirmation>
    </div>
  )
}
