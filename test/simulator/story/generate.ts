import type { DiskFault } from "../disk/disk";
import type { NetworkFault } from "../network/network";
import { Random } from "../time/random";
import { CONTENTS, KEYS, PLACES, type Thing } from "../world/objects";
import { FLEETS_FROM, fleetStoryOf } from "./fleets";
import { type Focus, focusOf } from "./focus";
import { HABITS_FROM, withHabits } from "./habits";
import { listStoryOf } from "./lists";
import type { Crash, Edit, Hand, Operation, Run, Step, Story } from "./story";

/** Returns the story of a seed. */
export function storyOf(seed: number): Story {
  if (seed >= HABITS_FROM) return withHabits(new Teller(seed).story());
  if (seed >= FLEETS_FROM) return fleetStoryOf(seed);
  return seed % LISTS_EVERY === 0 ? listStoryOf(seed) : new Teller(seed).story();
}

/** One of `LISTS_EVERY` stories is about a list that several parts of one run use. */
const LISTS_EVERY = 10;

const STACKS = ["a", "b", "c"];

/** A number of consecutive faults that is larger than any number of attempts. */
const FOR_EVER = 10_000;

class Teller {
  readonly #seed: number;
  readonly #random: Random;
  readonly #focus: Focus;
  #names: string[] = [];
  #count = 0;
  /** The state command that belongs to the last edit, such as a move to another stack. */
  #pending: Operation | undefined;
  readonly #stackOf = new Map<string, string>();
  readonly #stacks: readonly string[];
  /** True if plans and applies of this story take over objects that people created (`--import-existing`). */
  readonly #takesOver: boolean;
  readonly #isTerraform: boolean;
  readonly #declared: Thing[] = [];

  constructor(seed: number) {
    this.#seed = seed;
    this.#random = new Random(seed ^ 0x5eed);
    this.#focus = focusOf(seed);
    this.#stacks = STACKS.slice(0, Number(this.#random.weighted(this.#focus.stacks)));
    this.#isTerraform = this.#focus.host === "terraform";
    this.#takesOver = !this.#isTerraform && seed % 5 === 1;
  }

