import type { Diagnostic, DiagnosticAction } from "../../../src/engine";
import { ownIdentity } from "../../../src/files";
import { changeByHand } from "../actors/hand";
import { operate, type SavedPlans } from "../actors/runner";
import type { Call } from "../actors/trace";
import { Disk, useDisk } from "../disk/disk";
import { closeAll } from "../disk/fs";
import { type Exchange, Network, useNetwork } from "../network/network";
import type { SimulatedService } from "../network/service";
import type { Hand, Run, Step, Story } from "../story/story";
import { begin, Simulation, type Started } from "../time/simulation";
import {
  type App,
  addressOf,
  contestedIn,
  type Declaration,
  type DeclaredStack,
  declarationsOf,
  filesOf,
  stateFileOf,
} from "./app";
import { STATES_PROJECT } from "./company";
import { edited } from "./edit";
import { readHeld, taintedIn } from "./held";
import { committedIn } from "./journals";
import { playListUse } from "./list-use";
import { changesBetween, existsAnyway, type Live, readLive } from "./live";
import { identityOf } from "./objects";
import type { Finding, Held, RunRecord, Violation, Written } from "./records";

/** The rules that a world is held against. */
export interface Rules {
  readonly request: (world: World, record: RunRecord, written: readonly Written[]) => void;
  readonly run: (world: World, record: RunRecord) => void;
  readonly end: (world: World) => Promise<void>;
}

/** Everything that a story plays in. */
export class World {
  readonly story: Story;
  readonly simulation: Simulation;
  readonly disk = new Disk();
  readonly network: Network;
  readonly service: SimulatedService;
  readonly runs: RunRecord[] = [];
  readonly violations: Violation[] = [];
  /** What people made by hand, and no runner took over. */
  readonly handmade = new Set<string>();
  /** How many requests had been sent when each was made. */
  readonly madeAfter = new Map<string, number>();
  /** What people made by hand and a runner changed since. */
  readonly foreign = new Set<string>();
  /** What runners made, and is there. */
  readonly made = new Set<string>();
  /** How often something else happened than a run. */
  readonly events = {
    "the clock jumps": 0,
    "two runners at once": 0,
    "a change by hand": 0,
    "parts of a run use a list": 0,
  };
  app: App;
  live: Live;
  step = 0;
  /** At how many points two runners could go on whose order the story says; after its last choice, the same one goes on. */
  choicesMade = 0;
  /** Told each call of the provider by Terraform. */
  onCall: ((call: Call) => void) | undefined;
  /** Called before each step. */
  onStep: ((index: number) => void) | undefined;
  #bootSeen = 1;
  readonly #applied = new Map<string, string>();
  readonly #rules: Rules;
  readonly #saved: SavedPlans = new Map();

  constructor(story: Story, service: SimulatedService, rules: Rules) {
    this.#rules = rules;
    this.story = story;
    this.service = service;
    service.reset();
    service.pageLimit = story.pageLimit;
    this.simulation = new Simulation(story.seed);
    this.network = new Network(service);
    this.app = {
      hasSecond: usesSecond(story),
      stacks: story.stacks.map((name) => ({ name, declarations: [], moved: [] })),
    };
    this.live = readLive(service.database);
    this.network.onService = (exchange, answer) => {
      const given = answer();
      const record = this.runs.find(({ process }) => process === exchange.process);
      if (record !== undefined && exchange.method !== "GET") this.#observe(record, exchange);
      if (record !== undefined) this.#meanwhile(record);
      return given;
    };
  }

  /** Plays the story to its end, or to the first violation. */
  async play(): Promise<void> {
    begin(this.simulation);
    useDisk(this.disk);
    useNetwork(this.network);
    // The sources keep the identity of the last process: this one is in no story.
    ownIdentity();
    try {
      for (const [index, step] of this.story.steps.entries()) {
        this.step = index;
        this.onStep?.(index);
        await this.#take(step);
        if (this.violations.length > 0) return;
      }
      this.step = this.story.steps.length;
      this.onStep?.(this.step);
      // No run has anything to converge to.
      if (!this.story.steps.every((step) => "list" in step)) await this.#rules.end(this);
    } finally {
      begin(undefined);
      closeAll();
    }
  }

  report(invariant: string, finding: Finding): void {
    if (finding === undefined) return;
    const { what, identity } = typeof finding === "string" ? { what: finding, identity: undefined } : finding;
    this.violations.push({ invariant, what, identity, step: this.step });
  }

  edit(app: App): void {
    this.app = app;
    for (const [path, text] of filesOf(app, this.story.keeping)) this.disk.volume.place(path, text);
  }

