import { ownIdentity } from "../../../src/files";
import { changeByHand } from "../actors/hand";
import { operate } from "../actors/runner";
import type { SavedPlans } from "../actors/stepwise";
import type { Call } from "../actors/trace";
import { Disk, useDisk } from "../disk/disk";
import { closeAll } from "../disk/fs";
import { type Exchange, Network, useNetwork } from "../network/network";
import type { SimulatedService } from "../network/service";
import type { Hand, Run, Step, Story } from "../story/story";
import { begin, Simulation, type Started } from "../time/simulation";
import { type App, filesOf } from "./app";
import { edited } from "./edit";
import { FleetPlay } from "./fleet-play";
import { playListUse } from "./list-use";
import { changesBetween, existsAnyway, type Live, readLive } from "./live";
import type { Finding, RunRecord, Violation, Written } from "./records";
import { States } from "./states";

/** The functions that check the rules: after a request, after a run, and at the end of a story. */
export interface Rules {
  readonly request: (world: World, record: RunRecord, written: readonly Written[]) => void;
  readonly run: (world: World, record: RunRecord) => void;
  /** Called at the end of a story that turned on habits of the live platform, while these habits are still on. */
  readonly habits: (world: World) => Promise<void>;
  readonly end: (world: World) => Promise<void>;
}

/** The world of a story: service, network, disk, clock and app. This class plays the story and records its runs. */
export class World {
  readonly story: Story;
  readonly simulation: Simulation;
  readonly disk = new Disk();
  readonly network: Network;
  readonly service: SimulatedService;
  readonly states: States;
  readonly runs: RunRecord[] = [];
  readonly violations: Violation[] = [];
  /** The objects that people created by hand and that no runner took over. */
  readonly handmade = new Set<string>();
  /** For each object in `handmade`: the number of requests that had been sent when it was created. */
  readonly madeAfter = new Map<string, number>();
  /**
   * Existing objects whose creator a run cannot know, such as objects that people created and a runner changed. A run
   * may refuse these objects as foreign.
   */
  readonly foreign = new Set<string>();
  /** The objects that runners created and that still exist. */
  readonly made = new Set<string>();
  /** How many times each event happened. Runs are not counted here. */
  readonly events = {
    "the clock jumps": 0,
    "two runners at once": 0,
    "a change by hand": 0,
    "parts of a run use a list": 0,
    "a round of fleets": 0,
  };
  app: App;
  live: Live;
  step = 0;
  /**
   * The number of points at which the story has already chosen the runner that continues. After the last choice of the
   * story, the same runner continues each time.
   */
  choicesMade = 0;
  /** Called each time the model of Terraform calls the provider. */
  onCall: ((call: Call) => void) | undefined;
  /** Called before each step, and at the end of the story. */
  onStep: ((index: number) => void) | undefined;
  #bootSeen = 1;
  /** The runs that `runAll` started last. */
  #current: readonly RunRecord[] = [];
  readonly #applied = new Map<string, string>();
  readonly #rules: Rules;
  readonly #saved: SavedPlans = new Map();
  #fleets: FleetPlay | undefined;

  constructor(story: Story, service: SimulatedService, rules: Rules) {
    this.#rules = rules;
    this.story = story;
    this.service = service;
    service.reset();
    service.pageLimit = story.pageLimit;
    if (story.habits !== undefined) service.useHabits(story.habits, story.lag ?? 0);
    this.simulation = new Simulation(story.seed);
    this.network = new Network(service);
    this.states = new States(story, this.disk, service);
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

  /** Plays the story to its end, or until it breaks a rule. */
  async play(): Promise<void> {
    begin(this.simulation);
    useDisk(this.disk);
    useNetwork(this.network);
    // Steward's code remembers the identity of its process. This call makes the code forget the process of the previous
    // story.
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
      if (this.story.habits !== undefined) {
        await this.#rules.habits(this);
        this.service.useHabits([], 0);
        this.live = readLive(this.service.database);
        if (this.violations.length > 0) return;
      }
      // Stories about lists and fleets have no app with stacks to apply, so the rules of the end do not fit these stories.
      if (!this.story.steps.every((step) => "list" in step || "fleets" in step)) await this.#rules.end(this);
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

  /** Deletes objects that people created and that no state holds, as people would do at the end. */
  tidyUp(): void {
    for (const identity of [...this.handmade]) {
      const [kind, at, ...key] = identity.split(" ");
      if (this.states.holds(identity)) continue;
      const thing = { kind, at, key: key.join(" "), content: 0 } as Hand["thing"];
      this.#byHand({ hand: "delete", thing });
    }
    this.service.habits.catchUp();
  }

  /**
   * Counts the created objects that are not in Terraform's state as foreign, because Terraform has no journal that
   * knows them.
   */
  #disownLost(): void {
    for (const identity of this.made) {
      if (this.states.holds(identity)) continue;
      this.made.delete(identity);
      this.foreign.add(identity);
    }
  }

  async #take(step: Step): Promise<void> {
    if ("edit" in step) this.edit(edited(this.app, step));
    else if ("hand" in step) {
      this.#byHand(step);
      // So much time passes before the next run that replicas catch up.
      this.service.habits.catchUp();
    } else if ("clock" in step) {
      this.events["the clock jumps"] += 1;
      this.simulation.jumpClock(step.clock);
    } else if ("list" in step) {
      this.events["parts of a run use a list"] += 1;
      await playListUse(this, step.list);
    } else if ("fleets" in step) {
      this.events["a round of fleets"] += 1;
      this.#fleets ??= new FleetPlay(this);
      await this.#fleets.play(step.fleets);
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
      // A run that died created the object without recording it in a state, and another client changed it since. So the
      // creator of the object is not known.
      if (this.made.delete(identity) && !this.states.holds(identity)) this.foreign.add(identity);
      if (after === undefined) this.handmade.delete(identity);
      else if (!existsAnyway(identity) && before === undefined) {
        this.handmade.add(identity);
        this.madeAfter.set(identity, this.network.exchanges.length);
      }
    }
    this.live = now;
  }

