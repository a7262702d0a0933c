// Where the page of a map has its parts: the map begins at its place before there is a page.

/** Whether the sidebar is collapsed is kept there. */
export const sidebarKey = 'poa.sidebar.collapsed'

/** Pixels; `sidebar.module.css` has the same. */
export const sidebarWidth = (isCollapsed: boolean) => (isCollapsed ? 56 : 360)

/** Of a phone: the page's head, and the list below or beside the map. The style sheets read them as properties. */
export const phoneLayout = {
  '--head-height': '48px',
  '--half-sheet': '50dvh',
  '--beside-width': 'clamp(280px, 45vw, 340px)',
} as const
