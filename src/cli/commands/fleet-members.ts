import path from "node:path";
import type { FleetPlace } from "../../adopt";
import { type ChangeMetadata, memberOf, type Stack, withoutKeys } from "../../engine";

/** The fleet of each project, and the file that declares this fleet. The keys are the paths of the projects. */
export type FleetMembers = Map<string, FleetPlace & { readonly file: string }>;

/** The facts about a declared resource: its fleet, and the position of its declaration in the code. */
type Declared = Pick<
  Stack["configuration"]["resources"] extends ReadonlyMap<string, infer Resource> ? Resource : never,
  "type" | "fleet" | "position" | "construct"
>;

/** Records in `members` the projects whose settings a fleet of this stack declares, each with its fleet. */
export function noteMembers(
  members: FleetMembers,
  { resources }: { readonly resources: ReadonlyMap<string, Declared> },
  objects: readonly Pick<ChangeMetadata, "address" | "container" | "indexKey">[],
  folder: string,
): void {
  for (const { address, container, indexKey } of objects) {
    const { fleet } = resources.get(withoutKeys(address)) ?? {};
    if (fleet === undefined || container === undefined || members.has(container.name)) continue;
    const own = [...resources.values()].filter((one) => one.fleet === fleet);
    const [, file, line] = /^(.+):(\d+)$/s.exec(own[0]?.position ?? "") ?? [];
    if (file === undefined) continue;
    members.set(container.name, {
      file: path.resolve(folder, file),
      line: Number(line),
      key: memberOf(String(indexKey)).member,
      resources: new Map(own.map(({ type, construct = "" }) => [type, construct.replace(/^[^/]*\//, "")])),
    });
  }
}
