import { type Diagnostic, hasErrors } from "../../../src/diagnostics";
import { CODES } from "../../../src/diagnostics/codes";
import type { StateResponse, StoredState } from "../../../src/framework/protocol/protocol";
import type { ValueObject } from "../../../src/schema";
import { changedInPlace, containerOf, isEntry, isUpdated, SAMPLES, type Sample } from "../samples";
import { type HabitCase, USUAL } from "./habit-cases";
import type { HabitWorlds } from "./habit-worlds";
import { Host } from "./host";
import { GROUP, type World } from "./world";

/** A number of reads after which replicas have caught up with each write. */
const READS_UNTIL_REPLICAS_CATCH_UP = 4;

/**
 * Plays the life of one object on a service with a habit. Each step is a run. After each step, a read without the habit
 * shows whether the run reported the truth.
 */
export class HabitLife {
  /** Broken rules. */
  readonly findings: string[] = [];
  readonly #world: World;
  readonly #case: HabitCase;
  readonly #type: string;
  readonly #sample: Sample;
  readonly #config: ValueObject;
  readonly #changed: ValueObject;
  /** The host whose runs are under the habit. `#plain` is the host whose runs are without the habit. */
  readonly #host: Host;
  readonly #plain: Host;
  /** The path of the container. */
  readonly #at: string;
  #isActive = false;
  #state: StoredState | undefined;
  #before = "";

