import { ActionIcon, Checkbox, NativeSelect, TextInput } from '@mantine/core'
import { IconArrowDown, IconArrowUp, IconPlus, IconTrash } from '@tabler/icons-react'
import { useEffect, useRef } from 'react'
import {
  type CustomFieldType,
  customFieldTypes,
  type FieldVisibility,
  fieldVisibilities,
  ownHelpLength,
  ownLabelLength,
} from '#domain/definition/custom-field.ts'
import { newKey } from '#web/api/http.ts'
import { Disclosure } from '#web/ui/disclosure.tsx'
import { SmallButton } from '#web/ui/small-button.tsx'
import classes from './custom-field-editor.module.css'
import type { DraftField } from './custom-fields-draft.ts'

type CustomFieldEditorProps = {
  own: DraftField
  noun: string
  problems: ReadonlyMap<string, string>
  path: string
  isOpen: boolean
  onToggle(): void
  onUp: (() => void) | null
  onDown: (() => void) | null
  onChange(own: DraftField): void
  onRemove(): void
}

export function CustomFieldEditor(props: CustomFieldEditorProps) {
  const { own, noun, problems, path, isOpen, onToggle, onUp, onDown, onChange, onRemove } = props
  const name = own.label.trim() || 'New field'
  const labelRef = useRef<HTMLInputElement>(null)
  const isNew = own.key === ''
  useEffect(() => {
    if (isOpen && isNew) labelRef.current?.focus()
  }, [isOpen, isNew])
  const hasProblem = [...problems.keys()].some((key) => key.startsWith(`${path}.`))
  const facts = [
    customFieldTypes[own.type],
    own.isRequired && 'required',
    `visible to ${fieldVisibilities[own.visibleTo].toLowerCase()}`,
    hasProblem && 'has errors',
  ].filter(Boolean)
  const set = (changed: Partial<DraftField>) => onChange({ ...own, ...changed })
  return (
    <fieldset className={classes.field} aria-label={name}>
      <Disclosure
        isOpen={isOpen}
        onToggle={onToggle}
        label={
          <>
            <b>{name}</b> <span className={classes.facts}>{facts.join(' · ')}</span>
          </>
        }
        beside={
          <>
            <Act label={`Move ${name} up`} icon={IconArrowUp} onClick={onUp} />
            <Act label={`Move ${name} down`} icon={IconArrowDown} onClick={onDown} />
            <Act label={`Remove ${name}`} icon={IconTrash} onClick={onRemove} />
          </>
        }
      >
        <div className={classes.controls}>
          <TextInput
            ref={labelRef}
            label="Name"
            required
            maxLength={ownLabelLength}
            value={own.label}
            error={problems.get(`${path}.label`)}
            onChange={(event) => set({ label: event.currentTarget.value })}
          />
          <NativeSelect
            label="Type"
            description={
              isNew ? 'You cannot change the type after saving.' : 'To use another type, add a new field.'
            }
            disabled={!isNew}
            value={own.type}
            data={Object.entries(customFieldTypes).map(([value, label]) => ({ value, label }))}
            error={problems.get(`${path}.type`)}
            onChange={(event) => set({ type: event.currentTarget.value as CustomFieldType })}
          />
          {own.type === 'choice' && <Choices {...{ own, problems, path, onChange }} />}
          <TextInput
            label="Help text"
            description="Shown below the field in forms"
            maxLength={ownHelpLength}
            value={own.help ?? ''}
            error={problems.get(`${path}.help`)}
            onChange={(event) => set({ help: event.currentTarget.value || null })}
          />
          <Checkbox
            label="Required"
            description={`Applies to each new ${noun}, not to existing ones.`}
            checked={own.isRequired}
            onChange={(event) => set({ isRequired: event.currentTarget.checked })}
          />
          <NativeSelect
            label="Visible to"
            description="Everyone includes visitors who are not signed in."
            value={own.visibleTo}
            data={Object.entries(fieldVisibilities).map(([value, label]) => ({ value, label }))}
            onChange={(event) => set({ visibleTo: event.currentTarget.value as FieldVisibility })}
          />
        </div>
      </Disclosure>
    </fieldset>
  )
}

type ChoicesProps = Pick<CustomFieldEditorProps, 'own' | 'problems' | 'path' | 'onChange'>

function Choices({ own, problems, path, onChange }: ChoicesProps) {
  const { choices } = own
  const set = (changed: DraftField['choices']) => onChange({ ...own, choices: changed })
  const add = () => set([...choices, { id: newKey(), key: '', label: '' }])
  return (
    <fieldset className={classes.choices}>
      <legend>Choices</legend>
      {choices.map((choice, index) => (
        <div key={choice.id} className={classes.line}>
          <TextInput
            className={classes.choice}
            aria-label={`Choice ${index + 1}`}
            maxLength={ownLabelLength}
            value={choice.label}
            error={problems.get(`${path}.choices.${index}.label`)}
            onChange={(event) => set(choices.with(index, { ...choice, label: event.currentTarget.value }))}
          />
          <Act
            label={`Remove ${choice.label || `choice ${index + 1}`}`}
            icon={IconTrash}
            onClick={() => set(choices.toSpliced(index, 1))}
          />
        </div>
      ))}
      {problems.has(`${path}.choices`) && (
        <p className={classes.problem} role="alert">
          {problems.get(`${path}.choices`)}
        </p>
      )}
      <SmallButton icon={IconPlus} iconSize={14} onClick={add}>
        Add choice
      </SmallButton>
    </fieldset>
  )
}

type ActProps = { label: string; icon: typeof IconTrash; onClick: (() => void) | null }

const Act = ({ label, icon: Icon, onClick }: ActProps) => (
  <ActionIcon
    className={classes.act}
    variant="subtle"
    color="gray"
    aria-label={label}
    disabled={onClick === null}
    onClick={onClick ?? undefined}
  >
    <Icon size={16} aria-hidden="true" />
  </ActionIcon>
)
