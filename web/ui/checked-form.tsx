import { type ComponentPropsWithoutRef, type RefObject, useEffect, useRef } from 'react'

const problems = '[aria-invalid=true], [data-error=true] input, [data-conflict] button'

type CheckedFormProps = Omit<ComponentPropsWithoutRef<'form'>, 'onSubmit' | 'noValidate'> & {
  ref?: RefObject<HTMLFormElement | null>
  refusal: Error | null
  onSubmit(): void
}

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

/** Problems are rendered with the next frame. */
function showProblem({ current }: RefObject<HTMLFormElement | null>) {
  window.requestAnimationFrame(() => {
    const first = current?.querySelector<HTMLElement>(problems)
    first?.focus()
    first?.scrollIntoView({ block: 'center' })
  })
}
