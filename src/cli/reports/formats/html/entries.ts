import { equalInStacks, groupEqualObjects } from "../../../document/equal";
import type { Report, ReportObject, ReportStack } from "../../../document/model";
import type { Equal } from "../../../printing/equal";
import type { Causes } from "../../causes";
import { isListed } from "../summary";

/** One entry of the page: an object, or equal changes of several. */
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

  /** @param causes the problems, which have the objects of which nothing else is known */
  constructor(report: Report, causes: Causes) {
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
    const isEntry = (object: ReportObject) =>
      isListed(object) && object.status !== "unmanaged" && !causes.isTold(object);
    this.several = equalInStacks(report.stacks, isEntry).map(({ objects }) => entryOf(objects));
    this.stacks = report.stacks.map((stack) => ({
      stack,
      entries: groupEqualObjects(
        stack.objects.filter((object) => isEntry(object) && !this.#ids.has(object)),
      ).map(entryOf),
    }));
    this.undeclared = groupEqualObjects(
      report.stacks.flatMap(({ objects }) => objects.filter(({ status }) => status === "unmanaged")),
    ).map(entryOf);
  }

  /** All entries in the order of the page. */
  get all(): readonly Entry[] {
    return [...this.several, ...this.stacks.flatMap(({ entries }) => entries), ...this.undeclared];
  }

  /** The id of the entry that has the object. */
  idOf(object: ReportObject): string | undefined {
    return this.#ids.get(object);
  }
}

/** The name of a stack, also of a configuration without one. */
export const nameOf = (name: string | null): string => name ?? "configuration";
