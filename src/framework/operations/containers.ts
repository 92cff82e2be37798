import { type Diagnostic, error } from "../../diagnostics";
import { defined } from "../../json";
import { isNumericId, type Value } from "../../schema";
import type { ContainerPages } from "../definition/provider-definition";
import type {
  ContainerSelection,
  FoundContainers,
  LiveContainer,
  ObjectContainer,
} from "../protocol/protocol";
import type { ReferencedObject } from "../references/lookups";
import { parseId } from "./identity";
import type { ResourceSession, Session } from "./session";

/** Yields containers of live objects, each container once. After `signal` is aborted, no further page is requested. */
export async function* findContainers(
  session: Session,
  selection: ContainerSelection,
  signal?: AbortSignal,
): AsyncGenerator<FoundContainers> {
  const seen = new Set<string>();
  for await (const { containers, diagnostics } of foundBy(session, selection)) {
    const fresh = containers.filter(({ kind, id }) => !seen.has(`${kind} ${id}`));
    for (const { kind, id } of fresh) seen.add(`${kind} ${id}`);
    if (fresh.length + diagnostics.length > 0) yield { containers: fresh, diagnostics };
    if (signal?.aborted) return;
  }
}

async function* foundBy(
  session: Session,
  { names, kind, contents, only, all }: ContainerSelection,
): AsyncGenerator<FoundContainers> {
  const { containers: lists } = session.provider;
  if (all !== undefined && lists !== undefined) {
    const pages = async () => lists.all(session.api, all, await session.lookups.isAdministrator());
    yield* listed(session, pages);
    return;
  }
  const kinds = kind === undefined ? containerKinds(session) : [kind];
  // All look-ups are sent at once. The results have the order of the names.
  for (const named of names.map((name) => lookUp(session, name, kinds))) {
    const found = await named;
    yield found;
    if (contents === "none" || lists === undefined) continue;
    for (const container of found.containers) {
      yield* listed(session, async () => lists.inside(session.api, container, contents === "nested", only));
    }
  }
}

/** Returns the kinds of containers that resources have, in the order of the resources. */
export const containerKinds = ({ provider }: Session): string[] => [
  ...new Set(provider.resources.map(({ container }) => container)),
];

/**
 * Looks up a name as each kind of container whose paths can have this form. Returns the container, or an error if none or several
 * exist.
 */
async function lookUp({ lookups, failures, paths }: Session, name: string, kinds: readonly string[]) {
  const possible = kinds.filter((kind) => isNumericId(name) || paths[kind]!.pattern.test(name));
  try {
    const found = await Promise.all(
      possible.map(async (kind) => {
        const object = await lookups.named(kind, name);
        return object === undefined ? [] : [toContainer(kind, object)];
      }),
    );
    const containers = found.flat();
    if (containers.length === 1) return { containers, diagnostics: [] };
    const problem = containers.length === 0 ? notFound(name, kinds) : ambiguous(name, containers);
    return { containers: [], diagnostics: [problem] };
  } catch (problem) {
    return { containers: [], diagnostics: failures.toDiagnostics(problem) };
  }
}

/** Yields the containers of a list, page by page, and records them for later look-ups. */
async function* listed(
  { lookups, failures }: Session,
  open: () => Promise<ContainerPages>,
): AsyncGenerator<FoundContainers> {
  try {
    for await (const page of await open()) {
      for (const { kind, ...object } of page) lookups.found(kind, object);
      yield { containers: page.map(({ kind, ...object }) => toContainer(kind, object)), diagnostics: [] };
    }
  } catch (problem) {
    yield { containers: [], diagnostics: failures.toDiagnostics(problem) };
  }
}

export const toContainer = (
  kind: string,
  { id, path, isArchived, labels }: ReferencedObject,
): LiveContainer => ({
  kind,
  id,
  path,
  isArchived: isArchived ?? false,
  ...defined({ labels }),
});

const notFound = (name: string, kinds: readonly string[]): Diagnostic =>
  error({
    code: "reference_not_found",
    summary: `No such ${kinds.join(" or ")}`,
    detail: `"${name}" can't be found with this token (404). Use the numeric ID or the full path of a ${kinds.join(" or ")}. Check that the token's user can see it.`,
    cause: `${kinds.join(" or ")} ${name}`,
    refused: { kind: kinds.join(" or "), name, status: 404 },
  });

const ambiguous = (name: string, containers: readonly LiveContainer[]): Diagnostic =>
  error({
    code: "ambiguous_container",
    summary: "Ambiguous name",
    detail: `"${name}" is the ID of several objects: ${containers.map(({ kind, path }) => `the ${kind} ${path}`).join(" and ")}. Use the full path of one of them.`,
  });

/**
 * Returns a description of the container of an object in a state, a plan or a declaration. The description contains only facts
 * that this run knows. Sends no request.
 *
 * @param own the object's own id
 * @param name the id or path of the container in the attributes
 */
export function containerOf(
  { definition, lookups: { known }, containers, connection, isConnected, provider }: ResourceSession,
  own: Value | undefined,
  name: Value | undefined,
): ObjectContainer | undefined {
  const { container: kind } = definition;
  if (typeof name !== "string") return undefined;
  const stated = typeof own === "string" ? parseId(own).container : Number.NaN;
  const named = isNumericId(name) ? Number(name) : (known.byPath(kind, name) as Known)?.id;
  const id = Number.isSafeInteger(stated) ? stated : named;
  // The declaration can contain an earlier path of the container, so the id comes first.
  const found = id === undefined ? undefined : (known.byId(kind, id) as Known);
  const path = found?.path ?? (isNumericId(name) ? undefined : name);
  const key = `${kind} ${id} ${path}`;
  const before = containers.get(key);
  if (before !== undefined) return before;
  const url =
    path !== undefined && isConnected ? provider.webUrl?.(connection.address, kind, path) : undefined;
  const container = { kind, ...defined({ id, path, url }) };
  containers.set(key, container);
  return container;
}

/** Looks up the path of a container by its id, once per run. If the look-up fails, the path stays unknown. */
export async function learnContainer(...object: Parameters<typeof containerOf>): Promise<void> {
  const [session] = object;
  const container = containerOf(...object);
  if (!session.isConnected || container?.id === undefined || container.path !== undefined) return;
  await session.failures.orElse(session.lookups.byId(container.kind, container.id), undefined);
}

/** The result of a look-up without a request. Such a result is never a promise. */
type Known = ReferencedObject | undefined;
