import { MakeTokenButton, TokenList } from '#web/identity/api-tokens.tsx'
import { usePageTitle } from '#web/ui/page-title.ts'
import classes from './client-selection-page.module.css'

export function ApiTokensPage() {
  usePageTitle('Your tokens')
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