  /** Runs one operation, or several at once. Then checks the rules of runs for each operation. */
  async runAll(
    runs: readonly { readonly run: Run; readonly after: number }[],
  ): Promise<readonly RunRecord[]> {
    if (this.disk.volume.find("/app/cdktf.out/manifest.json") === undefined) this.edit(this.app);
    // Replicas catch up between two runs, unless the earlier run died: then the next attempt may follow at once.
    if (this.runs.at(-1)?.outcome !== undefined) this.service.habits.catchUp();
    const started = runs.map(({ run, after }) => this.#begin(run, after));
    this.#current = started.map(({ record }) => record);
    const stuck = await this.simulation.finish(started.map(({ process }) => process));
    this.simulation.chooser = undefined;
    // Waits until late requests and requests of dead processes have reached the service.
    await this.simulation.calm();
    const records = started.map(({ record, process }) => {
      const { result } = process;
      record.outcome = result !== undefined && "value" in result ? result.value : undefined;
      record.failure = result !== undefined && "error" in result ? result.error : undefined;
      record.isStuck = stuck.includes(record.process);
      record.isDisturbed ||= runs.length > 1;
      record.liveAfter = this.live;
      record.heldAfter = this.states.held();
      return record;
    });
    if (this.story.host === "terraform") this.#disownLost();
    for (const record of records) this.#rules.run(this, record);
    const isOver = this.story.keeping === "service" || this.simulation.boot > this.#bootSeen;
    this.#bootSeen = this.simulation.boot;
    // Steward takes over the lock of a dead process only on the same machine and in the same boot. In other cases, a
    // person removes the lock.
    if (isOver && this.states.lockHolders().length > 0 && runs[0]?.run.do !== "unlock")
      await this.runAll([{ run: { do: "unlock" }, after: 0 }]);
    return records;
  }

  #begin(
    run: Run,
    delay: number,
  ): { readonly record: RunRecord; readonly process: Started<Awaited<ReturnType<typeof operate>>> } {
    const { app } = this;
    const { host, uncounted } = this.story;
    const options = { ...run, saved: this.#saved, host, uncounted, onCall: this.onCall };
    // Replicas have caught up before another run gets the lock.
    const work = () => operate(app, run, options).finally(() => this.service.habits.catchUp());
    const process = this.simulation.start(run.do, work, {
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
      heldBefore: this.states.held(),
      liveBefore: this.live,
      handmadeBefore: new Set(this.handmade),
      leavingBefore: this.states.leaving(),
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

  /** On a power failure, kills all processes, and the disk loses unsynced writes. */
  #crash(isPowerFailure: boolean): void {
    if (!isPowerFailure) return;
    for (const process of this.simulation.processes) if (process.isAlive) this.simulation.kill(process);
    this.simulation.boot += 1;
    this.disk.volume.loseUnsynced(this.simulation.random);
  }

  /** Records the changes of a request, and checks the rules of requests. */
  #observe(record: RunRecord, exchange: Exchange): void {
    const now = readLive(this.service.database);
    const written = changesBetween(this.live, now).map((change) => ({ ...change, exchange }));
    this.live = now;
    for (const one of written) {
      // The request of a dead run arrives while another run may already have looked for the object. So the creator of
      // the object is not known.
      const isLate = one.before === undefined && !record.process.isAlive && this.#current.length > 1;
      if (this.handmade.delete(one.identity) || isLate) this.foreign.add(one.identity);
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

  /** Makes the manual changes that come after this number of the run's requests. */
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

/** Returns true if a declaration of the story uses the second configuration of the provider. */
const usesSecond = ({ steps }: Story): boolean =>
  steps.some(
    (step) =>
      "edit" in step &&
      (step.edit === "reconfigure" ||
        (step.edit === "declare" && step.declaration.second === true) ||
        ("second" in step && step.second === true)),
  );
