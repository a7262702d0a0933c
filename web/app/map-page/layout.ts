// Layout of the map page, needed by the map that starts before the page.

/** Key in localStorage. */
export const sidebarKey = 'poa.sidebar.collapsed'

/** Pixels; repeated in `sidebar.module.css`. */
export const sidebarWidth = (isCollapsed: boolean) => (isCollapsed ? 56 : 360)

/** CSS properties on phones: the head, and the list below or beside the map. */
export const phoneLayout = {
  '--head-height': '48px',
  '--half-sheet': '50dvh',
  '--beside-width': 'clamp(280px, 45vw, 340px)',
} as const