  constructor(worlds: HabitWorlds, one: HabitCase, type: string) {
    this.#world = one.isCrowded ? worlds.crowded : worlds.plain;
    this.#case = one;
    this.#type = type;
    this.#sample = SAMPLES[type]!;
    const within = containerOf(type);
    const more = { ...(within === "project" && { project: one.project.path }), ...one.config(type) };
    this.#config = { ...this.#sample.config, ...more };
    this.#changed = { ...changedInPlace(type), ...more, ...one.changes(type) };
    this.#host = new Host(this.#world, type, one.token);
    const isPlainAdministrator = one.settings !== undefined;
    this.#plain = new Host(
      this.#world,
      type,
      isPlainAdministrator ? this.#world.service.adminToken : undefined,
    );
    this.#at = within === "project" ? `/projects/${one.project.id}` : `/groups/${GROUP.platform}`;
  }

  /** Plays the whole life. Afterwards, `findings` has the broken rules. */
  async play(): Promise<void> {
    await this.#begin();
    try {
      if (isEntry(this.#type)) await this.#meetExisting();
      else await this.#create();
      await this.#schedule();
      await this.#update();
      // Stops here for sets with hundreds of entries, because deleting and filling them again takes long.
      if (this.#case.isCrowded && !isEntry(this.#type)) return;
      await this.#vanish();
      await this.#create();
      await this.#destroy();
    } finally {
      await this.#end();
    }
  }

  async #begin(): Promise<void> {
    if (this.#case.title === "exact-addresses") {
      const email = String(this.#config["email"]).toLowerCase();
      await this.#world.http("POST", `${this.#at}/invitations`, { email, access_level: 20 });
    }
    this.#before = await this.#look();
    await this.#setUp(0);
    this.#switch(true);
  }

  /** Creates an object that exists already, which must fail. Then imports the object. */
  async #meetExisting(): Promise<void> {
    const made = await this.#quietly(() => this.#plain.bring(undefined, this.#config));
    const before = await this.#look();
    const { state, diagnostics } = await this.#applied(undefined, this.#config, ["already_exists"]);
    // If a response hides who created the object, the create can succeed, with a warning.
    if (state !== undefined && !diagnostics.some(({ code }) => code === "proven_by_reading"))
      this.#find("the creation of an existing object gave a state");
    if (diagnostics.length === 0) this.#find("the creation of an existing object says nothing");
    if ((await this.#look()) !== before) this.#find("the creation of an existing object changed it");
    const id = String(made.attributes["id"]);
    const run = this.#host.connect();
    const imported = await this.#step("import", () => run.importResource({ type: this.#type, id }));
    if (imported.state === undefined && !hasErrors(imported.diagnostics)) this.#find("import gave nothing");
    if (imported.state !== undefined) await this.#compare("import", imported.state);
    this.#state = imported.state ?? made;
    await this.#planAgain(this.#config);
  }

  async #create(): Promise<void> {
    const before = await this.#look();
    const { state, diagnostics } = await this.#applied(undefined, this.#config);
    if (state !== undefined) await this.#compare("create", state);
    else if (!hasErrors(diagnostics)) this.#find("create gave neither a state nor an error");
    else if ((await this.#look()) !== before) this.#find("create made an object that no state holds");
    this.#state = state ?? (await this.#quietly(() => this.#plain.bring(undefined, this.#config)));
    if (!hasErrors(diagnostics)) await this.#planAgain(this.#config);
  }

  /** Deletes the project by hand and restores it. A deleted project stays readable for some days. */
  async #schedule(): Promise<void> {
    if (this.#case.title !== "scheduled-deletion" || containerOf(this.#type) !== "project") return;
    const { http, service } = this.#world;
    await http("DELETE", this.#at, undefined, service.adminToken);
    await this.#planAgain(this.#config);
    await http("POST", `${this.#at}/restore`, undefined, service.adminToken);
  }

  async #update(): Promise<void> {
    if (!isUpdated(this.#sample)) return;
    const { state, diagnostics } = await this.#applied(this.#state, this.#changed);
    if (state === undefined) return this.#find("update lost the state");
    await this.#compare("update", state);
    this.#state = state;
    if (!hasErrors(diagnostics)) await this.#planAgain(this.#changed);
  }

  /** Deletes the object by hand. */
  async #vanish(): Promise<void> {
    if (!isEntry(this.#type)) return this.#destroy();
    const state = this.#state!;
    const gone = await this.#quietly(() => this.#plain.destroy(state));
    expect(gone).toEqual({ diagnostics: [] });
    const read = await this.#step("refresh", () => this.#host.read(state));
    if (read.state !== undefined && !hasErrors(read.diagnostics)) this.#find("refresh finds what is gone");
    this.#state = undefined;
  }

  async #destroy(): Promise<void> {
    const state = this.#state!;
    const done = await this.#step("destroy", () => this.#host.destroy(state), true);
    if (done.state === undefined && (await this.#isLive(state)))
      this.#find("destroy leaves the object, and no state holds it");
    if (done.state !== undefined && !hasErrors(done.diagnostics)) this.#find("destroy says nothing");
    if (done.state !== undefined) await this.#quietly(() => this.#plain.destroy(state));
    this.#state = undefined;
  }

  /** Switches the habit off, and deletes the object if it still exists. */
  async #end(): Promise<void> {
    await this.#catchUp();
    this.#switch(false);
    await this.#setUp(1);
    if (this.#state !== undefined && isEntry(this.#type)) await this.#plain.destroy(this.#state);
    if (isEntry(this.#type) && (await this.#look()) !== this.#before)
      this.#find(`the container is not as before: ${await this.#look()}`);
    if (this.#case.title === "exact-addresses") {
      const email = encodeURIComponent(String(this.#config["email"]).toLowerCase());
      await this.#world.http("DELETE", `${this.#at}/invitations/${email}`);
    }
    await this.#world.disconnect();
  }

  /** Plans in one run and applies in a different run, as a host does. */
  async #applied(
    prior: StoredState | undefined,
    config: ValueObject,
    also: readonly string[] = [],
  ): Promise<{ readonly state?: StoredState | undefined; readonly diagnostics: readonly Diagnostic[] }> {
    const title = prior === undefined ? "create" : "update";
    const plan = await this.#step(`plan of ${title}`, () => this.#host.plan(prior, config), false, also);
    if (hasErrors(plan.diagnostics)) return { state: prior, diagnostics: plan.diagnostics };
    return this.#step(title, () => this.#host.apply(plan), true, also);
  }

  /** Plans again after an apply or import. The plan must be empty, or end with an error. */
  async #planAgain(config: ValueObject): Promise<void> {
    const run = this.#host.connect();
    const { state, diagnostics } = await this.#step("refresh", () => this.#host.read(this.#state!, run));
    if (hasErrors(diagnostics)) return;
    if (state === undefined) return this.#find("refresh finds nothing of a live object");
    const plan = await this.#step("second plan", () => this.#host.plan(state, config, run));
    const { attributes } = this.#plain.schema;
    const changed = plan.changed.filter((name) => attributes[name]!.presence !== "configOnly");
    if (changed.length > 0) this.#find(`the second plan changes ${changed.join(", ")}`);
  }

  /**
   * Runs one step and checks it. Only an apply may send writes. It may send them only to the routes of the resource.
   * Each error must be one that the habit can cause.
   */
  async #step<Result extends { readonly diagnostics: readonly Diagnostic[] }>(
    title: string,
    run: () => Promise<Result>,
    mayWrite = false,
    also: readonly string[] = [],
  ): Promise<Result> {
    const { requests } = this.#world.service;
    await this.#catchUp();
    requests.reset();
    const result = await run();
    const routes = Object.keys(this.#sample.leaves).map((leaf) => `/${containerOf(this.#type)}s/:id/${leaf}`);
    for (const { method, route = "" } of requests.all)
      if (method !== "GET" && !(mayWrite && routes.some((one) => route.startsWith(one))))
        this.#find(`${title} sends ${method} ${route}`);
    for (const { severity, code, detail } of result.diagnostics) {
      if (!CODES.has(code!)) this.#find(`${title}: ${code} is not registered`);
      else if (
        severity === "error" &&
        !also.includes(code!) &&
        this.#case.errors[code!]?.test(detail) !== true
      )
        this.#find(`${title}: ${code}: ${detail}`);
    }
    return result;
  }

  /** Lets replicas catch up between runs. Within a run, replicas lag. */
  async #catchUp(): Promise<void> {
    if (this.#case.title !== "lagging-replicas") return;
    for (let read = 0; read < READS_UNTIL_REPLICAS_CATCH_UP; read += 1)
      await this.#world.http("GET", "/version");
  }

  /** Compares the state of a run with the live object. */
  async #compare(title: string, { attributes, ...rest }: StoredState): Promise<void> {
    const live = await this.#quietly(() => this.#plain.read({ attributes, ...rest }));
    const said = JSON.stringify(attributes);
    const seen = JSON.stringify(live.state && this.#asRead(live.state.attributes, attributes));
    if (said !== seen) this.#find(`${title} says ${said}, and the service has ${seen}`);
  }

  /**
   * Returns the live object as a lagging read shows it after a create: computed attributes are null until the next
   * refresh.
   */
  #asRead(live: ValueObject, said: ValueObject): ValueObject {
    if (this.#case.title !== "lagging-replicas") return live;
    const { attributes } = this.#plain.schema;
    const isUnread = (name: string) => attributes[name]!.presence === "computed" && said[name] === null;
    return Object.fromEntries(
      Object.entries(live).map(([name, value]) => [name, isUnread(name) ? null : value]),
    );
  }

  async #isLive(state: StoredState): Promise<boolean> {
    if (!isEntry(this.#type)) return false;
    const { state: live } = await this.#quietly<StateResponse>(() => this.#plain.read(state));
    return live !== undefined;
  }

  /** Returns the lists in the container, in the form that an administrator sees. */
  #look(): Promise<string> {
    const { http, service } = this.#world;
    const pages = this.#case.isCrowded ? ["", "&page=2"] : [""];
    const paths = Object.keys(this.#sample.leaves).flatMap((leaf) =>
      pages.map((page) => `${this.#at}/${leaf}?per_page=100${page}`),
    );
    return this.#quietly(async () => {
      const found = paths.map((path) => http("GET", path, undefined, service.adminToken));
      return JSON.stringify(await Promise.all(found));
    });
  }

  #find(finding: string): void {
    this.findings.push(finding);
  }

  #switch(isActive: boolean): void {
    const { habits } = this.#world.service;
    this.#isActive = isActive;
    for (const habit of this.#case.habits) {
      if (isActive ? this.#case.isOn : USUAL.has(habit)) habits.add(habit);
      else habits.delete(habit);
    }
  }

  async #setUp(at: 0 | 1): Promise<void> {
    const change = this.#case.settings?.[at];
    if (change === undefined) return;
    await this.#world.http("PUT", "/application/settings", change, this.#world.service.adminToken);
  }

  /** Runs a function with the habit switched off. */
  async #quietly<Result>(work: () => Promise<Result>): Promise<Result> {
    const wasActive = this.#isActive;
    this.#switch(false);
    try {
      return await work();
    } finally {
      this.#switch(wasActive);
    }
  }
}
