import { useEffect } from 'react'
import { MakeTokenButton, TokenList } from '#web/identity/api-tokens.tsx'
import classes from './client-selection-page.module.css'

export function ApiTokensPage() {
  useEffect(() => {
    document.title = 'API tokens – POA Land Management'
  }, [])
  return (
    <>
      <header className={classes.bar}>Your account</header>
      <main className={classes.page}>
        <div className={classes.column}>
          <div className={classes.heading}>
            <div>
              <h1>API tokens</h1>
              <p>Programs such as QGIS sign in with them, in your name, to what you choose</p>
            </div>
            <MakeTokenButton />
          </div>
          <TokenList of={null} />
        </div>
      </main>
    </>
  )
}
