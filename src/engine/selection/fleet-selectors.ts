import { type Diagnostic, didYouMean, error, warning } from "../../diagnostics";
import { type FleetDeclaration, type FleetList, resourceAddress, type Value } from "../../language";
import { once } from "../../schema";
import type { FleetRecord, ResourceState } from "../../state";
import { wildcard } from "../../text";
import type { StackRun } from "../stack-run/stack-run";

/** A part of a fleet's declaration that selects or excludes members: the path of a layer, a topic, or an excluded path. */
interface Selector {
  readonly kind: "layer" | "topic" | "except";
  readonly text: string;
  readonly isMatched: boolean;
  /** Whether the selector is allowed to match nothing. */
  readonly mayBeEmpty: boolean;
  readonly position?: string | undefined;
}

/**
 * The paths that a fleet lists, and its members: the listed paths without the paths that `except` excludes. All paths are in
 * lower case, because two paths never differ only in case.
 */
interface Listed {
  readonly members: readonly string[];
  /** The listed paths, by the label that their list requests. The key for a list without a label is an empty text. */
  readonly byLabel: ReadonlyMap<string, readonly string[]>;
}

/**
 * The names of the selectors that matched, as the state records them for a fleet. Undefined if an older release wrote the record.
 */
type Matches = FleetRecord["matched"];

/** Returns the text with which the state records a selector of a fleet. */
const recordedName = ({ kind, text }: Selector): string => `${kind} ${text}`;

/** Finds the selectors of a fleet that match a member. */
export class FleetSelectors {
  readonly #all = new Map<string, readonly Selector[]>();

  constructor(private readonly run: StackRun) {}

  /**
   * Returns the names of the fleet's selectors that match a member, as the state records them. Undefined if the fleet's lists are
   * not known.
   */
  matched(fleet: FleetDeclaration): readonly string[] | undefined {
    return this.#selectors(fleet)
      ?.filter(({ isMatched }) => isMatched)
      .map(recordedName);
  }

  /**
   * Reports the selectors that match no member. If the selector matched at the last apply, the report is only a warning, because
   * the members may have left the fleet. A pattern of `except` that matches no member is also only a warning.
   *
   * @param held the resources of the state
   */
  async check(held: Iterable<ResourceState>): Promise<readonly Diagnostic[]> {
    const { fleets, resources } = this.run.context.configuration;
    const records = new Map<string, Matches[]>();
    for (const resource of held) {
      const { fleet } = resource;
      // A state of an older release records no fleets. The fleet of the declaration then counts.
      const declared = fleets.get(resources.get(resourceAddress(resource))?.fleet ?? "");
      const path = fleet === undefined ? declared?.path : fleet?.path;
      if (path !== undefined) once(records, path, (): Matches[] => []).push(fleet?.matched);
    }
    const found: Diagnostic[] = [];
    for (const fleet of fleets.values())
      for (const selector of this.#selectors(fleet) ?? []) {
        if (selector.isMatched || selector.mayBeEmpty) continue;
        found.push(await this.#unmatched(fleet, selector, records.get(fleet.path) ?? []));
      }
    return found;
  }

  #selectors(fleet: FleetDeclaration): readonly Selector[] | undefined {
    const known = this.#all.get(fleet.members);
    if (known !== undefined) return known;
    const listed = this.#listed(fleet);
    if (listed === undefined) return undefined;
    const selectors = [...layersOf(fleet, listed), ...selectionOf(fleet, listed)];
    this.#all.set(fleet.members, selectors);
    return selectors;
  }

