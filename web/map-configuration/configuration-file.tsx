import { Button, FileButton, Group } from '@mantine/core'
import { IconDownload, IconUpload } from '@tabler/icons-react'
import { useState } from 'react'
import {
  configurationReader,
  type MapConfiguration,
} from '#domain/map-configuration/map-configuration.schema.ts'
import { downloadText } from '#web/ui/download-file.ts'
import { SmallButton } from '#web/ui/small-button.tsx'
import classes from './configuration-file.module.css'
import type { ConfigurationDraft } from './use-configuration-draft.ts'

export function ConfigurationFile({ draft }: { draft: ConfigurationDraft }) {
  const [refusal, setRefusal] = useState<string | null>(null)
  const [resetKey, setResetKey] = useState(0)
  async function load(file: File | null) {
    if (!file) return
    // Otherwise the same file cannot be chosen again.
    setResetKey((key) => key + 1)
    const read = readConfiguration(await file.text(), draft.configuration ?? draft.base.configuration)
    setRefusal(read.problem === null ? null : `Could not import ${file.name}: ${read.problem}`)
    if (read.configuration) draft.load(read.configuration)
  }
  return (
    <>
      <Group gap={8}>
        {!draft.isReadOnly && (
          <FileButton key={resetKey} accept="application/json,.json" onChange={(file) => void load(file)}>
            {(props) => (
              <Button
                {...props}
                variant="default"
                size="xs"
                leftSection={<IconUpload size={16} aria-hidden="true" />}
              >
                Import
              </Button>
            )}
          </FileButton>
        )}
        <SmallButton
          icon={IconDownload}
          disabled={!draft.configuration}
          onClick={() =>
            downloadText(
              `${draft.mapId}-configuration.json`,
              'application/json',
              `${JSON.stringify(draft.configuration, null, 2)}\n`,
            )
          }
        >
          Export
        </SmallButton>
      </Group>
      {refusal && (
        <p className={classes.refusal} role="alert">
          {refusal}
        </p>
      )}
    </>
  )
}

/** Settings that the file does not contain stay. */
function readConfiguration(
  text: string,
  current: MapConfiguration,
): { configuration: MapConfiguration | null; problem: string | null } {
  let content: unknown
  try {
    content = JSON.parse(text)
  } catch (error) {
    return { configuration: null, problem: `not valid JSON (${(error as Error).message}).` }
  }
  const parsed = configurationReader(current).safeParse(content)
  if (parsed.data) return { configuration: parsed.data, problem: null }
  const problems = parsed.error?.issues.map(({ path, message }) =>
    path.length > 0 ? `${path.join('.')}: ${message}` : message,
  )
  return { configuration: null, problem: problems?.join(' ') ?? '' }
}
