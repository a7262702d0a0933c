// Where the page of a map has its parts: the map begins at its place before there is a page.

/** There the list is a sheet below the map. */
export const isPhoneQuery = '(max-width: 767px)'

/** Whether the sidebar is collapsed is kept there. */
export const sidebarKey = 'poa.sidebar.collapsed'

/** Pixels; `sidebar.module.css` has the same. */
export const sidebarWidth = (isCollapsed: boolean) => (isCollapsed ? 56 : 360)
