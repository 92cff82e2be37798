import { causeOf, type Diagnostic, hasErrors, warning } from "../../diagnostics";
import {
  type Attributes,
  invalidValue,
  isUnknown,
  once,
  optional,
  type PathSyntaxes,
  required,
  type Schema,
  type ValueObject,
  validateAttributes,
} from "../../schema";
import { namesUpTo, oneLine } from "../../text";
import type { ResourceDefinition } from "../definition/definition";
import type { ContainerLists, Nesting } from "../definition/provider-definition";
import type {
  ContainerSelection,
  ListResponse,
  LiveContainer,
  LiveObject,
  QueryEvent,
  QueryRequest,
} from "../protocol/protocol";
import { findContainers } from "./containers";
import { listResource } from "./list-resource";
import type { ResourceSession } from "./session";

type Resource = Pick<ResourceDefinition, "container">;

/**
 * Returns the schema of a query for objects of one type. A query names the containers of these objects, or outer containers in
 * which Steward finds such containers.
 */
export function querySchema(
  type: string,
  { container }: Resource,
  lists: ContainerLists | undefined,
): Schema {
  const { nestings, kinds } = placesOf(lists, container);
  const outer = kinds.slice(1);
  const attributes: Attributes = {
    [container]: (outer.length === 0 ? required : optional).reference(
      container,
      `The ${container} whose objects are listed, by its numeric id or its full path.${oneOf(kinds)}`,
    ),
    ...Object.fromEntries(
      outer.map((kind) => [
        kind,
        optional.reference(
          kind,
          `The ${kind} whose ${container}s are listed, by its numeric id or its full path. Archived ${container}s are skipped with a warning.${oneOf(kinds)}`,
        ),
      ]),
    ),
    ...Object.fromEntries(
      nestings.map(([, { attribute, description }]) => [attribute, optional.bool(description)]),
    ),
  };
  return {
    version: 0,
    description: `A \`list\` block returns the live objects of \`${type}\` in a ${container}${outer.map((kind) => `, or in the ${container}s of a ${kind}`).join("")}.`,
    attributes,
  };
}

const oneOf = (kinds: readonly string[]): string =>
  kinds.length === 1
    ? ""
    : ` Exactly one of ${kinds.map((kind) => `\`${kind}\``).join(" and ")} is required.`;

/**
 * Returns two lists. `nestings` has the kinds of containers that can contain containers of this kind. `kinds` has all kinds that
 * a query can name, starting with this kind.
 */
function placesOf(lists: ContainerLists | undefined, container: string) {
  const all = Object.entries(lists?.nesting ?? {}) as [string, Nesting][];
  const nestings = all.filter(([, { kinds }]) => kinds.includes(container));
  return { nestings, kinds: [...new Set([container, ...nestings.map(([kind]) => kind)])] };
}

/**
 * Returns the problems of a query's configuration. An unknown value counts as neither set nor missing, because it can turn out to
 * be null.
 */
export function validateQuery(
  { container }: Resource,
  lists: ContainerLists | undefined,
  { attributes }: Schema,
  paths: PathSyntaxes,
  config: ValueObject,
): readonly Diagnostic[] {
  const found = validateAttributes(attributes, config, paths);
  if (found.length > 0) return found;
  const { nestings, kinds } = placesOf(lists, container);
  const given = kinds.filter((kind) => (config[kind] ?? null) !== null);
  if (kinds.some((kind) => isUnknown(config[kind]))) return [];
  if (given.length === 0)
    return [invalidValue([kinds[0]!], `A query needs a ${kinds.join(" or ")}: set one of them.`)];
  if (given.length > 1)
    return [invalidValue([given[1]!], `${given.join(" and ")} can't be set together. Remove one of them.`)];
  return nestings
    .filter(([kind, { attribute }]) => config[attribute] === true && kind !== given[0])
    .map(([kind, { attribute }]) =>
      invalidValue([attribute], `${attribute} has an effect with ${kind} only. Set ${kind}, or remove it.`),
    );
}

/** Returns the selection of containers in a valid configuration, and the name of the attribute that selects them. */
function selectionOf(
  { container }: Resource,
  lists: ContainerLists | undefined,
  config: ValueObject,
): { readonly attribute: string; readonly selection: ContainerSelection } {
  const { nestings, kinds } = placesOf(lists, container);
  const kind = kinds.find((one) => (config[one] ?? null) !== null)!;
  const nesting = nestings.find(([one]) => one === kind)?.[1];
  const isNested = nesting !== undefined && config[nesting.attribute] === true;
  const ownContents = kind === container ? "none" : "direct";
  const contents = isNested ? "nested" : ownContents;
  return { attribute: kind, selection: { names: [String(config[kind])], kind, contents, only: container } };
}

/** The maximum number of containers whose objects are listed at the same time. */
const AT_ONCE = 10;