  /** What each state holds now. */
  held(): ReadonlyMap<string, Held> {
    return new Map(this.story.stacks.map((stack) => [stack, readHeld(this.stateText(stack)) ?? new Map()]));
  }

  stateText(stack: string): string | undefined {
    if (this.story.keeping === "file")
      return this.disk.volume.find(stateFileOf(stack))?.content.toString("utf8");
    const row = this.service.database.one<{ content: string | null }>(
      "SELECT content FROM terraform_states WHERE project_id = ? AND name = ?",
      STATES_PROJECT,
      stack,
    );
    return row?.content ?? undefined;
  }

  /** The processes that hold a lock. */
  lockHolders(): number[] {
    const texts =
      this.story.keeping === "file"
        ? this.story.stacks.map((stack) =>
            this.disk.volume.find(`/app/.${stack}.tfstate.lock.info`)?.content.toString(),
          )
        : this.service.database
            .all<{ lock: string | null }>("SELECT lock FROM terraform_states")
            .map(({ lock }) => lock ?? undefined);
    return texts
      .flatMap((text) => /"pid":(\d+)/.exec(text?.replaceAll("\\", "") ?? "")?.[1] ?? [])
      .map(Number);
  }

  hasJournal(): boolean {
    return this.journals().length > 0;
  }

  /** The texts of all journals. */
  journals(): string[] {
    if (this.story.keeping === "file")
      return this.story.stacks.flatMap(
        (stack) => this.disk.volume.find(`${stateFileOf(stack)}.journal`)?.content.toString("utf8") ?? [],
      );
    const rows = this.service.database.all<{ content: string | null }>(
      "SELECT content FROM terraform_states WHERE name LIKE '%-journal'",
    );
    // A cleared one is an empty document.
    return rows.flatMap(({ content }) => (content?.includes("steward_journal") ? content : []));
  }

  /** People take away what they made by hand, and what no state holds. */
  tidyUp(): void {
    for (const identity of [...this.handmade]) {
      const [kind, at, ...key] = identity.split(" ");
      if (this.holds(identity)) continue;
      const thing = { kind, at, key: key.join(" "), content: 0 } as Hand["thing"];
      this.#byHand({ hand: "delete", thing });
    }
  }

  /** Whether a state has an object, or will have it because a journal says so. */
  holds(identity: string): boolean {
    return (
      [...this.held().values()].some((held) => [...held.values()].includes(identity)) ||
      this.journals().some((text) => committedIn(text).includes(identity))
    );
  }

  /** What is declared at an address, or held there; empty if nothing is. */
  identityAt(address: string | undefined): string {
    const declared = declarationsOf(this.app).find((one) => addressOf(one) === address);
    if (declared !== undefined) return identityOf(declared);
    return [...this.held().values()].flatMap((held) => held.get(address ?? "") ?? [])[0] ?? "";
  }

