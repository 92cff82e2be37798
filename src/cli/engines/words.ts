import path from "node:path";
import type { PlanMode } from "../../engine";
import type { RunArguments } from "../arguments/stack-options";
import type { Declarations } from "./declarations";
import type { EngineStack } from "./stacks";

/** Options that an engine's program takes, in its own words. */
export class Words {
  readonly #args: RunArguments;
  readonly #folder: string;
  readonly #colored: boolean;
  readonly #all: readonly Declarations[];

  /** Paths on the command line are relative to `folder`; `all` tells of the stacks that share the command line. */
  constructor(
    args: RunArguments,
    folder: string,
    colored: boolean,
    all: readonly Pick<EngineStack, "declarations">[],
  ) {
    this.#args = args;
    this.#folder = folder;
    this.#colored = colored;
    this.#all = all.map(({ declarations }) => declarations);
  }

  /** What `plan` takes, and `apply` where it plans by itself. */
  plan(mode: PlanMode, stack: EngineStack): string[] {
    const { targets, json, refresh } = this.#args;
    return [
      ...this.view(json),
      ...(mode === "normal" ? [] : [`-${mode}`]),
      ...(refresh ? [] : ["-refresh=false"]),
      ...targets.map((target) => `-target=${target}`),
      ...this.variables(stack),
      ...this.width(),
      ...this.state(),
    ];
  }

  /** Nobody is asked by the program, and it has colours where a person sees them. */
  view = (json: boolean): string[] => [
    "-input=false",
    ...(json ? ["-json"] : []),
    ...(this.#colored ? [] : ["-no-color"]),
  ];

  width(): string[] {
    const { parallelism, lock, lockTimeout } = this.#args;
    return [
      ...(parallelism === undefined ? [] : [`-parallelism=${parallelism}`]),
      ...(lock ? [] : ["-lock=false"]),
      ...(lockTimeout === 0 ? [] : [`-lock-timeout=${lockTimeout}ms`]),
    ];
  }

  state(): string[] {
    const { state } = this.#args;
    return state === undefined ? [] : [`-state=${path.resolve(this.#folder, state)}`];
  }

  /** What another of the stacks declares and this one doesn't is left out, as the program would refuse it. */
  variables({ declarations }: EngineStack): string[] {
    return this.#args.variables
      .filter((one) => one.from === "file" || !this.#isForAnother(one.name, declarations))
      .map((one) =>
        one.from === "file"
          ? `-var-file=${path.resolve(this.#folder, one.file)}`
          : `-var=${one.name}=${one.value}`,
      );
  }

  #isForAnother = (name: string, declarations: Declarations): boolean =>
    !declarations.variables.has(name) && this.#all.some(({ variables }) => variables.has(name));
}