/**
 * Yields the live objects of one type. If a named container can't be listed, the query fails. Inner containers that can't be
 * listed cause warnings at the end, or an error if no container can be listed.
 */
export async function* queryResource(
  session: ResourceSession,
  { config, limit = Number.POSITIVE_INFINITY }: Omit<QueryRequest, "type">,
  signal: AbortSignal = new AbortController().signal,
): AsyncGenerator<QueryEvent> {
  const { definition } = session;
  const { attribute, selection } = selectionOf(definition, session.provider.containers, config);
  const skipped = new Skipped(definition.container);
  const containers = async function* (): AsyncGenerator<LiveContainer> {
    for await (const found of findContainers(session, selection, signal)) {
      skipped.others.push(...found.diagnostics.map((one) => ({ ...one, attribute: [attribute] })));
      for (const container of found.containers.filter(({ kind }) => kind === definition.container)) {
        if (container.isArchived && selection.contents !== "none") skipped.archived.push(container);
        else yield container;
      }
    }
  };
  const list = async (container: LiveContainer) => ({
    container,
    listed: await listResource(session, container),
  });
  let count = 0;
  for await (const { container, listed } of inOrder(containers(), Math.min(AT_ONCE, limit), list, signal)) {
    skipped.record(container, listed);
    if (skipped.isRunOver) break;
    for (const object of listed.objects) {
      yield { object, diagnostics: warningsOf(object) };
      count += 1;
      if (count >= limit) return;
    }
  }
  if (signal.aborted) return;
  for (const one of skipped.diagnostics()) yield { diagnostics: [one] };
}

/** Maps up to `atOnce` items at the same time, and yields the results in the order of the items. */
async function* inOrder<T, U>(
  items: AsyncIterable<T>,
  atOnce: number,
  map: (item: T) => Promise<U>,
  signal: AbortSignal,
): AsyncGenerator<U> {
  const pending: Promise<U>[] = [];
  for await (const item of items) {
    if (signal.aborted) return;
    const mapped = map(item);
    // If the consumer stops early, these results are never awaited. A failure among these results must not end the process.
    mapped.catch(() => undefined);
    pending.push(mapped);
    if (pending.length >= atOnce) yield await pending.shift()!;
  }
  while (pending.length > 0 && !signal.aborted) yield await pending.shift()!;
}

const warningsOf = ({ type, id, undeclarable }: LiveObject): Diagnostic[] =>
  undeclarable === undefined
    ? []
    : [
        warning({
          code: "undeclarable",
          summary: "Object can't be declared",
          detail: `The ${type} "${id}" exists on the service, but a configuration can't declare it: ${undeclarable}`,
        }),
      ];

/** The maximum number of paths that a diagnostic lists. */
const MAX_PATHS = 10;

/** Collects the containers that could not be listed, by reason. */
class Skipped {
  readonly archived: LiveContainer[] = [];
  /** Diagnostics that do not concern a single container. */
  readonly others: Diagnostic[] = [];
  readonly #reasons = new Map<
    string,
    { readonly diagnostic: Diagnostic; readonly containers: LiveContainer[] }
  >();
  #listed = 0;
  /** Whether a failure concerned the whole run, such as an expired token. */
  isRunOver = false;

  constructor(private readonly kind: string) {}

  record(container: LiveContainer, { diagnostics }: ListResponse): void {
    if (!hasErrors(diagnostics)) this.#listed += 1;
    for (const diagnostic of diagnostics) {
      const { code, summary } = diagnostic;
      const key = `${code} ${summary}`;
      once(this.#reasons, key, () => ({ diagnostic, containers: [] })).containers.push(container);
      if (diagnostic.cause === undefined && causeOf(diagnostic) !== undefined) this.isRunOver = true;
    }
  }

  diagnostics(): Diagnostic[] {
    const isError = this.#listed === 0 || this.isRunOver;
    const reasons = [...this.#reasons.values()].map(({ diagnostic, containers }) => ({
      ...diagnostic,
      ...(!isError && { severity: "warning" as const }),
      detail: `${diagnostic.detail} The list lacks ${this.#named(containers)} for this reason.`,
    }));
    return [...this.others, ...reasons, ...this.#archivedWarning()];
  }

  #archivedWarning(): Diagnostic[] {
    if (this.archived.length === 0) return [];
    return [
      warning({
        code: "archived_project",
        summary: `Archived ${this.kind}s are not listed`,
        detail: `The list lacks ${this.#named(this.archived)}, because nothing can be changed in an archived ${this.kind}. To list one anyway, name it as the ${this.kind} of a query.`,
      }),
    ];
  }

  #named(containers: readonly LiveContainer[]): string {
    return namesUpTo(
      MAX_PATHS,
      containers.map(({ path }) => oneLine(path)),
    );
  }
}
