import { useLocation, useParams } from '@tanstack/react-router'
import { CardPage } from '#web/ui/card-page.tsx'
import { WorkOrderDetails } from '#web/work/work-order.tsx'

/** The key is in the fragment, which browsers do not send to servers. */
export function WorkOrderPage() {
  const { mapId = '', id = '' } = useParams({ strict: false })
  const key = useLocation({ select: ({ hash }) => hash })
  return (
    <CardPage title="Work order">
      <WorkOrderDetails link={{ mapId, id, key }} />
    </CardPage>
  )
}
