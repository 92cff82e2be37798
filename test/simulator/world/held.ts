import { GROUPS, PROJECTS } from "./company";
import { kindOf } from "./objects";
import type { Held } from "./records";

interface StateFile {
  readonly resources?: readonly {
    readonly mode: string;
    readonly type: string;
    readonly name: string;
    readonly instances: readonly {
      readonly deposed?: string;
      readonly status?: string;
      readonly attributes: Readonly<Record<string, unknown>> | null;
    }[];
  }[];
}

const names = new Map(
  [...Object.entries(PROJECTS), ...Object.entries(GROUPS)].map(([name, id]) => [String(id), name]),
);

/** Reads a state file without the code that is simulated. Undefined if it can't be read. */
export function readHeld(text: string | undefined): Held | undefined {
  const held = new Map<string, string>();
  if (text === undefined || text === "") return held;
  let state: StateFile;
  try {
    state = JSON.parse(text) as StateFile;
  } catch {
    return undefined;
  }
  for (const { mode, type, name, instances } of state.resources ?? []) {
    if (mode !== "managed") continue;
    for (const { deposed, attributes } of instances) {
      const address = `${type}.${name}${deposed === undefined ? "" : ` (deposed ${deposed})`}`;
      held.set(address, identityOfState(type, attributes ?? {}));
    }
  }
  return held;
}

/** The addresses of objects that a failed create left, and that are to be replaced. */
export function taintedIn(text: string | undefined): ReadonlySet<string> {
  const { resources = [] }: StateFile = JSON.parse(text || "{}");
  const isTainted = ({ instances }: NonNullable<StateFile["resources"]>[number]) =>
    instances.some(({ status }) => status === "tainted");
  return new Set(resources.filter(isTainted).map(({ type, name }) => `${type}.${name}`));
}

/** The identity of a stored object, by its id. */
export function identityOfState(type: string, attributes: Readonly<Record<string, unknown>>): string {
  const kind = kindOf(type);
  const [container, ...rest] = String(attributes["id"]).split(":");
  const place = names.get(container!) ?? container;
  const key = rest.join(":");
  if (kind === "entry" || kind === "group_entry") return `${kind} ${place} ${names.get(key) ?? key}`;
  if (kind === "rule")
    return `${kind} ${place} ${String(attributes["repository_path_pattern"]).replace(`acme/${place}/`, "")}`;
  return `${kind} ${place} ${key}`;
}