  /** Terraform has no journal: what its state does not hold once a run is over is not its own any more. */
  #disownLost(): void {
    for (const identity of this.made) {
      if (this.holds(identity)) continue;
      this.made.delete(identity);
      this.foreign.add(identity);
    }
  }

  /** Whether the app itself can't be applied, whatever steward does. */
  hasContradiction(): boolean {
    const held = this.held();
    const guarded = this.app.stacks.some(({ name, declarations, moved }) =>
      declarations.some((one) => {
        if (one.preventDestroy !== true) return false;
        const addresses = [addressOf(one), ...movedFrom(moved, addressOf(one))];
        return addresses.some(
          (address) => (held.get(name)?.get(address) ?? identityOf(one)) !== identityOf(one),
        );
      }),
    );
    return contestedIn(this.app).size > 0 || guarded || this.#isStuckUnderTerraform(held);
  }

  /**
   * Terraform does not find what has another address: without a block it is refused. What a failed create left, it wants to
   * replace, whatever `prevent_destroy` says; of a setting nothing is left.
   */
  #isStuckUnderTerraform(held: ReadonlyMap<string, Held>): boolean {
    if (this.story.host !== "terraform") return false;
    const tainted = taintedIn(this.stateText(this.story.stacks[0]!));
    const isStuck = (one: Declaration) =>
      one.preventDestroy === true &&
      tainted.has(addressOf(one)) &&
      one.kind !== "scope" &&
      one.kind !== "pages";
    if (declarationsOf(this.app).some(isStuck)) return true;
    const addresses = new Map([...held.values()].flatMap((one) => [...one].map(([at, what]) => [what, at])));
    return declarationsOf(this.app).some((one) => {
      const at = addresses.get(identityOf(one));
      return at !== undefined && at !== addressOf(one);
    });
  }

  /** Runs the command that a diagnostic names. @returns false if none names one */
  async follow(diagnostics: readonly Diagnostic[]): Promise<boolean> {
    for (const { action, address } of diagnostics) {
      const did = action !== undefined && (await this.#followOne(action, address));
      if (did) return true;
    }
    return false;
  }

  async #followOne(action: DiagnosticAction, address: string | undefined): Promise<boolean> {
    const nameAt = (given: string): string => given.split(".").at(-1)!;
    if (action.kind === "move" && action.stacks !== undefined) {
      const { from, to } = action.stacks;
      const addresses = [action.from, action.to] as const;
      await this.runAll([{ run: { do: "move", name: nameAt(action.from), from, to, addresses }, after: 0 }]);
      return true;
    }
    if (action.kind === "unlock") {
      await this.runAll([{ run: { do: "unlock" }, after: 0 }]);
      return true;
    }
    if (action.kind === "moveAll") {
      const { from, to } = action.stacks;
      await this.runAll([{ run: { do: "move declared", from, to }, after: 0 }]);
      return true;
    }
    if (action.kind === "stateRm" && action.stack !== undefined) {
      const forgotten = action.address ?? address ?? "";
      this.made.delete(this.held().get(action.stack)?.get(forgotten) ?? "");
      await this.runAll([{ run: { do: "forget", address: forgotten, stack: action.stack }, after: 0 }]);
      return true;
    }
    if (action.kind === "removed") {
      const leaving = this.#leavingOf(action.type, address);
      if (leaving === undefined) return false;
      for (const identity of this.made)
        if (/^(group_)?entry /.test(identity) && isAtSamePlace(identity, leaving.identity))
          this.made.delete(identity);
      this.edit(edited(this.app, { edit: "release", name: leaving.address }));
      return true;
    }
    if (action.kind === "import") {
      const name = nameAt(action.address ?? address ?? "");
      if (this.story.host === "terraform") {
        this.edit(edited(this.app, { edit: "import", name, id: action.id }));
        return true;
      }
      await this.runAll([{ run: { do: "import", name, id: action.id }, after: 0 }]);
      return true;
    }
    return false;
  }

  /** The object of a type that leaves where another declaration comes, and its address once blocks have moved it. */
  #leavingOf(type: string, declared: string | undefined) {
    const there = this.identityAt(declared);
    const [stack] = this.app.stacks;
    const addresses = new Set(declarationsOf(this.app).map(addressOf));
    return [...(this.held().get(stack!.name) ?? [])]
      .filter(([address, identity]) => address.startsWith(`${type}.`) && isAtSamePlace(identity, there))
      .map(([address, identity]) => ({ address: movedTo(stack!.moved, address), identity }))
      .find(({ address }) => !addresses.has(address));
  }

  async #take(step: Step): Promise<void> {
    if ("edit" in step) this.edit(edited(this.app, step));
    else if ("hand" in step) this.#byHand(step);
    else if ("clock" in step) {
      this.events["the clock jumps"] += 1;
      this.simulation.jumpClock(step.clock);
    } else if ("list" in step) {
      this.events["parts of a run use a list"] += 1;
      await playListUse(this, step.list);
    } else if ("run" in step) await this.runAll([{ run: step.run, after: 0 }]);
    else {
      this.events["two runners at once"] += 1;
      const { choices } = step;
      if (choices !== undefined)
        this.simulation.chooser = () => choices[Math.min(this.choicesMade++, choices.length - 1)]!;
      await this.runAll([
        { run: step.together[0], after: 0 },
        { run: step.together[1], after: step.after },
      ]);
    }
  }

  #byHand(hand: Hand): void {
    this.events["a change by hand"] += 1;
    changeByHand(this.service, hand);
    const now = readLive(this.service.database);
    for (const { identity, before, after } of changesBetween(this.live, now)) {
      // Of what a dead run made and somebody changed, nobody can say who made it.
      if (this.made.delete(identity) && !this.holds(identity)) this.foreign.add(identity);
      if (after === undefined) this.handmade.delete(identity);
      else if (!existsAnyway(identity) && before === undefined) {
        this.handmade.add(identity);
        this.madeAfter.set(identity, this.network.exchanges.length);
      }
    }
    this.live = now;
  }

  /** Runs one operation or several at once, and checks each afterwards. */
  async runAll(
    runs: readonly { readonly run: Run; readonly after: number }[],
  ): Promise<readonly RunRecord[]> {
    if (this.disk.volume.find("/app/cdktf.out/manifest.json") === undefined) this.edit(this.app);
    const started = runs.map(({ run, after }) => this.#begin(run, after));
    const stuck = await this.simulation.finish(started.map(({ process }) => process));
    this.simulation.chooser = undefined;
    // What a dead process sent, and what was late, arrives now.
    await this.simulation.calm();
    const records = started.map(({ record, process }) => {
      const { result } = process;
      record.outcome = result !== undefined && "value" in result ? result.value : undefined;
      record.failure = result !== undefined && "error" in result ? result.error : undefined;
      record.isStuck = stuck.includes(record.process);
      record.isDisturbed ||= runs.length > 1;
      record.liveAfter = this.live;
      record.heldAfter = this.held();
      return record;
    });
    if (this.story.host === "terraform") this.#disownLost();
    for (const record of records) this.#rules.run(this, record);
    const isOver = this.story.keeping === "service" || this.simulation.boot > this.#bootSeen;
    this.#bootSeen = this.simulation.boot;
    // A lock of a dead process is taken over on the same machine and boot alone; elsewhere a person removes it.
    if (isOver && this.lockHolders().length > 0 && runs[0]?.run.do !== "unlock")
      await this.runAll([{ run: { do: "unlock" }, after: 0 }]);
    return records;
  }

  #begin(
    run: Run,
    delay: number,
  ): { readonly record: RunRecord; readonly process: Started<Awaited<ReturnType<typeof operate>>> } {
    const { app } = this;
    const options = { ...run, saved: this.#saved, host: this.story.host, onCall: this.onCall };
    const process = this.simulation.start(run.do, () => operate(app, run, options), {
      delay,
      prepare: (one) => {
        one.crashAt = run.crash?.at;
        one.onCrash = () => this.#crash(run.crash?.power ?? false);
        this.network.disturb(one, run.network ?? []);
        this.disk.disturb(one, run.disk ?? []);
      },
    });
    const record: RunRecord = {
      run,
      process: process.process,
      app,
      heldBefore: this.held(),
      liveBefore: this.live,
      appliedBefore: new Map(this.#applied),
      written: [],
      outcome: undefined,
      failure: undefined,
      isStuck: false,
      isDisturbed: false,
      liveAfter: this.live,
      heldAfter: new Map(),
    };
    this.runs.push(record);
    return { record, process };
  }

  /** The power failure takes every process, and what was not synced. */
  #crash(isPowerFailure: boolean): void {
    if (!isPowerFailure) return;
    for (const process of this.simulation.processes) if (process.isAlive) this.simulation.kill(process);
    this.simulation.boot += 1;
    this.disk.volume.loseUnsynced(this.simulation.random);
  }

  /** Sees what a request changed. */
  #observe(record: RunRecord, exchange: Exchange): void {
    const now = readLive(this.service.database);
    const written = changesBetween(this.live, now).map((change) => ({ ...change, exchange }));
    this.live = now;
    for (const one of written) {
      if (this.handmade.delete(one.identity)) this.foreign.add(one.identity);
      else if (one.before === undefined && !existsAnyway(one.identity)) this.made.add(one.identity);
      if (one.after === undefined) {
        this.made.delete(one.identity);
        this.#applied.delete(one.identity);
      } else this.#applied.set(one.identity, one.after);
      record.written.push(one);
    }
    if (written.length > 0) this.#rules.request(this, record, written);
    const writes = this.network.exchanges.filter(
      ({ process, method, status }) => process === record.process && method !== "GET" && status !== undefined,
    );
    if (record.run.crash?.afterWrite === writes.length + 1 && record.process.isAlive) {
      this.simulation.kill(record.process);
      record.process.onCrash?.();
    }
    for (const other of this.runs)
      if (other !== record && other.process.isAlive && written.length > 0) other.isDisturbed = true;
  }

  /** Lets people act who waited for a request of a run. */
  #meanwhile(record: RunRecord): void {
    if (record.run.meanwhile === undefined) return;
    const count = this.network.exchanges.filter(({ process }) => process === record.process).length;
    for (const hand of record.run.meanwhile) {
      if (hand.after !== count) continue;
      record.isDisturbed = true;
      this.#byHand(hand);
    }
  }
}

/** The addresses from which `moved` blocks lead to another one. */
function movedFrom(moved: DeclaredStack["moved"], to: string): string[] {
  return moved.flatMap(([from, next]) => (next === to ? [from, ...movedFrom(moved, from)] : []));
}

/** The address to which `moved` blocks lead from another one. */
const movedTo = (moved: DeclaredStack["moved"], from: string): string =>
  moved.reduce((at, [before, next]) => (before === at ? next : at), from);

const isAtSamePlace = (one: string, other: string): boolean => one.split(" ")[1] === other.split(" ")[1];

/** Whether any declaration of a story goes through the second configuration. */
const usesSecond = ({ steps }: Story): boolean =>
  steps.some(
    (step) =>
      "edit" in step &&
      (step.edit === "reconfigure" ||
        (step.edit === "declare" && step.declaration.second === true) ||
        ("second" in step && step.second === true)),
  );
