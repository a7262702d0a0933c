import { useEffect } from 'react'
import { MakeTokenButton, TokenList } from '#web/identity/api-tokens.tsx'
import classes from './client-selection-page.module.css'

export function ApiTokensPage() {
  useEffect(() => {
    document.title = 'Your tokens – POA Land Management'
  }, [])
  return (
    <>
      <header className={classes.bar}>Your account</header>
      <main className={classes.page}>
        <div className={classes.column}>
          <div className={classes.heading}>
            <div>
              <h1>Your tokens</h1>
              <p>Let programs such as QGIS sign in as you</p>
            </div>
            <MakeTokenButton />
          </div>
          <TokenList of={null} />
        </div>
      </main>
    </>
  )
}
