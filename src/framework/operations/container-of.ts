import { isNumericId, type ValueObject } from "../../schema";
import type { ResourceDefinition } from "../definition/definition";
import type { ProviderDefinition } from "../definition/provider-definition";
import type { ObjectContainer } from "../protocol/protocol";
import type { ReferencedObject } from "../references/lookups";
import { parseId, type Session } from "./session";

/** The container of a state, or of planned or declared attributes, as far as this run knows it. Sends no request. */
export function containerOf(
  { container: kind }: ResourceDefinition,
  { lookups: { known }, containers, connection, isConnected }: Session,
  { webUrl }: Pick<ProviderDefinition, "webUrl">,
  attributes: ValueObject,
): ObjectContainer | undefined {
  const { id: own, [kind]: name } = attributes;
  if (typeof name !== "string") return undefined;
  const stated = typeof own === "string" ? parseId(own).container : Number.NaN;
  const named = isNumericId(name) ? Number(name) : (known.byPath(kind, name) as Known)?.id;
  const id = Number.isSafeInteger(stated) ? stated : named;
  // An object may have moved since its path was written down.
  const found = id === undefined ? undefined : (known.byId(kind, id) as Known);
  const path = found?.path ?? (isNumericId(name) ? undefined : name);
  const key = `${kind} ${id} ${path}`;
  const before = containers.get(key);
  if (before !== undefined) return before;
  const url = path !== undefined && isConnected ? webUrl?.(connection.address, kind, path) : undefined;
  const container = {
    kind,
    ...(id !== undefined && { id }),
    ...(path !== undefined && { path }),
    ...(url !== undefined && { url }),
  };
  containers.set(key, container);
  return container;
}

/** Looks up a container that is known by its id alone, once per run. If that fails, its path stays unknown. */
export async function learnContainer(
  definition: ResourceDefinition,
  session: Session,
  provider: Pick<ProviderDefinition, "webUrl">,
  attributes: ValueObject,
): Promise<void> {
  const container = containerOf(definition, session, provider, attributes);
  if (!session.isConnected || container?.id === undefined || container.path !== undefined) return;
  try {
    await session.lookups.byId(container.kind, container.id);
  } catch (problem) {
    session.failures.throwUnlessFailure(problem);
  }
}

/** Known paths are there at once. */
type Known = ReferencedObject | undefined;
