import type { StoredState, ValueObject } from "../../../src/schema";
import { disk } from "../disk/disk";
import { simulation } from "../time/simulation";
import { stateFileOf } from "../world/app";

/** An object in the form of Terraform's state file. */
export interface Instance extends StoredState {
  /** The schema version of the stored object. */
  readonly version: number;
  readonly isTainted: boolean;
}

export interface Resource {
  readonly type: string;
  readonly name: string;
  readonly instance: Instance;
}

interface Stored {
  readonly serial: number;
  readonly lineage: string;
  readonly resources: readonly {
    readonly type: string;
    readonly name: string;
    readonly instances: readonly {
      readonly schema_version: number;
      readonly status?: string;
      readonly attributes: ValueObject;
      readonly private?: string;
      readonly identity?: ValueObject;
    }[];
  }[];
}

/** The state of a stack: Terraform's copy in memory, and the file. */
export class StateFile {
  readonly #path: string;
  readonly #objects = new Map<string, Resource>();
  #serial = 0;
  #written: string;

  constructor(stack: string) {
    this.#path = stateFileOf(stack);
    const text = disk().volume.find(this.#path)?.content.toString("utf8") ?? "";
    const stored = text === "" ? undefined : (JSON.parse(text) as Stored);
    this.#serial = stored?.serial ?? 0;
    for (const { type, name, instances } of stored?.resources ?? []) {
      const [{ schema_version, status, attributes, private: bytes, identity }] = instances as [
        Stored["resources"][number]["instances"][number],
      ];
      const rest = { ...(bytes !== undefined && { private: bytes }), ...(identity && { identity }) };
      const instance = { version: schema_version, isTainted: status === "tainted", attributes, ...rest };
      this.#objects.set(`${type}.${name}`, { type, name, instance });
    }
    this.#written = this.#contents();
  }

  get resources(): Resource[] {
    return [...this.#objects.values()];
  }

  find(address: string): Instance | undefined {
    return this.#objects.get(address)?.instance;
  }

  put(address: string, resource: Resource): void {
    this.#objects.set(address, resource);
  }

  remove(address: string): void {
    this.#objects.delete(address);
  }

  move(from: string, to: string): void {
    const found = this.#objects.get(from);
    if (found === undefined || this.#objects.has(to)) return;
    this.#objects.delete(from);
    this.#objects.set(to, { ...found, name: to.slice(found.type.length + 1) });
  }

  /** Writes the file if the state changed. If the process dies at this call, the file stays unchanged. */
  write(): void {
    const contents = this.#contents();
    if (contents === this.#written || !simulation().call()) return;
    this.#serial += 1;
    this.#written = contents;
    const head = { version: 4, terraform_version: "1.11.4", serial: this.#serial, lineage: "simulated" };
    const text = JSON.stringify({ ...head, outputs: {}, resources: JSON.parse(contents) as unknown });
    disk().volume.place(this.#path, text);
  }

  #contents(): string {
    return JSON.stringify(
      this.resources.map(({ type, name, instance: { version, isTainted, attributes, ...rest } }) => ({
        mode: "managed",
        type,
        name,
        provider: 'provider["registry.steward.example/steward/steward"]',
        instances: [
          {
            schema_version: version,
            ...(isTainted && { status: "tainted" }),
            attributes,
            ...(rest.private !== undefined && { private: rest.private }),
            ...(rest.identity !== undefined && { identity: rest.identity }),
          },
        ],
      })),
    );
  }
}
