import { existsSync } from "node:fs";
import path from "node:path";
import { LocalBackend, TerraformStack, Testing } from "cdktf";
import { StewardProvider } from "../../../src/constructs";
import { COPY } from "./app";
import { openPlace, type Place, TOKENS } from "./place";

/** The stacks of an app, by name. Each function declares the content of one stack. */
export type Stacks = Readonly<Record<string, (stack: TerraformStack) => void>>;

/** An object in a state. The address of the object does not contain the hash that cdktf adds. */
export interface HeldObject {
  readonly address: string;
  readonly attributes: Readonly<Record<string, unknown>>;
  readonly fleet: unknown;
}

/** A service with one group of projects, and an app that the test process synthesizes. */
export class FleetPlace {
  private constructor(
    readonly place: Place,
    private readonly projects: readonly string[],
  ) {}

  /** @param projects names in the group `acme`; all have the topic `service`, and their ids are 1, 2, … */
  static async open(
    projects: readonly string[],
    { isAdministrator = true }: { readonly isAdministrator?: boolean } = {},
  ): Promise<FleetPlace> {
    const place = await openPlace({
      users: [{ username: "maya", token: TOKENS.maintainer, admin: isAdministrator }, { username: "devon" }],
      groups: [{ path: "acme", members: [{ user: "maya", role: "owner" }] }],
      projects: projects.map((name) => ({
        path: `acme/${name}`,
        topics: ["service"],
        job_token_scope: { inbound_enabled: false },
      })),
    });
    place.write("cdktf.json", { app: COPY });
    return new FleetPlace(place, projects);
  }

  /** Replaces the app by an app with these stacks. */
  declare(stacks: Stacks): void {
    const outdir = path.join(this.place.folder, "synthesized");
    const app = Testing.app({ outdir });
    for (const [name, build] of Object.entries(stacks)) {
      const stack = new TerraformStack(app, name);
      new LocalBackend(stack, { path: path.join(this.place.folder, this.#stateFile(name)) });
      new StewardProvider(stack, "steward");
      build(stack);
    }
    app.synth();
  }

  /** Runs a command. Returns the output and the exit code. */
  async run(...words: readonly string[]): Promise<{ readonly code: number | null; readonly text: string }> {
    const { code, out, err } = await this.place.run(words);
    return { code, text: `${out}${err}` };
  }

  /** Applies, and returns the writes to the service as `METHOD path`. @throws Error with the output if it fails */
  async apply(...words: readonly string[]): Promise<readonly string[]> {
    const before = this.place.service.requests.all.length;
    const { code, text } = await this.run("apply", "--auto-approve", ...words);
    if (code !== 0) throw new Error(text);
    return this.writesSince(before);
  }

  writesSince(before: number): readonly string[] {
    return this.place.service.requests.all
      .slice(before)
      .filter(({ method }) => method !== "GET")
      .map(({ method, url }) => `${method} ${url.replace(/^\/api\/v4/, "")}`);
  }

  get requestCount(): number {
    return this.place.service.requests.all.length;
  }

  setTopics(project: string, topics: readonly string[]): Promise<number> {
    const id = this.projects.indexOf(project) + 1;
    return this.place.byHand("PUT", `/projects/${id}`, { topics }, this.place.service.adminToken);
  }

  /**
   * Reads a path of the API as an administrator. Returns the body of the response; for an error, returns the status code.
   */
  async read(url: string): Promise<unknown> {
    const { service } = this.place;
    const response = await fetch(`${service.url}/api/v4${url}`, {
      headers: { "private-token": service.adminToken },
    });
    const body: unknown = await response.json();
    return response.ok ? body : response.status;
  }

  /** Returns the addresses that a plan changes. */
  async changing(words: readonly string[]): Promise<readonly string[]> {
    const { text } = await this.run("plan", "--json", ...words);
    return text
      .split("\n")
      .flatMap((line) => (line.startsWith("{") ? [JSON.parse(line) as PlannedLine] : []))
      .flatMap(({ type, change }) => (type === "planned_change" && change ? [change.resource.addr] : []));
  }

  /** Returns the objects of a state, sorted by address. */
  held(stack: string): readonly HeldObject[] {
    return this.#resources(stack)
      .flatMap(({ type, name, instances, fleet }) =>
        instances.map(({ index_key: key, attributes }): HeldObject => {
          const index = key === undefined ? "" : `[${JSON.stringify(key)}]`;
          return { address: `${type}.${name.replace(/_[0-9A-F]{8}$/, "")}${index}`, attributes, fleet };
        }),
      )
      .sort((one, other) => (one.address < other.address ? -1 : 1));
  }

  addresses(stack: string): readonly string[] {
    return this.held(stack).map(({ address }) => address.replace(/^steward_/, ""));
  }

  /** Changes a state so that an older release could have written it: removes the records of fleets. */
  forgetRecords(stack: string): void {
    const file = this.#stateFile(stack);
    const state = JSON.parse(this.place.read(file)) as StateFile;
    for (const resource of state.resources) delete resource.fleet;
    this.place.write(file, state);
  }

  /** Changes a state so that an older release could have written it: removes the matches of selectors. */
  forgetMatches(stack: string): void {
    const file = this.#stateFile(stack);
    const state = JSON.parse(this.place.read(file)) as StateFile;
    for (const { fleet } of state.resources) delete (fleet as { matched?: unknown } | undefined)?.matched;
    this.place.write(file, state);
  }

  /**
   * Removes `selector_checks` from the metadata of the fleets in the synthesized stack. The engine then evaluates these
   * checks as Terraform does.
   */
  withoutSelectorNotes(stack: string): void {
    const file = `synthesized/stacks/${stack}/cdk.tf.json`;
    const json = JSON.parse(this.place.read(file)) as {
      "//": { metadata: { fleets: Record<string, { selector_checks?: unknown }> } };
    };
    for (const fleet of Object.values(json["//"].metadata.fleets)) delete fleet.selector_checks;
    this.place.write(file, json);
  }

  close(): Promise<void> {
    return this.place.close();
  }

  #stateFile = (stack: string): string => `${stack}.tfstate`;

  #resources(stack: string): StateFile["resources"] {
    if (!existsSync(path.join(this.place.folder, this.#stateFile(stack)))) return [];
    const { resources } = JSON.parse(this.place.read(this.#stateFile(stack))) as StateFile;
    return resources.filter(({ mode }) => mode === "managed");
  }
}

interface StateFile {
  resources: {
    mode: string;
    type: string;
    name: string;
    fleet?: unknown;
    instances: { index_key?: string; attributes: Record<string, unknown> }[];
  }[];
}

/** A line of the output of `plan --json`. */
interface PlannedLine {
  readonly type: string;
  readonly change?: { readonly resource: { readonly addr: string } };
}
