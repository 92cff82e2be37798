import { type Diagnostic, error, warning } from "../../diagnostics";
import type { ResourceDeclaration } from "../../language";
import { wildcard } from "../../text";
import { containerAttribute } from "../model/plan";
import type { RunContext } from "./context";
import type { Instance } from "./instances";
import type { StateObject } from "./objects";
import type { StackRun } from "./stack-run";

/** The containers of one provider configuration that a run is restricted to, by kind and id, and by kind and full path. */
type Selected = ReadonlySet<string>;

/** The containers that a run is restricted to, and what that leaves out. */
export class Containers {
  /** By the key of the provider configuration. */
  readonly #selected = new Map<string, Selected>();
  /** Whether the object of the state at an address is in one of the containers. */
  readonly #held = new Map<string, boolean>();
  /** By pattern, what each provider configuration said that found nothing. */
  readonly #missing = new Map<string, (readonly Diagnostic[])[]>();

  /** @param leftOut the addresses of what is in none of them */
  constructor(
    private readonly run: StackRun,
    private readonly leftOut: Set<string>,
  ) {}

  /** Looks up the containers, and leaves out the objects of the state that are in none of them. */
  async select(provider: string, objects: Iterable<readonly StateObject[]>): Promise<"done" | "failed"> {
    const { containers: patterns = [], share } = this.run.context;
    const selected = new Set<string>();
    const problems: Diagnostic[] = [];
    for (const pattern of patterns) {
      const known = selected.size;
      const found = await this.#find(provider, pattern, selected);
      const isMissing = selected.size === known && found.every(({ code }) => code === "reference_not_found");
      problems.push(...(isMissing ? this.#foundNowhere(pattern, found) : found));
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

  /** What a name is that no provider configuration finds: each may be for another service, or another user. */
  #foundNowhere(pattern: string, found: readonly Diagnostic[]): readonly Diagnostic[] {
    const all = [...(this.#missing.get(pattern) ?? []), found];
    this.#missing.set(pattern, all);
    const { graph } = this.run;
    const total = graph.ids.filter((id) => graph.value(id)?.kind === "provider").length;
    return all.length < total ? [] : (all.find(({ length }) => length > 0) ?? []);
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
      // A replacement in another container belongs to the shard that has the object, or to a run over both containers.
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

  /** Adds the ids and paths of what matches; `*` matches any text. */
  async #find(provider: string, pattern: string, selected: Set<string>): Promise<readonly Diagnostic[]> {
    const star = pattern.indexOf("*");
    const above = star === -1 ? pattern : pattern.slice(0, Math.max(0, pattern.lastIndexOf("/", star)));
    if (above === "") return [withoutParent(pattern)];
    const problems: Diagnostic[] = [];
    const contents = star === -1 ? "none" : "nested";
    const found = this.run.configured(provider).findContainers?.({ names: [above], contents });
    const test = wildcard(pattern.toLowerCase());
    for await (const { containers, diagnostics } of found ?? []) {
      problems.push(...diagnostics);
      for (const { kind, id, path } of containers) {
        if (star !== -1 && !test.test(path.toLowerCase())) continue;
        selected.add(`${kind} ${id}`).add(nameOf(kind, path));
      }
    }
    return problems;
  }
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

/** Whether a container falls to a shard, by its id or path: jobs that start at different times agree. */
function isInShard(container: string, { number, total }: NonNullable<RunContext["share"]>): boolean {
  const text = container.toLowerCase();
  const value = /^\d{1,15}$/.test(text)
    ? Number(text)
    : [...text].reduce((sum, character) => (sum * 31 + character.codePointAt(0)!) % 1_000_003, 7);
  return value % total === number - 1;
}
