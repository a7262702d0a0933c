import type { ComponentProps, ReactNode } from 'react'
import classes from './form-frame.module.css'

type FormProps = Omit<ComponentProps<'form'>, 'onSubmit'> & { onSubmit(): void }

/** Does not load another page. */
export const Form = ({ onSubmit, ...props }: FormProps) => (
  <form
    {...props}
    onSubmit={(event) => {
      event.preventDefault()
      onSubmit()
    }}
  />
)

/** Stays in view at the top of a form that has no dialog around it. `children` are placed at the right. */
export const FormHeader = ({ title }: { title: string }) => (
  <header className={classes.header}>
    <h2>{title}</h2>
  </header>
)

type FormFooterProps = {
  /** The buttons; the primary one is last. */
  children: ReactNode
  status?: ReactNode
  failure?: ReactNode
  /** Conflicts to settle before saving. */
  questions?: ReactNode
  isIdle?: boolean
}

/** Stays in view at the bottom of every form and dialog. */
export function FormFooter({ children, status, failure, questions, isIdle }: FormFooterProps) {
  return (
    <footer className={classes.footer} data-form-footer data-idle={isIdle || undefined}>
      {failure && (
        <div className={classes.failure} role="alert">
          {failure}
        </div>
      )}
      {questions}
      {status !== undefined && (
        <p className={classes.status} role="status">
          {status}
        </p>
      )}
      <div className={classes.buttons}>{children}</div>
    </footer>
  )
}
