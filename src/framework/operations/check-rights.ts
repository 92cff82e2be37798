import type { Diagnostic } from "../../diagnostics";
import { isNumericId } from "../../schema";
import type { RightsScope } from "../definition/provider-definition";
import type { PlannedChange } from "../protocol/protocol";
import type { ResourceSession, Session } from "./session";

/** Returns diagnostics for each change that the token's role or scopes do not allow. */
export async function checkRights(
  session: Session,
  byType: (type: string) => ResourceSession,
  changes: readonly PlannedChange[],
): Promise<readonly (readonly Diagnostic[])[]> {
  const { isConnected, provider } = session;
  if (!isConnected || provider.checkRights === undefined) return changes.map(() => []);
  const defined = changes.map((change) => ({ ...change, definition: byType(change.type).definition }));
  return provider.checkRights(scopeOf(session), defined);
}

/**
 * Starts the reads that `checkRights` needs for a change, once for each type and container. Only a host that applies the plan
 * wants them. The first change of its apply then does not wait for these reads.
 */
export function readRightsAhead(session: ResourceSession, change: PlannedChange, container: number): void {
  const { definition, isConnected, provider, rights, type } = session;
  if (rights === undefined || !isConnected || provider.checkRights === undefined) return;
  const name = `${type} ${container}`;
  if (session.rightsRead.has(name)) return;
  session.rightsRead.add(name);
  // Only `checkRights` reports problems.
  provider.checkRights(scopeOf(session), [{ ...change, definition }]).catch(() => undefined);
}

function scopeOf({ api, rights = new Map(), lookups }: Session): RightsScope {
  return {
    api,
    known: rights,
    levelIn: (kind, name) => {
      const { known } = lookups;
      const text = String(name);
      const found = isNumericId(text) ? known.byId(kind, Number(text)) : known.byPath(kind, text);
      return found instanceof Promise ? undefined : found?.level;
    },
  };
}