  story(): Story {
    const random = this.#random;
    const steps: Step[] = [];
    const rounds = 1 + random.below(this.#focus.rounds);
    for (let round = 0; round < rounds; round += 1) {
      const edits = round === 0 ? 1 + random.below(4) : random.below(3);
      for (let edit = 0; edit < edits; edit += 1) steps.push(this.#edit(round === 0));
      if (random.chance(this.#focus.hand)) steps.push(this.#hand());
      if (this.#takesOver) steps.push(...this.#madeBefore());
      if (random.chance(this.#focus.clock)) steps.push({ clock: (random.next() - 0.5) * 7_200_000 });
      if (this.#pending !== undefined && random.chance(this.#focus.follows))
        steps.push({ run: { ...this.#pending, ...(random.chance(0.4) && { crash: this.#crash() }) } });
      this.#pending = undefined;
      steps.push(this.#runs());
    }
    return {
      seed: this.#seed,
      keeping: random.chance(this.#focus.service) ? "service" : "file",
      stacks: this.#stacks,
      ...(this.#focus.host && { host: this.#focus.host }),
      ...(random.chance(this.#focus.pages) && { pageLimit: 1 + random.below(2) }),
      steps,
    };
  }

  #thing(): Thing {
    const random = this.#random;
    const kind = random.weighted(this.#focus.kinds);
    return {
      kind,
      at: random.pick(PLACES[kind].slice(0, this.#focus.places)),
      key: random.pick(KEYS[kind]),
      content: random.below(CONTENTS),
    };
  }

  #edit(isFirst: boolean): Edit {
    const random = this.#random;
    const what = isFirst ? "declare" : random.weighted(this.#focus.edits);
    const name = this.#names.length === 0 ? "none" : random.pick(this.#names);
    const stack = random.pick(this.#stacks);
    switch (what) {
      case "declare": {
        const own = `o${++this.#count}`;
        this.#names.push(own);
        this.#stackOf.set(own, stack);
        const thing = this.#thing();
        this.#declared.push(thing);
        const declaration = {
          ...thing,
          name: own,
          spelling: random.chance(0.7) ? ("path" as const) : ("id" as const),
          ...(random.chance(0.1) && !this.#isTerraform && { second: true }),
          ...(random.chance(0.1) && { preventDestroy: true }),
        };
        return { edit: "declare", stack, declaration };
      }
      case "rename": {
        const to = `${name}_r${++this.#count}`;
        this.#names = this.#names.map((one) => (one === name ? to : one));
        this.#stackOf.set(to, this.#stackOf.get(name) ?? stack);
        return { edit: "rename", name, to, hasBlock: random.chance(0.5) || this.#isTerraform };
      }
      case "content":
        return { edit: "content", name, content: random.below(CONTENTS) };
      case "retarget":
        return { edit: "retarget", name, key: random.below(2) };
      case "restack":
        this.#pending = this.#moveTo(name, this.#stackOf.get(name) ?? stack, stack);
        this.#stackOf.set(name, stack);
        return { edit: "restack", name, stack };
      case "respell":
        return { edit: "respell", name, spelling: random.pick(["path", "id"] as const) };
      case "whole":
      case "single":
        return {
          edit: what,
          at: random.pick(["web", "api"].slice(0, this.#focus.places)),
          stack,
          ...(random.chance(0.2) && { second: true }),
        };
      default:
        return { edit: what, name };
    }
  }

  #hand(): Hand {
    return { hand: this.#random.weighted({ delete: 3, change: 3, add: 2 }), thing: this.#thing() };
  }

  /**
   * Returns manual changes that create some of the declared objects, with the declared content or with other content.
   */
  #madeBefore(): Hand[] {
    const made = this.#declared.splice(0).filter(() => this.#random.chance(0.5));
    return made.map((thing) => ({
      hand: "add",
      thing: { ...thing, content: this.#random.chance(0.5) ? thing.content : this.#random.below(CONTENTS) },
    }));
  }

  #runs(): Step {
    const random = this.#random;
    if (random.chance(this.#focus.together))
      return { together: [this.#run(), this.#run()], after: random.below(150) };
    return { run: this.#run() };
  }

  #operation(): Operation {
    const random = this.#random;
    if (random.chance(0.05) && this.#names.length > 0 && !this.#isTerraform) return this.#stateCommand();
    const what = random.weighted(this.#focus.operations);
    return {
      do: what,
      ...(random.chance(0.15) && what !== "apply saved" && { stacks: [random.pick(this.#stacks)] }),
    };
  }

  /** Returns an import, or a move of an object to another stack. */
  #stateCommand(): Operation {
    const random = this.#random;
    const name = random.pick(this.#names);
    const [from, to] = [random.pick(this.#stacks), random.pick(this.#stacks)];
    return from === to || random.chance(0.4) ? { do: "import", name } : this.#moveTo(name, from, to);
  }

  #moveTo(name: string, from: string, to: string): Operation {
    return this.#random.chance(0.5) ? { do: "move declared", from, to } : { do: "move", name, from, to };
  }

  #run(): Run {
    const random = this.#random;
    const focus = this.#focus;
    const planned = this.#takingOver(this.#operation());
    const operation = this.#isTerraform ? planned : this.#described(planned);
    if (random.chance(focus.calm)) return operation;
    const network = random.chance(focus.network) ? this.#networkFaults() : undefined;
    const disk = random.chance(focus.disk) ? this.#diskFaults() : undefined;
    const crash = random.chance(focus.crash) ? this.#crash() : undefined;
    return {
      ...operation,
      ...(network && { network }),
      ...(disk && { disk }),
      ...(crash && { crash }),
      ...(random.chance(focus.meanwhile) && { meanwhile: [{ ...this.#hand(), after: 1 + random.below(8) }] }),
      ...(random.chance(focus.patience) && { patience: 60_000 }),
      ...(random.chance(0.05) && { failFast: true }),
      ...(this.#canReplace(operation) && { replaces: [random.pick(this.#names)] }),
    };
  }

  #canReplace({ do: operation }: Run): boolean {
    const isPlanned = operation === "plan" || operation === "apply";
    return isPlanned && this.#names.length > 0 && !this.#isTerraform && this.#random.chance(0.05);
  }

  #takingOver(operation: Operation): Run {
    const canImport = ["plan", "apply", "save"].includes(operation.do);
    return this.#takesOver && canImport && this.#random.chance(0.7)
      ? { ...operation, importExisting: true }
      : operation;
  }

  /**
   * Adds `described` to most plans. In half of the stories, also adds `described` to each apply, destroy and drift
   * detection.
   */
  #described(operation: Run): Run {
    if (operation.do === "plan")
      return { ...operation, ...(this.#random.chance(0.6) && { describes: true }) };
    const isDescribed = operation.do === "apply" || operation.do === "destroy" || operation.do === "drift";
    return isDescribed && this.#seed % 2 === 0 ? { ...operation, describes: true } : operation;
  }

  #crash(): Crash {
    const random = this.#random;
    const power = random.chance(this.#focus.power) && { power: true };
    if (random.chance(0.4)) return { afterWrite: 1 + random.below(4), ...power };
    return { at: 1 + random.below(random.chance(0.5) ? 120 : 300), ...power };
  }

  #networkFaults(): NetworkFault[] {
    const random = this.#random;
    return Array.from({ length: 1 + random.below(2) }, (): NetworkFault => {
      const on = random.weighted(this.#focus.on);
      const repeated = () => (random.chance(0.1) ? FOR_EVER : 2 + random.below(5));
      const times = random.chance(this.#focus.repeats) ? repeated() : undefined;
      return {
        on,
        nth: 1 + random.below(on === "GET" ? 8 : 4),
        ...(times && { times }),
        fault: random.weighted(this.#focus.faults),
      };
    });
  }

  #diskFaults(): DiskFault[] {
    const random = this.#random;
    const times = random.chance(0.3) ? 1000 : undefined;
    return [
      { write: 1 + random.below(25), ...(times && { times }), fault: random.chance(0.7) ? "full" : "io" },
    ];
  }
}
