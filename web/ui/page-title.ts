import { useEffect } from 'react'

const product = 'POA Land Management'

/** Sets the title of the window. Undefined leaves it unchanged. */
export function usePageTitle(name: string | undefined): void {
  useEffect(() => {
    if (name !== undefined) document.title = name === '' ? product : `${name} – ${product}`
  }, [name])
}
