import { type Diagnostic, error, nearPatternHint, warning } from "../../diagnostics";
import type { ResourceDeclaration } from "../../language";
import { wildcard } from "../../text";
import { containerAttribute } from "../objects/identities";
import type { StateObject } from "../objects/objects";
import type { RunContext } from "../stack-run/context";
import type { Instance } from "../stack-run/instances";
import type { StackRun } from "../stack-run/stack-run";

/**
 * The containers to which a run is restricted, for one provider configuration. Each container has two keys: its kind and id, and
 * its kind and full path.
 */
type Selected = ReadonlySet<string>;

/** Restricts a run to objects in some containers. Finds these containers, and collects the addresses of all other objects. */
export class Containers {
  /** The selected containers, by the key of the provider configuration. */
  readonly #selected = new Map<string, Selected>();
  /** For each address in the state, whether the object at this address is in one of the selected containers. */
  readonly #held = new Map<string, boolean>();
  /**
   * The failed lookups of each pattern. Each provider configuration that finds no container for the pattern adds one failed
   * lookup.
   */
  readonly #missing = new Map<string, FoundNothing[]>();

  /** @param leftOut receives the addresses of the objects that are in none of the containers */
  constructor(
    private readonly run: StackRun,
    private readonly leftOut: Set<string>,
  ) {}

  /**
   * Looks up the selected containers with one provider configuration. Leaves out the objects of the state that are in none of
   * these containers.
   */
  async select(provider: string, objects: Iterable<readonly StateObject[]>): Promise<"done" | "failed"> {
    const { containers: patterns = [], share } = this.run.context;
    const selected = new Set<string>();
    const problems: Diagnostic[] = [];
    for (const pattern of patterns) {
      const { ids, others, diagnostics } = await this.#find(provider, pattern);
      for (const id of ids) selected.add(id);
      const isMissing = ids.length === 0 && diagnostics.every(({ code }) => code === "reference_not_found");
      if (isMissing) await this.#foundNothing(provider, { pattern, others, diagnostics });
      else problems.push(...diagnostics);
    }
    this.#selected.set(provider, selected);
    for (const object of [...objects].flat()) {
      if (object.provider !== provider || object.resource.mode === "data") continue;
      const { attributes } = this.#schema(object.resource.type, provider);
      const name = attributes && containerAttribute(attributes).name;
      const values =
        name === undefined ? [] : [object.instance.attributes[name], this.#containerIdOf(object)];
      const isSelected =
        share === undefined
          ? values.some((one) => selected.has(nameOf(name!, String(one))))
          : isInShard(String(values[0] ?? ""), share);
      this.#held.set(object.address, isSelected);
      this.#mark(object.address, isSelected);
    }
    return this.run.report(problems);
  }

  /**
   * Reports a pattern if no provider configuration finds a container for it. Provider configurations can be for
   * different services or users, so a single failed lookup is not an error. All other patterns still select containers.
   */
  async #foundNothing(provider: string, found: FoundNothing): Promise<void> {
    const { pattern } = found;
    const all = [...(this.#missing.get(pattern) ?? []), found];
    this.#missing.set(pattern, all);
    const { graph } = this.run;
    const total = graph.ids.filter((id) => graph.value(id)?.kind === "provider").length;
    if (all.length < total) return;
    const isExact = !pattern.includes("*");
    const others = isExact ? await this.#pathsNear(provider, pattern) : all.flatMap((one) => one.others);
    this.run.report([unmatched(all, others)]);
  }

  /** Returns the paths of the containers with the same parent as a missing path, for a suggestion. */
  async #pathsNear(provider: string, name: string): Promise<readonly string[]> {
    const above = name.slice(0, Math.max(0, name.lastIndexOf("/")));
    if (above === "") return [];
    const { others } = await this.#find(provider, `${above}/*`, () => false);
    return others;
  }

  /** Leaves out the declared instances that are in none of the containers. */
  leave(declaration: ResourceDeclaration, instances: readonly Instance[]): void {
    const { share } = this.run.context;
    const selected = this.#selected.get(declaration.provider);
    if (declaration.mode === "data" || selected === undefined) return;
    const name = containerAttribute(this.run.schema(declaration).attributes).name;
    const expression = name === undefined ? undefined : declaration.body.get(name);
    for (const { address, repetition } of instances) {
      const { value } =
        expression === undefined
          ? { value: undefined }
          : this.run.evaluation.evaluate(expression, declaration, [name!], repetition);
      const text = value === undefined || !value.isKnown || value.isNull ? "" : String(value.content);
      const isDeclaredHere =
        share === undefined ? name !== undefined && selected.has(nameOf(name, text)) : isInShard(text, share);
      const isHeldHere = this.#held.get(address) ?? isDeclaredHere;
      // A plan can replace an object by an object in another container. With shards, the shard of the object in the state plans
      // this replacement. Without shards, only a run that covers both containers plans it.
      this.#mark(address, share === undefined ? isHeldHere && isDeclaredHere : isHeldHere);
      if (share === undefined && isHeldHere !== isDeclaredHere && text !== "")
        this.run.report([betweenContainers(address, declaration)]);
    }
  }

  #mark(address: string, isSelected: boolean): void {
    if (isSelected) this.leftOut.delete(address);
    else this.leftOut.add(address);
  }

