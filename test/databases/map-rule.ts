import { type Node, parseSync, type RangeVar, type SelectStmt } from 'libpg-query'

/** A table, subquery or common table expression that a part of a statement reads. */
type Source = { table: string | null; isOnOneMap: boolean }

type Scope = { sources: Map<string, Source>; parent: Scope | null }

/**
 * Returns the distributed tables of an SQL statement that it does not restrict to one map: by `map_id` = a value, or =
 * the map_id of a table that it restricts. In doubt a table is not restricted.
 */
export function tablesOfAllMaps(statement: string, isDistributed: (table: string) => boolean): string[] {
  const found = new Set<string>()

  function check(node: Node, parent: Scope | null, named: ReadonlyMap<string, Source>): boolean {
    if ('SelectStmt' in node) return checkSelect(node.SelectStmt, parent, named)
    if ('InsertStmt' in node) {
      const {
        relation,
        cols = [],
        selectStmt,
        onConflictClause,
        returningClause,
        withClause,
      } = node.InsertStmt
      const names = checkNamed(withClause, parent, named)
      if (selectStmt) check(selectStmt, parent, names)
      const table = relation?.relname ?? ''
      const isOnOneMap = cols.some((column) => 'ResTarget' in column && column.ResTarget.name === 'map_id')
      if (isDistributed(table) && !isOnOneMap) found.add(table)
      const source = { table, isOnOneMap }
      const sources = new Map([
        [relation?.alias?.aliasname ?? table, source],
        ['excluded', source],
      ])
      const scope = { sources, parent }
      descend([onConflictClause, returningClause], scope, names)
      return isExposed(returningClause?.exprs, scope)
    }
    if ('UpdateStmt' in node) {
      const {
        relation,
        fromClause = [],
        whereClause,
        targetList = [],
        returningClause,
        withClause,
      } = node.UpdateStmt
      const names = checkNamed(withClause, parent, named)
      const from = [...asNodes(relation), ...fromClause]
      const scope = checkFrom(from, whereClause, parent, names)
      descend([whereClause, targetList, returningClause], scope, names)
      const isMoved = targetList.some((target) => 'ResTarget' in target && target.ResTarget.name === 'map_id')
      if (isMoved && isDistributed(relation?.relname ?? '')) found.add(relation?.relname ?? '')
      return isExposed(returningClause?.exprs, scope)
    }
    if ('DeleteStmt' in node) {
      const { relation, usingClause = [], whereClause, returningClause, withClause } = node.DeleteStmt
      const names = checkNamed(withClause, parent, named)
      const scope = checkFrom([...asNodes(relation), ...usingClause], whereClause, parent, names)
      descend([whereClause, returningClause], scope, names)
      return isExposed(returningClause?.exprs, scope)
    }
    for (const table of tablesIn(node)) if (isDistributed(table)) found.add(table)
    return false
  }

  function checkNamed(
    withClause: SelectStmt['withClause'],
    parent: Scope | null,
    named: ReadonlyMap<string, Source>,
  ): ReadonlyMap<string, Source> {
    const names = new Map(named)
    for (const node of withClause?.ctes ?? []) {
      if (!('CommonTableExpr' in node)) continue
      const { ctename = '', ctequery } = node.CommonTableExpr
      if (!ctequery) continue
      const start = withClause?.recursive && 'SelectStmt' in ctequery ? ctequery.SelectStmt.larg : undefined
      if (start) names.set(ctename, { table: null, isOnOneMap: checkSelect(start, parent, names) })
      names.set(ctename, { table: null, isOnOneMap: check(ctequery, parent, names) })
    }
    return names
  }

  /** Returns whether the rows have a map_id, which is that of one map. */
  function checkSelect(
    select: SelectStmt,
    parent: Scope | null,
    named: ReadonlyMap<string, Source>,
  ): boolean {
    const { withClause, larg, rarg, fromClause = [], whereClause, targetList, ...rest } = select
    const names = checkNamed(withClause, parent, named)
    if (larg && rarg) {
      const arms = [checkSelect(larg, parent, names), checkSelect(rarg, parent, names)]
      return arms.every((arm) => arm)
    }
    const scope = checkFrom(fromClause, whereClause, parent, names)
    descend([whereClause, targetList, rest], scope, names)
    return isExposed(targetList, scope)
  }

  function checkFrom(
    from: readonly Node[],
    where: Node | undefined,
    parent: Scope | null,
    named: ReadonlyMap<string, Source>,
  ): Scope {
    const scope: Scope = { sources: new Map(), parent }
    const conditions: ((scope: Scope) => Set<string>)[] = []
    const lateral: Node[] = []
    const add = (node: Node) => {
      if ('RangeVar' in node) {
        const { relname = '', alias } = node.RangeVar
        const source = named.get(relname) ?? { table: relname, isOnOneMap: false }
        scope.sources.set(alias?.aliasname ?? relname, { ...source })
      } else if ('RangeSubselect' in node) {
        const { subquery, alias, lateral: isLateral } = node.RangeSubselect
        if (isLateral && subquery) lateral.push(subquery)
        const isOnOneMap = !isLateral && subquery !== undefined && check(subquery, parent, named)
        scope.sources.set(alias?.aliasname ?? '', { table: null, isOnOneMap })
      } else if ('JoinExpr' in node) {
        const { larg, rarg, quals, usingClause = [], jointype } = node.JoinExpr
        const addArm = (arm: Node | undefined) => {
          const before = new Set(scope.sources.keys())
          if (arm) add(arm)
          return [...scope.sources.keys()].filter((name) => !before.has(name))
        }
        const first = addArm(larg)
        const second = addArm(rarg)
        if (quals) lateral.push(quals)
        // An outer join returns all rows of one side, or both, whether they meet its condition or not.
        const whole = { JOIN_LEFT: first, JOIN_RIGHT: second, JOIN_FULL: [...first, ...second] }[
          String(jointype)
        ]
        const isByMap = usingClause.some((name) => 'String' in name && name.String.sval === 'map_id')
        conditions.push((within) => {
          const facts = quals ? factsOf(quals, within) : new Set<string>()
          if (isByMap) for (const one of first) for (const other of second) facts.add(`${one} ${other}`)
          return new Set([...facts].map((fact) => (whole ? `${fact} unless ${whole.join(' ')}` : fact)))
        })
      }
    }
    for (const node of from) add(node)
    if (where) conditions.push((within) => factsOf(where, within))
    restrict(
      scope,
      conditions.flatMap((factsIn) => [...factsIn(scope)]),
    )
    descend(lateral, scope, named)
    descend(
      from.filter((node) => 'RangeFunction' in node),
      scope,
      named,
    )
    for (const { table, isOnOneMap } of scope.sources.values()) {
      if (table !== null && !isOnOneMap && isDistributed(table)) found.add(table)
    }
    return scope
  }

  function descend(value: unknown, scope: Scope, named: ReadonlyMap<string, Source>) {
    if (typeof value !== 'object' || value === null) return
    if ('SelectStmt' in value) check(value as Node, scope, named)
    else for (const part of Object.values(value)) descend(part, scope, named)
  }

  /** Names of sources whose map_id is a value, and pairs of those with the same map_id. */
  function factsOf(condition: Node, scope: Scope): Set<string> {
    if ('BoolExpr' in condition) {
      const { boolop, args = [] } = condition.BoolExpr
      const facts = args.map((part) => factsOf(part, scope))
      if (boolop === 'AND_EXPR') return new Set(facts.flatMap((some) => [...some]))
      const isInAll = (fact: string) => facts.every((some) => some.has(fact))
      return boolop === 'OR_EXPR' ? new Set([...(facts[0] ?? [])].filter(isInAll)) : new Set()
    }
    if (!('A_Expr' in condition)) return new Set()
    const { kind, name, lexpr, rexpr } = condition.A_Expr
    const operator = name?.[0]
    if (kind !== 'AEXPR_OP' || !operator || !('String' in operator) || operator.String.sval !== '=')
      return new Set()
    const pairs =
      lexpr && rexpr && 'RowExpr' in lexpr && 'RowExpr' in rexpr
        ? (lexpr.RowExpr.args ?? []).map((part, index) => [part, rexpr.RowExpr.args?.[index]])
        : [[lexpr, rexpr]]
    return new Set(
      pairs.flatMap(([one, other]) => {
        const sides = [mapIn(one, scope), mapIn(other, scope)].filter((side) => side !== 'value')
        return sides.includes(null) || sides.length === 0 ? [] : [sides.join(' ')]
      }),
    )
  }

  /** Returns the name of the source whose map_id this is, 'value', or null. */
  function mapIn(node: Node | undefined, scope: Scope): string | null {
    if (!node) return null
    if ('TypeCast' in node) return mapIn(node.TypeCast.arg, scope)
    if ('ParamRef' in node || 'A_Const' in node) return 'value'
    if (!('ColumnRef' in node)) return null
    const [column, qualifier] = (node.ColumnRef.fields ?? [])
      .map((field) => ('String' in field ? field.String.sval : '*'))
      .reverse()
    if (column !== 'map_id') return null
    for (let from: Scope | null = scope; from !== null; from = from.parent) {
      const name = qualifier ?? nameOfMap(from)
      const source = name === undefined ? undefined : from.sources.get(name)
      if (name === undefined || !source) continue
      if (from === scope) return name
      return source.isOnOneMap ? 'value' : null
    }
    return null
  }

  function nameOfMap({ sources }: Scope): string | undefined {
    const names = [...sources.keys()]
    return names.find((name) => isDistributed(sources.get(name)?.table ?? '')) ?? names[0]
  }

  function isExposed(targets: readonly Node[] | undefined, scope: Scope): boolean {
    return (targets ?? []).some((target) => {
      if (!('ResTarget' in target)) return false
      const { name, val } = target.ResTarget
      const field = val && 'ColumnRef' in val ? val.ColumnRef.fields?.at(-1) : undefined
      if (field && 'A_Star' in field) return [...scope.sources.values()].some((source) => source.isOnOneMap)
      const isMapId =
        name === undefined ? field && 'String' in field && field.String.sval === 'map_id' : name === 'map_id'
      const map = isMapId ? mapIn(val, scope) : null
      return map === 'value' || (map !== null && scope.sources.get(map)?.isOnOneMap === true)
    })
  }

  for (const { stmt } of parseSync(statement).stmts ?? []) if (stmt) check(stmt, null, new Map())
  return [...found]
}

function restrict({ sources }: Scope, facts: readonly string[]) {
  const restrictOne = (name: string) => {
    const source = sources.get(name)
    if (!source || source.isOnOneMap) return false
    source.isOnOneMap = true
    return true
  }
  let hasChanged = true
  while (hasChanged) {
    hasChanged = facts.some((fact) => {
      const [names = '', whole = ''] = fact.split(' unless ')
      const [one = '', other] = names.split(' ')
      const isWhole = (name: string) => whole.split(' ').includes(name)
      const isRestricted = (name: string) => sources.get(name)?.isOnOneMap === true
      if (other === undefined) return !isWhole(one) && restrictOne(one)
      if (isRestricted(one)) return !isWhole(other) && restrictOne(other)
      return isRestricted(other) && !isWhole(one) && restrictOne(one)
    })
  }
}

const asNodes = (relation: RangeVar | undefined): Node[] => (relation ? [{ RangeVar: relation }] : [])

function tablesIn(value: unknown): string[] {
  if (typeof value !== 'object' || value === null) return []
  const own = 'relname' in value && typeof value.relname === 'string' ? [value.relname] : []
  return [...own, ...Object.values(value).flatMap(tablesIn)]
}
