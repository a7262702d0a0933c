import { useEffect, useState } from 'react'

export function useRefusal() {
  const [refusal, setRefusal] = useState<{ forMs: number } | null>(null)
  useEffect(() => {
    if (!refusal) return
    const timer = window.setTimeout(() => setRefusal(null), refusal.forMs)
    return () => window.clearTimeout(timer)
  }, [refusal])
  return {
    isRefused: refusal !== null,
    refuse: (forMs: number) => setRefusal({ forMs }),
    forget: () => setRefusal(null),
  }
}