  #listed({ members, lists = [] }: FleetDeclaration): Listed | undefined {
    const { evaluation } = this.run;
    const paths = pathsIn(evaluation.get(`local.${members}`));
    const byLabel = lists.map((list): [string, readonly string[] | undefined] => [
      list.label ?? "",
      listedPaths(evaluation.get(list.source), list),
    ]);
    if (paths === undefined || byLabel.some(([, listed]) => listed === undefined)) return undefined;
    return { members: paths, byLabel: new Map(byLabel as [string, readonly string[]][]) };
  }

  async #unmatched(
    fleet: FleetDeclaration,
    selector: Selector,
    records: readonly Matches[],
  ): Promise<Diagnostic> {
    const { kind, text, position } = selector;
    const name = recordedName(selector);
    const hasMatched = records.some((matched) => matched === undefined || matched.includes(name));
    const isWarning = hasMatched || (kind === "except" && text.includes("*"));
    const near = await this.#near(fleet, selector);
    return (isWarning ? warning : error)({
      code: "selector_unmatched",
      summary: `A selector of a fleet matches no ${kindOf(fleet)}`,
      detail: `${described(fleet, selector)}${near} ${correction(selector)}`,
      cause: `${fleet.path} ${name}`,
      construct: fleet.path,
      ...(position !== undefined && { position }),
    });
  }

  /** Returns a suggestion with the most similar text that would match. Returns an empty text if no text is similar. */
  async #near(fleet: FleetDeclaration, { kind, text }: Selector): Promise<string> {
    const listed = this.#listed(fleet)!;
    const paths =
      kind === "layer" ? listed.members.flatMap(pathAndAbove) : [...listed.byLabel.values()].flat();
    const names = kind === "topic" ? await this.#labels(fleet) : new Set(paths);
    const hint = didYouMean(text.toLowerCase(), names, "");
    return hint === "" ? "" : ` ${hint}`;
  }

  /** Returns the labels of all containers that the fleet could select. The labels are read only for a suggestion. */
  async #labels({ selection, lists = [] }: FleetDeclaration): Promise<ReadonlySet<string>> {
    const { resources } = this.run.context.configuration;
    const source = lists.map((list) => resources.get(list.source)).find((one) => one !== undefined);
    const labels = new Set<string>();
    if (selection === undefined || source === undefined) return labels;
    const { within, nested, kind } = selection;
    const contents = nested ? "nested" : "direct";
    const request = { names: [within.name], kind: within.kind, contents, only: kind } as const;
    const found = this.run.configured(source.provider).findContainers?.(request) ?? [];
    for await (const { containers } of found)
      for (const container of containers) for (const label of container.labels ?? []) labels.add(label);
    return labels;
  }
}

function layersOf({ layers }: FleetDeclaration, { members }: Listed): readonly Selector[] {
  const matching = new Set(members.flatMap(pathAndAbove));
  return layers
    .filter(({ where }) => where !== "")
    .map(({ where, position, allow_empty }) => ({
      kind: "layer",
      text: where,
      isMatched: matching.has(where.toLowerCase()),
      mayBeEmpty: allow_empty === true,
      position,
    }));
}

function selectionOf({ selection }: FleetDeclaration, { byLabel }: Listed): readonly Selector[] {
  if (selection === undefined || byLabel.size === 0) return [];
  const mayBeEmpty = selection.allow_empty === true;
  const all = [...byLabel.values()].flat();
  return [
    ...selection.labels.map((text) => ({
      kind: "topic" as const,
      text,
      isMatched: (byLabel.get(text)?.length ?? 0) > 0,
      mayBeEmpty,
    })),
    ...selection.except.map((text) => {
      const pattern = wildcard(text.toLowerCase());
      const isMatched = all.some((path) => pattern.test(path));
      return { kind: "except" as const, text, isMatched, mayBeEmpty };
    }),
  ];
}

/**
 * Returns the word for a fleet's members in messages. If the app lists the members itself, the fleet has no selection that names
 * their kind.
 */
const kindOf = ({ selection }: FleetDeclaration): string => selection?.kind ?? "member";

function described(fleet: FleetDeclaration, { kind, text }: Selector): string {
  const { path, selection } = fleet;
  const name = JSON.stringify(text);
  if (kind === "layer")
    return `The layer ${name} of the fleet ${path} applies to no ${kindOf(fleet)} of the fleet.`;
  const { within } = selection!;
  const holder = `the ${within.kind} ${within.name}`;
  return kind === "topic"
    ? `No ${selection!.kind} in ${holder} has the topic ${name}, which the fleet ${path} selects.`
    : `The fleet ${path} leaves out ${name}, and no ${selection!.kind} in ${holder} has such a path.`;
}

const correction = ({ kind }: Selector): string =>
  kind === "layer"
    ? "Correct the path, or remove the layer. If it is for later, set allowEmpty: true in the layer."
    : "Correct the text, or remove it. If it is for later, set allowEmpty: true in the selection of the fleet.";

/** Returns a path and the paths of all groups above it. */
const pathAndAbove = (path: string): readonly string[] => {
  const segments = path.split("/");
  return segments.map((_, index) => segments.slice(0, index + 1).join("/"));
};

/**
 * Returns the paths of a fleet's members. The value is a map of paths by key. In configurations of older releases, the value is
 * a list.
 */
function pathsIn(members: Value | undefined): readonly string[] | undefined {
  if (members === undefined || members.isNull || members.hasUnknown) return undefined;
  return members.elements.map(({ text }) => text.toLowerCase());
}

/** Returns the paths in the result of a data source that lists members. */
function listedPaths(
  source: Value | undefined,
  { attribute, path }: FleetList,
): readonly string[] | undefined {
  if (source === undefined || source.isNull || !source.isKnown) return undefined;
  const listed = source.entries.get(attribute);
  if (listed === undefined || listed.isNull || listed.hasUnknown) return undefined;
  return listed.elements.map((one) => one.entries.get(path)!.text.toLowerCase());
}
