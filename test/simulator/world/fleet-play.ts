import {
  applyFleets,
  type FleetOutcome,
  planFleets,
  type ReaderOutcome,
  readFleets,
} from "../actors/fleet-runner";
import type { Disk } from "../disk/disk";
import * as ofFleets from "../invariants/of-fleets";
import type { Network } from "../network/network";
import type { SimulatedService } from "../network/service";
import { type FleetRound, type FleetStack, MEMBERS, type PartialRun, type Topic } from "../story/fleet-round";
import type { Simulation, Started } from "../time/simulation";
import { stateFileOf } from "./app";
import { type ProjectName, TOKEN } from "./company";
import { fleetFilesOf, identitiesOf, projectId, TYPE_OF_PART } from "./fleet-app";
import type { RoundEnd, RoundHistory } from "./fleet-history";
import { changesBetween, existsAnyway, readLive } from "./live";
import type { Finding } from "./records";

/** The identities of the objects that each stack declares. */
type Declared = readonly (readonly [stack: string, identities: readonly string[]])[];

interface Surroundings {
  readonly simulation: Simulation;
  readonly network: Network;
  readonly service: SimulatedService;
  readonly disk: Disk;
  readonly story: { readonly stacks: readonly string[] };
  report(invariant: string, finding: Finding): void;
}

/** Plays the rounds of one story. Each round begins in the state at the end of the previous round. */
export class FleetPlay {
  readonly #topics = new Map<ProjectName, readonly Topic[]>();
  #before: readonly FleetStack[] = [];
  /** True if the last round ended without errors and its final plan was empty. */
  #isSettled = true;
  #readers: ReaderOutcome[] = [];
  #removed: { identity: string; stack: string; request: string }[] = [];

  constructor(private readonly world: Surroundings) {}

