import { groupBy } from "../../../engine";
import { counted } from "../../../text";
import { equalInStacks, groupEqualObjects } from "../../document/equal";
import type { Report, ReportAccess, ReportObject, ReportStack } from "../../document/model";
import type { Equal } from "../../printing/equal";
import type { Causes } from "../causes";
import { isListed } from "./summary";

/** One entry of a page or comment: an object, or equal changes of several. */
export interface Entry {
  /** The id of its element. */
  readonly id: string;
  /** The stacks of the objects, if the report has several. */
  readonly stacks: readonly string[];
  readonly objects: Equal<ReportObject>;
}

export interface StackEntries {
  readonly stack: ReportStack;
  readonly entries: readonly Entry[];
}

/** The changes and findings of a report, as its sections and the links between them name them. */
export class Entries {
  /** What is equal in several stacks, which these do not have again. */
  readonly several: readonly Entry[];
  readonly stacks: readonly StackEntries[];
  /** Live objects that are not declared. */
  readonly undeclared: readonly Entry[];
  readonly #ids = new Map<ReportObject, string>();
  readonly #stacks: readonly ReportStack[];
  #byAddress?: ReadonlyMap<
    string,
    readonly { readonly stack: string | null; readonly object: ReportObject }[]
  >;

  /**
   * @param causes the problems, which have the objects of which nothing else is known
   * @param isApart the objects of `undeclared`
   */
  constructor(report: Report, causes: Causes, isApart: (object: ReportObject) => boolean = () => false) {
    this.#stacks = report.stacks;
    let count = 0;
    const stackNames = new Map(
      report.stacks.flatMap(({ name, objects }) => objects.map((object) => [object, nameOf(name)] as const)),
    );
    const isSingle = report.stacks.length < 2;
    const entryOf = (objects: Equal<ReportObject>): Entry => {
      const id = `o${++count}`;
      for (const object of objects) this.#ids.set(object, id);
      const stacks = new Set(objects.map((object) => stackNames.get(object)!));
      return { id, objects, stacks: isSingle ? [] : [...stacks] };
    };
    const isEntry = (object: ReportObject) => isListed(object) && !isApart(object) && !causes.isTold(object);
    this.several = equalInStacks(report.stacks, isEntry).map(({ objects }) => entryOf(objects));
    this.stacks = report.stacks.map((stack) => ({
      stack,
      entries: groupEqualObjects(
        stack.objects.filter((object) => isEntry(object) && !this.#ids.has(object)),
      ).map(entryOf),
    }));
    this.undeclared = groupEqualObjects(report.stacks.flatMap(({ objects }) => objects.filter(isApart))).map(
      entryOf,
    );
  }

  /** All entries in the order of the page. */
  get all(): readonly Entry[] {
    return [...this.several, ...this.stacks.flatMap(({ entries }) => entries), ...this.undeclared];
  }

  /** The id of the entry that has the object. */
  idOf(object: ReportObject): string | undefined {
    return this.#ids.get(object);
  }

  /** The entries of the objects that access changes come from, each with the addresses of these objects in it. */
  sourcesOf(access: readonly ReportAccess[]): Source[] {
    const found = new Map<string, Set<string>>();
    this.#byAddress ??= groupBy(
      this.#stacks.flatMap(({ name, objects }) => objects.map((object) => ({ stack: name, object }))),
      ({ object }) => object.address,
    );
    for (const { stack, stacks = stack === undefined ? undefined : [stack], changes = [] } of access)
      for (const address of changes)
        for (const one of this.#byAddress.get(address) ?? []) {
          const id = this.idOf(one.object);
          if (id === undefined || (stacks && one.stack !== null && !stacks.includes(one.stack))) continue;
          found.set(id, (found.get(id) ?? new Set()).add(address));
        }
    return [...found].map(([id, addresses]) => ({ id, addresses: [...addresses] }));
  }
}

/** An entry that a change of access comes from, with the addresses of its objects that do. */
export interface Source {
  readonly id: string;
  readonly addresses: readonly string[];
}

/** The text of a link to it. */
export const sourceName = ({ addresses }: Source): string =>
  addresses.length === 1 ? addresses[0]! : counted(addresses.length, "object");

/** An access change leads to at most so many entries. */
export const MAX_SOURCES = 10;

/** The name of a stack, also of a configuration without one. */
export const nameOf = (name: string | null): string => name ?? "configuration";
