import { type ComponentPropsWithoutRef, type RefObject, useEffect, useRef } from 'react'

/** Fields, groups and questions that stand in the way. */
const problems = ':is([aria-invalid=true], [data-error=true] input, [data-asked] button)'

type CheckedFormProps = Omit<ComponentPropsWithoutRef<'form'>, 'onSubmit' | 'noValidate'> & {
  ref?: RefObject<HTMLFormElement | null>
  /** Why the server did not take what was sent last. */
  refusal: Error | null
  onSubmit(): void
}

/** A form that shows its first problem, and moves the focus there, when it is sent or refused. */
export function CheckedForm({ ref, refusal, onSubmit, ...form }: CheckedFormProps) {
  const ownRef = useRef<HTMLFormElement>(null)
  const formRef = ref ?? ownRef
  useEffect(() => {
    if (refusal) showProblem(formRef)
  }, [refusal, formRef])
  return (
    <form
      {...form}
      ref={formRef}
      noValidate
      onSubmit={(event) => {
        event.preventDefault()
        onSubmit()
        showProblem(formRef)
      }}
    />
  )
}

/** Problems are in the page with the next frame. */
function showProblem({ current }: RefObject<HTMLFormElement | null>) {
  window.requestAnimationFrame(() => {
    const first = current?.querySelector<HTMLElement>(problems)
    first?.focus()
    first?.scrollIntoView({ block: 'center' })
  })
}