  async play({ stacks: given, ...rest }: FleetRound): Promise<void> {
    const { world } = this;
    // When a story is shrunk, it can lose stacks that its rounds still have.
    const round: FleetRound = { ...rest, stacks: given.slice(0, world.story.stacks.length) };
    const declaredBefore = this.#byStack(this.#before);
    const keptBefore = this.#keptBefore(round);
    const singleBefore = this.#isSettled ? this.#singleBefore(declaredBefore) : [];
    for (const [name, topics] of Object.entries(round.topics))
      this.#setTopics(name as ProjectName, topics ?? []);
    if (round.isOld === true) for (const stack of world.story.stacks) this.#forgetFleets(stack);
    for (const [path, text] of fleetFilesOf(world.story.stacks, round.stacks))
      world.disk.volume.place(path, text);
    this.#before = round.stacks;
    this.#removed = [];
    this.#readers = [];
    const declared = this.#byStack(round.stacks);
    const watched = this.#watch(declared);
    const plan = await this.#run(() => planFleets({}));
    const restore = this.#checkpoint();
    const whole = await this.#way([]);
    // A round without partial runs needs to be played only once.
    if (round.runs.length > 0) restore();
    const divided = round.runs.length > 0 ? await this.#way(round.runs) : whole;
    const after = await this.#handOver(divided.last);
    watched();
    const all = declared.flatMap(([, identities]) => identities);
    const history: RoundHistory = {
      ...{ plan, whole, divided, after, declared: all, removed: this.#removed, readers: this.#readers },
      dropped: singleBefore.filter((identity) => !all.includes(identity) && !isOfList(identity, all)),
      kept: keptBefore.filter(
        (identity) => !all.includes(identity) && isWhollyKept(identity, declaredBefore),
      ),
    };
    this.#isSettled = divided.last.succeeded && after.succeeded && !after.hasChanges;
    for (const [name, rule] of Object.entries(ofFleets)) world.report(name, rule(history));
  }

  /**
   * Returns the live objects that exactly one declaration outside of fleets declares, and no fleet or whole list.
   */
  #singleBefore(declared: Declared): readonly string[] {
    const live = readLive(this.world.service.database);
    const all = declared.flatMap(([, identities]) => identities);
    return this.#before.flatMap(({ others }) =>
      identitiesOf({ fleets: [], others }, (name) => this.#topics.get(name) ?? [], MEMBERS).filter(
        (identity) => live.has(identity) && isWhollyKept(identity, declared) && !isOfList(identity, all),
      ),
    );
  }

  /** Returns the identities that each stack declares with the current topics. */
  #byStack(stacks: readonly FleetStack[]): Declared {
    return stacks.map((stack, at) => [
      this.world.story.stacks[at]!,
      identitiesOf(stack, (name) => this.#topics.get(name) ?? [], MEMBERS),
    ]);
  }

  /**
   * Returns the live objects of fleets with `keep`, which must stay. Fleets that change to `reset` are not included.
   * Objects that no run has applied are not included either. States of an older release have no records of fleets. In
   * these states, objects of a fleet with `paths` look like any other object, so they are not included.
   */
  #keptBefore({ stacks: next, isOld }: FleetRound): readonly string[] {
    const live = readLive(this.world.service.database);
    return this.#before.flatMap(({ fleets }, at) => {
      const stack = this.world.story.stacks[at]!;
      // Without records, Steward treats a renamed fleet as the same fleet. So the new `onLeave` counts.
      const isReset = (id: string) =>
        next[at]?.fleets.some((fleet) => (fleet.id === id || isOld === true) && fleet.onLeave === "reset") ===
        true;
      const kept = fleets.filter(
        ({ id, onLeave, paths }) =>
          onLeave === "keep" && !isReset(id) && (isOld !== true || paths === undefined),
      );
      return kept.flatMap((fleet) =>
        identitiesOf({ fleets: [fleet], others: [] }, (name) => this.#topics.get(name) ?? [], MEMBERS).filter(
          (identity) => live.has(identity) && this.#isOf(stack, fleet.id, identity),
        ),
      );
    });
  }

  #setTopics(name: ProjectName, topics: readonly Topic[]): void {
    this.#topics.set(name, topics);
    this.world.service.answer({
      method: "PUT",
      target: `/api/v4/projects/${projectId(name)}`,
      headers: { "private-token": TOKEN, "content-type": "application/json" },
      body: JSON.stringify({ topics }),
    });
  }

  /**
   * Records declared objects that a request removes.
   * @returns a function that ends the recording
   */
  #watch(declared: Declared): () => void {
    const { network, service } = this.world;
    const { onService } = network;
    const owners = new Map(declared.flatMap(([stack, identities]) => identities.map((one) => [one, stack])));
    network.onService = (exchange, answer) => {
      if (exchange.method === "GET") return answer();
      const before = readLive(service.database);
      const given = answer();
      for (const { identity, after } of changesBetween(before, readLive(service.database))) {
        const stack = owners.get(identity);
        if (after === undefined && stack !== undefined)
          this.#removed.push({ identity, stack, request: `${exchange.method} ${exchange.target}` });
      }
      return given;
    };
    return () => {
      network.onService = onService;
    };
  }

  async #way(parts: readonly PartialRun[]): Promise<RoundEnd> {
    const runs: FleetOutcome[] = [];
    for (const part of parts) {
      const { crashAt, readAfter } = part;
      const reader = readAfter === undefined ? undefined : this.#startReader(readAfter);
      runs.push(await this.#run(() => applyFleets(part), crashAt, reader));
    }
    const last = await this.#run(() => applyFleets({}));
    runs.push(last);
    // After partial runs, the stacks may need more than one run to hand over their objects.
    if (this.world.story.stacks.length > 1) await this.#handOver(last);
    const live = readLive(this.world.service.database);
    return { runs, last, live, held: this.world.story.stacks.flatMap((stack) => this.#heldIn(stack)).sort() };
  }

  /**
   * Applies until the stacks have handed over all objects. This can take several runs, because a stack releases an
   * object only once another state has it. Returns the last plan.
   */
  async #handOver({ succeeded }: FleetOutcome): Promise<FleetOutcome> {
    let after = await this.#run(() => planFleets({}));
    for (let more = 0; more < HAND_OVERS && succeeded && after.hasChanges; more += 1) {
      await this.#run(() => applyFleets({}));
      after = await this.#run(() => planFleets({}));
    }
    return after;
  }

  #startReader(delay: number): Started<void> {
    const read = async () => void this.#readers.push(await readFleets());
    return this.world.simulation.start("a reader", read, { delay });
  }

  async #run(
    work: () => Promise<FleetOutcome>,
    crashAt?: number,
    reader?: Started<void>,
  ): Promise<FleetOutcome> {
    const { simulation } = this.world;
    const started = simulation.start("a run", work, {
      prepare: (process) => {
        process.crashAt = crashAt;
      },
    });
    const stuck = await simulation.finish(reader === undefined ? [started] : [reader, started]);
    await simulation.calm();
    if (reader?.result !== undefined && "error" in reader.result) throw reader.result.error;
    if (stuck.length > 0) this.world.report("everyRunEnds", "a run over fleets does not end");
    const { result } = started;
    if (result !== undefined && "error" in result) throw result.error;
    return result === undefined ? DIED : result.value;
  }

  /**
   * Keeps the data of the service and the states.
   * @returns a function that restores these data
   */
  #checkpoint(): () => void {
    const { disk, service, story } = this.world;
    const restoreService = service.checkpoint();
    const isOfStates = (path: string) => story.stacks.some((stack) => path.includes(`${stack}.tfstate`));
    const files = disk.volume.files().filter(([path]) => isOfStates(path));
    return () => {
      restoreService();
      for (const [path] of disk.volume.files()) if (isOfStates(path)) disk.volume.unlink(path);
      for (const [path, content] of files) disk.volume.place(path, content.toString("utf8"));
    };
  }

  #state(stack: string): StateFile | undefined {
    const file = this.world.disk.volume.find(stateFileOf(stack));
    return file && (JSON.parse(file.content.toString("utf8")) as StateFile);
  }

  /** Returns true if the state of a stack holds an object, and does not record it for another fleet. */
  #isOf(stack: string, fleet: string, identity: string): boolean {
    const path = `${stack}/${fleet}`;
    const [kind = "", name, key] = identity.split(" ");
    const id = `${projectId(name as ProjectName)}${key ? `:${key}` : ""}`;
    const held = this.#state(stack)?.resources.filter(
      ({ type, fleet: record }) => type === TYPE_OF_PART[kind] && (record?.path ?? path) === path,
    );
    return held?.some(({ instances }) => instances.some(({ attributes }) => attributes.id === id)) === true;
  }

  #heldIn(stack: string): readonly string[] {
    const managed = this.#state(stack)?.resources.filter(({ mode }) => mode === "managed") ?? [];
    return managed.flatMap(({ type, name, fleet, instances }) =>
      instances.map(
        ({ index_key: key, attributes: { id } }) =>
          `${stack} ${type}.${name}${key === undefined ? "" : `[${key}]`} ${id} ${fleet?.path ?? ""}`,
      ),
    );
  }

  #forgetFleets(stack: string): void {
    const state = this.#state(stack);
    if (state === undefined) return;
    for (const resource of state.resources) delete resource.fleet;
    this.world.disk.volume.place(stateFileOf(stack), `${JSON.stringify(state)}\n`);
  }
}

/** The maximum number of additional runs in which stacks hand over objects. */
const HAND_OVERS = 2;

const DIED: FleetOutcome = { succeeded: false, errors: [], hasChanges: false, changing: [] };

/** Returns true for an object that can be deleted and that exactly one declaration had. */
const isWhollyKept = (identity: string, declared: Declared): boolean =>
  !existsAnyway(identity) &&
  declared.flatMap(([, identities]) => identities).filter((one) => one === identity).length === 1;

/** Returns true for an entry of a project whose whole list is declared. */
const isOfList = (identity: string, declared: readonly string[]): boolean => {
  const [kind, name] = identity.split(" ");
  return kind === "entry" && declared.includes(`list ${name} `);
};

interface StateFile {
  readonly resources: {
    mode: string;
    type: string;
    name: string;
    fleet?: { path: string } | null;
    instances: { index_key?: string; attributes: { id: string } }[];
  }[];
}
