// Shared with the map that starts before the page.

export const sidebarKey = 'poa.sidebar.collapsed'

/** Pixels; repeated in `sidebar.module.css`. */
export const sidebarWidth = (isCollapsed: boolean) => (isCollapsed ? 56 : 360)

export const phoneLayout = {
  '--head-height': '48px',
  '--half-sheet': '50dvh',
  '--beside-width': 'clamp(280px, 45vw, 340px)',
} as const