  #containerIdOf({ provider, resource: { type }, instance }: StateObject): string | undefined {
    return this.run.configured(provider).containerIdOf?.(type, String(instance.attributes["id"]));
  }

  #schema(type: string, provider: string) {
    return this.run.providerFor(provider)?.schema.resources[type] ?? { attributes: undefined };
  }

  /** Finds the containers that a pattern matches; `*` matches any text. */
  async #find(provider: string, pattern: string, matches = matcherOf(pattern)): Promise<FoundContainers> {
    const star = pattern.indexOf("*");
    const above = star === -1 ? pattern : pattern.slice(0, Math.max(0, pattern.lastIndexOf("/", star)));
    const ids: string[] = [];
    const others: string[] = [];
    if (above === "") return { ids, others, diagnostics: [withoutParent(pattern)] };
    const problems: Diagnostic[] = [];
    const contents = star === -1 ? "none" : "nested";
    const found = this.run.configured(provider).findContainers?.({ names: [above], contents });
    for await (const { containers, diagnostics } of found ?? []) {
      problems.push(...diagnostics);
      for (const { kind, id, path } of containers)
        if (matches(path)) ids.push(`${kind} ${id}`, nameOf(kind, path));
        else others.push(path);
    }
    return { ids, others, diagnostics: problems };
  }
}

/** The result of a search for containers by a pattern. */
interface FoundContainers {
  /** Two keys for each matched container: its kind and id, and its kind and path. */
  readonly ids: readonly string[];
  /** The paths of the listed containers that the pattern does not match. */
  readonly others: readonly string[];
  readonly diagnostics: readonly Diagnostic[];
}

interface FoundNothing extends Pick<FoundContainers, "others" | "diagnostics"> {
  readonly pattern: string;
}

/**
 * Returns a test for paths that match a pattern. Without `*`, every path passes, because the service itself looked up the path or
 * id.
 */
function matcherOf(pattern: string): (path: string) => boolean {
  if (!pattern.includes("*")) return () => true;
  const test = wildcard(pattern.toLowerCase());
  return (path) => test.test(path.toLowerCase());
}

/** Returns the error for a pattern that matches nothing. The error suggests the nearest pattern that would match. */
function unmatched(all: readonly FoundNothing[], others: readonly string[]): Diagnostic {
  const { pattern } = all[0]!;
  const [refused] = all.flatMap(({ diagnostics }) => diagnostics);
  const hint = nearPatternHint(pattern, others);
  const what =
    refused === undefined
      ? `The service has no path that matches "${pattern}". Correct the path, or remove it.`
      : refused.detail;
  return error({
    ...(refused ?? { cause: `path ${pattern}` }),
    code: "selector_unmatched",
    summary: "A selected path matches nothing",
    detail: `${what}${hint} The other paths are still read.`,
  });
}

const nameOf = (kind: string, name: string): string => `${kind} ${name.toLowerCase()}`;

const betweenContainers = (address: string, { construct }: ResourceDeclaration): Diagnostic =>
  warning({
    code: "dependency_left_out",
    summary: "Move to another path is left out",
    detail:
      `The declaration of ${address} names another path than the state, and this run covers only one of the two paths. ` +
      "Nothing is sent for this object. Select both paths, or run without a selection.",
    address,
    ...(construct !== undefined && { construct }),
  });

const withoutParent = (pattern: string): Diagnostic =>
  error({
    code: "invalid_arguments",
    summary: "Pattern without a path",
    detail: `The pattern "${pattern}" starts with a wildcard, so there is no group to list. Put a path first, such as acme/*.`,
  });

/**
 * Returns whether a container belongs to a shard. The result depends only on the id or path, so jobs that start at different
 * times get the same result.
 */
function isInShard(container: string, { number, total }: NonNullable<RunContext["share"]>): boolean {
  const text = container.toLowerCase();
  const value = /^\d{1,15}$/.test(text)
    ? Number(text)
    : [...text].reduce((sum, character) => (sum * 31 + character.codePointAt(0)!) % 1_000_003, 7);
  return value % total === number - 1;
}
